// The account of a shop at Stripe, for the operator: makes its webhook endpoint, so that its secret is not copied by
// hand, and asks whether it has what payments need.

import { Fields, Surprise } from "#payments/gateways/answers/fields.ts";
import type { CheckedLine, Connection, VendorTerms } from "#payments/gateways/vendors.ts";

import type { Answer } from "./answers.ts";
import { API_VERSION, formOf, StripeCalls } from "./calls.ts";

const CALL_MS = 20_000;
const ENDPOINTS = "/v1/webhook_endpoints";

/** The events that tell of payments, refunds, disputes and payouts. */
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
  "payout.paid",
  "payout.failed",
  "payout.reconciliation_completed",
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

interface Question {
  readonly path: string;
  /** The objects to which the secret must have a right. */
  readonly subject: string;
  readonly reported: (object: Fields, terms: VendorTerms) => CheckedLine;
}

const READ_MS = 10_000;

const questions: readonly Question[] = [
  { path: "/v1/account", subject: "the account", reported: accountLine },
  { path: "/v1/balance", subject: "the balance", reported: balanceLine },
  list("/v1/checkout/sessions", "Checkout Sessions"),
  list("/v1/payment_intents", "PaymentIntents"),
  list("/v1/refunds", "Refunds"),
  list("/v1/disputes", "Disputes"),
];

/**
 * Asks for the account, the balance, and one object of each kind that payments need. Reads alone: the right to write
 * cannot be shown.
 */
export async function checkStripe(terms: VendorTerms): Promise<readonly CheckedLine[]> {
  const calls = new StripeCalls(terms);
  const lines: CheckedLine[] = [];
  for (const { path, subject, reported } of questions) {
    const limit = path === "/v1/account" || path === "/v1/balance" ? null : 1;
    const signal = AbortSignal.timeout(READ_MS);
    const answer = await calls.get(path, { limit }, { signal, ms: READ_MS });
    lines.push(lineOf(answer, subject, (object) => reported(object, terms)));
  }
  return lines;
}

function lineOf(
  answer: Answer,
  subject: string,
  reported: (object: Fields) => CheckedLine,
): CheckedLine {
  if (answer.kind === "ok") return orSurprised(subject, () => reported(answer.object));
  if (answer.kind === "not_sent" && answer.trouble === "misconfigured") {
    const text = `Stripe does not know the secret, or it has no right to read ${subject}.`;
    return { ok: false, text };
  }
  const isLimited = answer.kind === "not_sent" && answer.trouble === "rate_limited";
  const why = isLimited ? "there were too many calls" : "there was no answer that can be read";
  return { ok: false, text: `Stripe was not asked for ${subject}: ${why}.` };
}

function orSurprised(subject: string, reported: () => CheckedLine): CheckedLine {
  try {
    return reported();
  } catch (error) {
    if (!(error instanceof Surprise)) throw error;
    return { ok: false, text: `Stripe's answer about ${subject} surprises at ${error.pointer}.` };
  }
}

function accountLine(account: Fields): CheckedLine {
  const [id, country] = [account.text("id"), account.text("country")];
  const currency = account.text("default_currency").toUpperCase();
  const ok = account.flag("charges_enabled");
  const may = ok ? "can take money" : "cannot take money yet: Stripe waits for the merchant";
  return { ok, text: `Account ${id} in ${country}, currency ${currency}, ${may}.` };
}

function balanceLine(balance: Fields, { mode }: VendorTerms): CheckedLine {
  const actual = balance.flag("livemode") ? "live" : "test";
  const currencies = balance.list("available").map((one) => one.text("currency").toUpperCase());
  const text = `The secret is of ${actual} mode. Money is paid out in ${currencies.join(", ")}.`;
  return { ok: actual === mode, text };
}

function list(path: string, subject: string): Question {
  const reported = (page: Fields) => {
    page.list("data");
    return { ok: true, text: `The secret may read ${subject}.` };
  };
  return { path, subject, reported };
}
