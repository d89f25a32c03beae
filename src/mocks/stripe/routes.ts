// The calls of Stripe's API that the face answers, and what each does. A GET changes nothing.

import type Stripe from "stripe";

import type { Account, IntentRow } from "./account.ts";
import { checkAmount, readCurrency } from "./amounts.ts";
import type { Dashboard } from "./dashboard.ts";
import { invalid, missingParameter, noSuch, StripeRefusal } from "./errors.ts";
import { hasAsked, isInRange, listPage } from "./lists.ts";
import { disputeObject, payoutObject, refundObject } from "./money-objects.ts";
import * as params from "./params.ts";
import type { Params } from "./params.ts";
import type { Payments } from "./pay.ts";
import {
  accountObject,
  balanceObject,
  endpointObject,
  intentObject,
  type Pages,
  sessionObject,
  transactions,
} from "./payment-objects.ts";

const MINUTE_MS = 60_000;
const SESSION_MS_MIN = 30 * MINUTE_MS;
const SESSION_MS_MAX = 24 * 60 * MINUTE_MS;

/** The vendor on which a call works. */
export interface Vendor {
  readonly account: Account;
  readonly payments: Payments;
  readonly dashboard: Dashboard;
  readonly pages: Pages;
}

export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** `{id}` stands for one segment. */
  readonly path: string;
  readonly takes: Parameters<typeof params.checkParams>[1];
  readonly run: (face: Vendor, given: Params, id: string) => object;
}

export const routes: readonly Route[] = [
  route("POST /v1/checkout/sessions", params.sessionCreate, createSession),
  route("GET /v1/checkout/sessions", params.sessionList, (face, given) => {
    const sessions = face.account.sessions.all();
    const all = sessions.map((row) => sessionObject(face.account, row, face.pages));
    const wanted = all.filter(
      (one) =>
        isInRange(one.created, given, "created") &&
        hasAsked(one, given, ["payment_intent", "status"]),
    );
    return listPage(wanted, given, "/v1/checkout/sessions");
  }),
  route("GET /v1/checkout/sessions/{id}", params.onlyExpand, ({ account, pages }, _, id) =>
    sessionObject(account, account.sessions.get(id), pages),
  ),
  route("POST /v1/checkout/sessions/{id}/expire", params.onlyExpand, expireSession),
  route("POST /v1/payment_intents", params.intentCreate, createIntent),
  route("GET /v1/payment_intents", params.intentList, (face, given) => {
    const intents = face.account.intents.all();
    const all = intents.map((row) => intentObject(face.account, row, face.pages));
    const wanted = all.filter((one) => isInRange(one.created, given, "created"));
    return listPage(wanted, given, "/v1/payment_intents");
  }),
  route("GET /v1/payment_intents/{id}", params.onlyExpand, ({ account, pages }, _, id) =>
    intentObject(account, account.intents.get(id), pages),
  ),
  route("POST /v1/payment_intents/{id}/confirm", params.intentConfirm, confirmIntent),
  route("POST /v1/payment_intents/{id}/cancel", params.intentCancel, cancelIntent),
  route("POST /v1/refunds", params.refundCreate, createRefund),
  route("GET /v1/refunds", params.refundList, ({ account }, given) => {
    const all = account.refunds.all().map((row) => refundObject(account, row));
    return listPage(all.filter(isOfPayment(given)), given, "/v1/refunds");
  }),
  route("GET /v1/refunds/{id}", params.onlyExpand, ({ account }, _, id) =>
    refundObject(account, account.refunds.get(id)),
  ),
  route("GET /v1/disputes", params.disputeList, ({ account }, given) => {
    const all = account.disputes.all().map((row) => disputeObject(account, row));
    return listPage(all.filter(isOfPayment(given)), given, "/v1/disputes");
  }),
  route("GET /v1/balance_transactions", params.transactionList, listTransactions),
  route("GET /v1/balance_transactions/{id}", params.onlyExpand, ({ account }, _, id) => {
    const found = transactions(account).find((one) => one.id === id);
    if (found === undefined) throw noSuch("balance_transaction", id, { status: 404, param: "id" });
    return found;
  }),
  route("GET /v1/payouts", params.payoutList, ({ account }, given) => {
    const all = account.payouts.all().map((row) => payoutObject(account, row));
    const wanted = all.filter(
      (one) =>
        isInRange(one.created, given, "created") &&
        isInRange(one.arrival_date, given, "arrival_date") &&
        hasAsked(one, given, ["status"]),
    );
    return listPage(wanted, given, "/v1/payouts");
  }),
  route("GET /v1/payouts/{id}", params.onlyExpand, ({ account }, _, id) =>
    payoutObject(account, account.payouts.get(id)),
  ),
  route("POST /v1/webhook_endpoints", params.endpointCreate, createEndpoint),
  route("GET /v1/webhook_endpoints", params.endpointList, ({ account }, given) => {
    const all = account.endpoints.all().map((row) => endpointObject(account, row));
    return listPage(all, given, "/v1/webhook_endpoints");
  }),
  route("DELETE /v1/webhook_endpoints/{id}", {}, ({ account }, _, id) => {
    account.endpoints.get(id);
    account.endpoints.remove(id);
    return {
      id,
      object: "webhook_endpoint",
      deleted: true,
    } satisfies Stripe.DeletedWebhookEndpoint;
  }),
  route("GET /v1/account", params.onlyExpand, () => accountObject),
  route("GET /v1/balance", params.onlyExpand, ({ account }) => balanceObject(account)),
];

