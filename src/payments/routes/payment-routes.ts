// The routes of payments, and of refunds of an order.

import { mapPage } from "#kernel/page.ts";
import { acceptPayment } from "#payments/attempts/accept-payment.ts";
import { closePayment } from "#payments/attempts/close-payment.ts";
import { type Initialized, initializePayment } from "#payments/attempts/initialize-payment.ts";
import { confirmPayment, correctPayment } from "#payments/attempts/manual-payments.ts";
import { pollBriefly } from "#payments/attempts/poll-payment.ts";
import {
  tooManyAttempts,
  tooManyPayments,
  tooManyPrompts,
} from "#payments/attempts/public-attempts.ts";
import { recordOrderPayment } from "#payments/attempts/record-money.ts";
import { submitOtp } from "#payments/attempts/submit-otp.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { refundLimitExceeded } from "#payments/refunds/refund-limits.ts";
import { refundOrder } from "#payments/refunds/refund-order.ts";
import { refundPayment } from "#payments/refunds/refund-payment.ts";
import { paymentDisputed } from "#payments/rows/dispute.ts";
import {
  findPaymentId,
  getReachable,
  hasTakenMoney,
  listPayments,
} from "#payments/rows/lookups.ts";
import {
  amountMismatch,
  attemptOpen,
  confirmationDiffers,
  gatewayNotConfigured,
  gatewayUnavailable,
  orderPaidAlready,
  paymentInReview,
  paymentNotFound,
  referenceTaken,
  transactionSeen,
} from "#payments/rows/payment.ts";
import { refundExceedsCaptured } from "#payments/rows/refund.ts";
import {
  orderRefundWire,
  paymentWire,
  refundWire,
  viewOrderRefund,
  viewPayment,
} from "#payments/rows/schema.ts";
import type { AuditTerms } from "#platform/http/contract/audit-terms.ts";
import { pathId, type PathParameter } from "#platform/http/contract/path.ts";
import { walkedList } from "#platform/http/contract/refusals.ts";
import {
  Existing,
  listRoute,
  type Route,
  workflowRoute,
  writeRoute,
} from "#platform/http/contract/route.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { invalidTransition, orderNotFound } from "#sales/rows/order.ts";
import { receivingAccounts } from "#shop/settings/receiving-account-schema.ts";
import { noWayToPay, paymentMethodUnavailable } from "#shop/store/payment-methods.ts";

import {
  acceptanceSchema,
  confirmationSchema,
  correctionSchema,
  orderPaymentSchema,
  orderRefundRequestSchema,
  otpSchema,
  paymentQuerySchema,
  paymentRequestSchema,
  readAcceptance,
  readOrderPayment,
  readOrderRefundRequest,
  readPaymentQuery,
  readPaymentRequest,
  readRefundRequest,
  readTold,
  refundRequestSchema,
} from "./request-schema.ts";

const PATTERN = "^[A-Za-z0-9._=-]{1,80}$";
const shape = new RegExp(PATTERN);

/** The caller's own reference or the payment's id; a reference cannot look like an id. */
const reference: PathParameter<string> = {
  pattern: PATTERN,
  description: "The payment's reference or its id.",
  notFound: paymentNotFound,
  accepts: (text): text is string => shape.test(text),
};
const params = { ref: reference };
const audit: AuditTerms<{ readonly ref: string }> = {
  subject: (db, { ref }) => findPaymentId(db, ref),
};
const tag = "Payments";

function answer({ whole, isExisting }: Initialized) {
  const body = viewPayment(whole);
  return isExisting ? new Existing(body) : body;
}

/** An account that took money stays, so that its payments can be looked up. */
export const receivingAccountRoutes = receivingAccounts.routesKeeping({
  isNeeded: hasTakenMoney,
  becomes: { active: false },
});

