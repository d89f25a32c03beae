// The routes of magic values, and of deciding a simulated payment; with a live key they do not exist.

import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { findPaymentId } from "#payments/rows/lookups.ts";
import { paymentNotFound } from "#payments/rows/payment.ts";
import { paymentWire, viewPayment } from "#payments/rows/schema.ts";
import type { AuditTerms } from "#platform/http/contract/audit-terms.ts";
import type { PathParameter } from "#platform/http/contract/path.ts";
import { readRoute, type Route, workflowRoute } from "#platform/http/contract/route.ts";
import { invalidTransition } from "#sales/rows/order.ts";

import { decidePayment } from "./decide-payment.ts";
import { declineSchema, magicListSchema, presentMagic } from "./magic-schema.ts";
import { magicValues } from "./magic.ts";

/** The payment's id or the caller's own reference. */
const reference: PathParameter<string> = {
  pattern: "^[A-Za-z0-9._=-]{1,80}$",
  description: "The payment's reference or its id.",
  notFound: paymentNotFound,
  accepts: (text): text is string => /^[A-Za-z0-9._=-]{1,80}$/.test(text),
};

const audit: AuditTerms<{ readonly ref: string }> = {
  subject: (db, { ref }) => findPaymentId(db, ref),
};

const terms = { tag: "Sandbox", scopes: ["sandbox:use"], isTestOnly: true } as const;
const acting = {
  ...terms,
  audit,
  params: { ref: reference },
  response: paymentWire,
  refusals: [paymentNotFound, invalidTransition],
};

export const magicRoutes: readonly Route<PaymentsShop>[] = [
  readRoute({
    ...terms,
    method: "GET",
    path: "/v2/test/magic",
    operationId: "listMagicValues",
    summary: "List the card tokens and phone numbers that simulate an outcome",
    description: "Any other phone number approves and pays after 5 seconds.",
    response: magicListSchema,
    handler: async () => presentMagic(magicValues),
  }),
  workflowRoute({
    ...acting,
    method: "POST",
    path: "/v2/test/payments/{ref}/approve",
    operationId: "approveTestPayment",
    summary: "Approve a simulated payment in place of its customer",
    handler: async (shop, { params: { ref } }) =>
      viewPayment(await decidePayment(shop, ref, { decision: "approved", failureCode: null })),
  }),
  workflowRoute({
    ...acting,
    method: "POST",
    path: "/v2/test/payments/{ref}/decline",
    operationId: "declineTestPayment",
    summary: "Decline a simulated payment in place of its customer or bank",
    body: declineSchema,
    handler: async (shop, { params: { ref }, body: { failure_code: failureCode = "declined" } }) =>
      viewPayment(await decidePayment(shop, ref, { decision: "declined", failureCode })),
  }),
];