function route(call: string, takes: Route["takes"], run: Route["run"]): Route {
  const [method = "", path = ""] = call.split(" ");
  if (method !== "GET" && method !== "POST" && method !== "DELETE") throw new Error(call);
  return { method, path, takes, run };
}

function createSession({ account, pages }: Vendor, given: Params): object {
  const now = account.now();
  const price = ["line_items", "0", "price_data"];
  const quantity = given.integer("line_items", "0", "quantity") ?? 1;
  const amountMinor = (given.integer(...price, "unit_amount") ?? 0) * quantity;
  const currency = readCurrency(given.text(...price, "currency"));
  checkAmount(amountMinor, currency, "line_items[0][price_data][unit_amount]");
  const row = account.sessions.add({
    id: account.newId(account.isLive ? "cs_live" : "cs_test", 58),
    createdAt: now,
    expiresAt: sessionEnd(now, given.integer("expires_at")),
    amountMinor,
    currency,
    successUrl: given.text("success_url") ?? "",
    cancelUrl: given.text("cancel_url"),
    reference: given.text("client_reference_id"),
    email: given.text("customer_email"),
    metadata: given.texts("metadata"),
    intentMetadata: given.texts("payment_intent_data", "metadata"),
    description: given.text("payment_intent_data", "description"),
    status: "open",
    intent: null,
  });
  return sessionObject(account, row, pages);
}

function sessionEnd(now: number, asked: number | null): number {
  const param = "expires_at";
  const endsAt = asked === null ? now + SESSION_MS_MAX : asked * 1000;
  // Whole seconds: half an hour from the second that has begun is long enough.
  if (endsAt < Math.floor(now / 1000) * 1000 + SESSION_MS_MIN) {
    const rule = "must be at least 30 minutes from Checkout Session creation";
    throw invalid(`The \`expires_at\` timestamp ${rule}.`, { param });
  }
  if (endsAt > now + SESSION_MS_MAX) {
    const rule = "must be less than 24 hours from Checkout Session creation";
    throw invalid(`The \`expires_at\` timestamp ${rule}.`, { param });
  }
  return endsAt;
}

function expireSession({ account, payments, pages }: Vendor, _: Params, id: string): object {
  const session = account.sessions.get(id);
  if (session.status !== "open") {
    const rule = 'Only Checkout Sessions with a status in ["open"] can be expired.';
    throw invalid(`${rule} This Checkout Session has a status of \`${session.status}\`.`);
  }
  payments.expire(session);
  return sessionObject(account, session, pages);
}

function createIntent({ account, payments, pages }: Vendor, given: Params): object {
  const amountMinor = given.integer("amount") ?? 0;
  const currency = readCurrency(given.text("currency"));
  checkAmount(amountMinor, currency, "amount");
  const terms = { description: given.text("description"), metadata: given.texts("metadata") };
  const row = payments.makeIntent({ amountMinor, currency, session: null, ...terms });
  return intentObject(account, row, pages);
}