export const paymentRoutes: readonly Route<PaymentsShop>[] = [
  listRoute({
    method: "GET",
    path: "/v2/payments",
    operationId: "listPayments",
    tag,
    summary: "List payments, newest first",
    scopes: ["payments:read"],
    query: paymentQuerySchema,
    response: paymentWire,
    ...walkedList,
    handler: async (db, { query, page, now }) =>
      mapPage(await listPayments(db, readPaymentQuery(query, now), page), viewPayment),
  }),
  workflowRoute({
    method: "POST",
    path: "/v2/payments/initialize",
    operationId: "initializePayment",
    tag,
    summary: "Initialize a payment for an order or a payment link",
    description:
      "A declined attempt is returned as created, with `status: failed`. After `gateway_unavailable`, retry with the same " +
      "idempotency key to continue. Once an order is paid, its other open attempts are cancelled.",
    audit: false,
    scopes: ["payments:write", "payments:use"],
    body: paymentRequestSchema,
    response: paymentWire,
    status: 201,
    location: (payment) => `/v2/payments/${payment.id}`,
    existing:
      "An open attempt with the same order, method and phone or card, or with the same reference.",
    refusals: [
      paymentMethodUnavailable,
      noWayToPay,
      gatewayNotConfigured,
      gatewayUnavailable,
      referenceTaken,
      attemptOpen,
      paymentInReview,
      orderPaidAlready,
      invalidTransition,
      tooManyAttempts,
      tooManyPayments,
      tooManyPrompts,
    ],
    handler: async (shop, { body, caller, idempotent, finish }) => {
      const request = readPaymentRequest(body, caller);
      return answer(
        await initializePayment(shop, request, {
          idempotent,
          finish: (story) => finish(story, answer),
        }),
      );
    },
  }),
  workflowRoute({
    method: "GET",
    path: "/v2/payments/{ref}",
    operationId: "retrievePayment",
    tag,
    summary: "Retrieve a payment",
    description:
      "While the payment is open, polls the gateway at most every ten seconds, and waits four seconds for its answer.",
    scopes: ["payments:read", "payments:use"],
    params,
    response: paymentWire,
    handler: async (shop, { params: { ref }, caller }) =>
      viewPayment(
        await pollBriefly(shop, await getReachable(shop.database.read, ref, caller), "read"),
      ),
  }),
  workflowRoute({
    method: "POST",
    path: "/v2/payments/{ref}/otp",
    operationId: "submitPaymentOtp",
    tag,
    summary: "Submit the one-time code that the customer received",
    description:
      "No trace of the code is kept. Another code needs another idempotency key: the same key answers as before.",
    audit: false,
    fleeting: ["otp"],
    scopes: ["payments:write", "payments:use"],
    params,
    body: otpSchema,
    response: paymentWire,
    refusals: [invalidTransition, gatewayUnavailable],
    handler: async (shop, { params: { ref }, body, caller }) =>
      viewPayment(
        await submitOtp(shop, await getReachable(shop.database.read, ref, caller), body.otp),
      ),
  }),
  workflowRoute({
    method: "POST",
    path: "/v2/payments/{ref}/cancel",
    operationId: "cancelPayment",
    tag,
    summary: "Cancel an open attempt",
    description:
      "Money that arrives later still counts if the order has an amount due; otherwise it is refunded.",
    audit,
    scopes: ["payments:write", "payments:use"],
    params,
    response: paymentWire,
    refusals: [invalidTransition],
    handler: async (shop, { params: { ref }, caller }) =>
      viewPayment(
        await closePayment(shop, await getReachable(shop.database.read, ref, caller), "cancel"),
      ),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/payments/{ref}/confirm",
    operationId: "confirmPayment",
    tag,
    summary: "Confirm that money by hand arrived, such as cash or a bank transfer",
    description:
      "Records what really came: less than the payment's amount, more, or money for an order that was cancelled or paid meanwhile, which you hand back.",
    audit,
    scopes: ["payments:write"],
    params,
    body: confirmationSchema,
    response: paymentWire,
    refusals: [invalidTransition, amountMismatch, confirmationDiffers, transactionSeen],
    handler: async (tx, { params: { ref }, body, caller: { mode } }) => {
      const { amount, currency } = body;
      const told = readTold(body);
      return viewPayment(await confirmPayment(tx, ref, { amount, currency, told, mode }));
    },
  }),
  writeRoute({
    method: "POST",
    path: "/v2/payments/{ref}/accept",
    operationId: "acceptPayment",
    tag,
    summary: "Accept a payment in review",
    description:
      "The money counts as it came. Money in another currency counts as the `amount` that it stands for, and `received` " +
      "keeps what came. With `write_off`, what is still due is written off; otherwise the order can be paid for as long as a new one.",
    audit,
    scopes: ["payments:write"],
    params,
    body: acceptanceSchema,
    response: paymentWire,
    refusals: [invalidTransition],
    handler: async (tx, { params: { ref }, body, caller }) =>
      viewPayment(await acceptPayment(tx, ref, readAcceptance(body, caller))),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/payments/{ref}/correct",
    operationId: "correctPayment",
    tag,
    summary: "Correct the amount of a payment that was confirmed by hand",
    description:
      "The amount is what really came, and not below the refunds of the payment. An order that was announced as paid " +
      "stays paid, with nothing due.",
    audit,
    scopes: ["payments:write"],
    params,
    body: correctionSchema,
    response: paymentWire,
    refusals: [invalidTransition],
    handler: async (tx, { params: { ref }, body: { amount, note = null } }) =>
      viewPayment(await correctPayment(tx, ref, { amount, note })),
  }),
  workflowRoute({
    method: "POST",
    path: "/v2/payments/{ref}/refunds",
    operationId: "refundPayment",
    tag,
    summary: "Refund a payment in full or in part",
    audit,
    scopes: ["payments:write"],
    params,
    body: refundRequestSchema,
    response: refundWire,
    status: 201,
    location: (refund) => `/v2/payments/${refund.paymentId}`,
    refusals: [invalidTransition, refundExceedsCaptured, paymentDisputed, refundLimitExceeded],
    handler: async (shop, { params: { ref }, body, idempotent, caller }) =>
      refundPayment(shop, ref, readRefundRequest(body, { idempotent, caller })),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/orders/{id}/payments",
    operationId: "createOrderPayment",
    tag: "Orders",
    summary: "Record a payment of an order that came by hand",
    description:
      "Records money that is there, whatever the state of the order: what is not owed is `overpaid`, a write-off is taken back first, and money of a cancelled order has a refund that waits to be handed back.",
    scopes: ["payments:write"],
    params: { id: pathId("order", orderNotFound) },
    body: orderPaymentSchema,
    response: paymentWire,
    status: 201,
    location: (payment) => `/v2/payments/${payment.id}`,
    refusals: [transactionSeen],
    handler: async (tx, { params: { id }, body, caller: { mode } }) => {
      const money = { ...readOrderPayment(body), mode };
      return viewPayment(await recordOrderPayment(tx, id, money));
    },
  }),
  workflowRoute({
    method: "POST",
    path: "/v2/orders/{id}/refunds",
    operationId: "refundOrder",
    tag: "Orders",
    summary: "Refund an order by amount or by line items",
    scopes: ["payments:write"],
    params: { id: pathId("order", orderNotFound) },
    body: orderRefundRequestSchema,
    response: orderRefundWire,
    status: 201,
    location: (done) => `/v2/orders/${done.order.id}`,
    refusals: [refundExceedsCaptured, paymentDisputed, refundLimitExceeded],
    handler: async (shop, { params: { id }, body, idempotent, caller }) =>
      viewOrderRefund(
        await refundOrder(shop, id, readOrderRefundRequest(body, { idempotent, caller })),
        await getLinkTerms(shop.database.read),
      ),
  }),
];
