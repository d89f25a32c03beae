// Makes the webhook endpoint of a shop at Stripe, so that its secret is not copied by hand.

import { type Fields, Surprise } from "#payments/gateways/answers/fields.ts";
import type { Connection, VendorTerms } from "#payments/gateways/vendors.ts";

import type { Answer } from "./answers.ts";
import { API_VERSION, StripeCalls } from "./calls.ts";
import { formOf } from "./form.ts";

const CALL_MS = 20_000;
const ENDPOINTS = "/v1/webhook_endpoints";

/** The events that tell of payments, refunds and disputes. */
const events = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "checkout.session.expired",
  "payment_intent.succeeded",
  "payment_intent.payment_failed",
  "payment_intent.processing",
  "payment_intent.canceled",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "charge.refunded",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
] as const;

/**
 * Afterwards the account sends its events to the URL, and the answer has the secret that signs them. One that has an
 * endpoint there is left as it is: its secret is shown at Stripe alone.
 */
export async function connectStripe(terms: VendorTerms, url: string): Promise<Connection> {
  try {
    return await connect(new StripeCalls(terms), url);
  } catch (error) {
    if (!(error instanceof Surprise)) throw error;
    return refused(`Stripe's answer surprises at ${error.pointer}.`);
  }
}

async function connect(calls: StripeCalls, url: string): Promise<Connection> {
  const limits = { signal: AbortSignal.timeout(2 * CALL_MS), ms: CALL_MS };
  const listed = await calls.list(ENDPOINTS, {}, limits);
  if (listed.kind !== "all") return refused(whyNot(listed));
  const known = listed.rows.find((one) => one.text("url") === url);
  if (known !== undefined) {
    return refused(
      `Stripe has the endpoint ${known.text("id")} for ${url} already. Delete it there and repeat, or give its ` +
        "secret with `duka gateways set stripe --webhook-secret`.",
    );
  }
  const body = formOf({
    url,
    enabled_events: Object.fromEntries(events.entries()),
    api_version: API_VERSION,
    description: "Duka",
  });
  const made = await calls.post(ENDPOINTS, { ...limits, key: null, body });
  if (made.kind === "ok") return connected(made.object);
  const caution =
    made.kind === "unknown" ? " If the dashboard shows a new endpoint, delete it first." : "";
  return refused(`${whyNot(made)}${caution}`);
}

function connected(endpoint: Fields): Connection {
  return { kind: "connected", webhookSecret: endpoint.text("secret") };
}

function refused(detail: string): Connection {
  return { kind: "refused", detail };
}

function whyNot(answer: Exclude<Answer, { kind: "ok" }>): string {
  if (answer.kind === "refused")
    return `Stripe refused the endpoint (${answer.code ?? answer.type}).`;
  if (answer.kind === "not_sent" && answer.trouble === "misconfigured") {
    return "Stripe does not know the secret, or it has no right to write webhook endpoints.";
  }
  return "Stripe gave no answer that can be read: repeat the command.";
}