function confirmIntent({ account, payments, pages }: Vendor, given: Params, id: string): object {
  const intent = account.intents.get(id);
  requireOwn(intent, "confirm");
  if (intent.status !== "requires_payment_method" && intent.status !== "requires_action") {
    throw unexpectedState(intentObject(account, intent, pages), "confirm");
  }
  const returnUrl = given.text("return_url");
  if (returnUrl === null) throw missingParameter("return_url");
  const [token, param] = methodOf(given);
  if (token === null) {
    const message = "You cannot confirm this PaymentIntent because it's missing a payment method.";
    throw invalid(message, { code: "payment_intent_unexpected_state" });
  }
  payments.pay(intent, payments.payerOf(token, param), returnUrl);
  const { decline, charge } = intent;
  if (decline === null) return intentObject(account, intent, pages);
  throw new StripeRefusal(402, {
    type: "card_error",
    code: decline.code,
    ...(decline.declineCode === null ? {} : { decline_code: decline.declineCode }),
    message: decline.message,
    ...(decline.param === null ? {} : { param: decline.param }),
    ...(charge === null ? {} : { charge }),
    payment_intent: intentObject(account, intent, pages),
  });
}

/** The card that a confirmation names, and by which parameter. */
export function methodOf(given: Params): [token: string | null, param: string] {
  const ways = [
    ["payment_method"],
    ["confirmation_token"],
    ["payment_method_data", "card", "token"],
  ] as const;
  const way = ways.find((path) => given.text(...path) !== null) ?? ways[0];
  return [given.text(...way), way.length === 1 ? way[0] : "payment_method_data[card][token]"];
}

function cancelIntent({ account, payments, pages }: Vendor, given: Params, id: string): object {
  const intent = account.intents.get(id);
  requireOwn(intent, "cancel");
  if (intent.status === "succeeded" || intent.status === "canceled") {
    throw unexpectedState(intentObject(account, intent, pages), "cancel");
  }
  payments.cancel(intent, given.text("cancellation_reason"));
  return intentObject(account, intent, pages);
}

function requireOwn({ session }: IntentRow, act: string): void {
  if (session === null) return;
  throw invalid(`You cannot ${act} the PaymentIntent for a Checkout Session.`);
}

function unexpectedState(payment_intent: { readonly status: string }, act: string) {
  const { status } = payment_intent;
  const message = `You cannot ${act} this PaymentIntent because it has a status of ${status}.`;
  return invalid(message, { code: "payment_intent_unexpected_state", payment_intent });
}

function createRefund({ account, dashboard }: Vendor, given: Params): object {
  const charge = given.text("charge");
  const intent =
    given.text("payment_intent") ??
    (charge === null ? null : account.charges.get(charge, "charge").intent);
  if (intent === null) {
    throw invalid("One of the following params should be provided: payment_intent or charge.");
  }
  const row = dashboard.refund(intent, {
    amountMinor: given.integer("amount"),
    reason: given.text("reason"),
    metadata: given.texts("metadata"),
  });
  return refundObject(account, row);
}

function isOfPayment(given: Params) {
  return (one: { readonly created: number }) =>
    isInRange(one.created, given, "created") && hasAsked(one, given, ["payment_intent", "charge"]);
}

/** Those of a payout are the movements that it is made of, and the payout's own. */
function listTransactions({ account }: Vendor, given: Params): object {
  const payout = given.text("payout");
  const all = transactions(account).filter(
    (one, place) =>
      (payout === null || account.books.entries[place]?.payout === payout) &&
      isInRange(one.created, given, "created") &&
      hasAsked(one, given, ["currency", "source", "type"]),
  );
  return listPage(all, given, "/v1/balance_transactions");
}

function createEndpoint({ account }: Vendor, given: Params): object {
  const row = account.endpoints.add({
    id: account.newId("we"),
    createdAt: account.now(),
    url: given.text("url") ?? "",
    secret: account.newId("whsec", 32),
    events: given.list("enabled_events"),
    apiVersion: given.text("api_version"),
    description: given.text("description"),
    metadata: given.texts("metadata"),
  });
  return endpointObject(account, row, true);
}
