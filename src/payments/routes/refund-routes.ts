// The routes of refunds: the worklist of those that failed or need attention.

import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { approveRefund, declineRefund, ownRefund } from "#payments/refunds/approvals.ts";
import { refundLimitExceeded } from "#payments/refunds/refund-limits.ts";
import { cancelRefund, closeRefund, retryRefund } from "#payments/refunds/stuck-refunds.ts";
import { listRefunds } from "#payments/rows/lookups.ts";
import { refundRows } from "#payments/rows/refund-queries.ts";
import { refundExceedsCaptured, refundNotFound } from "#payments/rows/refund.ts";
import { refundWire } from "#payments/rows/schema.ts";
import { pathId } from "#platform/http/contract/path.ts";
import {
  listRoute,
  readRoute,
  type Route,
  workflowRoute,
  writeRoute,
} from "#platform/http/contract/route.ts";
import { invalidTransition } from "#sales/rows/order.ts";

import {
  readRefundQuery,
  refundCancellingSchema,
  refundClosingSchema,
  refundDecliningSchema,
  refundQuerySchema,
} from "./request-schema.ts";

const params = { id: pathId("refund", refundNotFound) };
const tag = "Refunds";

export const refundRoutes: readonly Route<PaymentsShop>[] = [
  listRoute({
    method: "GET",
    path: "/v2/refunds",
    operationId: "listRefunds",
    tag,
    summary: "List refunds, newest first",
    description:
      "`status=failed,needs_attention` is the worklist: refunds to retry, to hand back, to close or to cancel.",
    scopes: ["payments:read"],
    query: refundQuerySchema,
    response: refundWire,
    handler: (db, { query, page }) => listRefunds(db, readRefundQuery(query), page),
  }),
  readRoute({
    method: "GET",
    path: "/v2/refunds/{id}",
    operationId: "retrieveRefund",
    tag,
    summary: "Retrieve a refund",
    scopes: ["payments:read"],
    params,
    response: refundWire,
    handler: (db, { params: { id } }) => refundRows.get(db, id),
  }),
  workflowRoute({
    method: "POST",
    path: "/v2/refunds/{id}/retry",
    operationId: "retryRefund",
    tag,
    summary: "Retry a refund that failed",
    description:
      "Sets the amount aside again and sends the refund to its gateway as a new try. Refused if the amount was refunded otherwise meanwhile.",
    scopes: ["payments:write"],
    params,
    response: refundWire,
    refusals: [invalidTransition, refundExceedsCaptured, refundLimitExceeded],
    handler: (shop: PaymentsShop, { params: { id }, caller }) => retryRefund(shop, id, caller),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/refunds/{id}/close",
    operationId: "closeRefund",
    tag,
    summary: "Close a refund that was given back another way",
    description:
      "For a refund that failed or needs attention. It counts as refunded. Repeated with the same note, it changes nothing. If the gateway pays it later nevertheless, " +
      "`refund.needs_attention` says so with the reason `paid_twice`.",
    scopes: ["payments:write"],
    params,
    body: refundClosingSchema,
    response: refundWire,
    refusals: [invalidTransition, refundExceedsCaptured, refundLimitExceeded],
    handler: (tx, { params: { id }, body, caller }) =>
      closeRefund(tx, id, { note: body.note ?? null, method: body.method, caller }),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/refunds/{id}/cancel",
    operationId: "cancelRefund",
    tag,
    summary: "Cancel a refund that is not wanted any more",
    description:
      "For a refund that failed, or that waits to be handed back (`by_hand`), for example because the same money went back by another refund. It counts as nothing, and no cancellation and no return of the order tries it again. " +
      "Repeated with the same note, it changes nothing.",
    scopes: ["payments:write"],
    params,
    body: refundCancellingSchema,
    response: refundWire,
    refusals: [invalidTransition],
    handler: (tx, { params: { id }, body }) => cancelRefund(tx, id, body.note ?? null),
  }),
  workflowRoute({
    method: "POST",
    path: "/v2/refunds/{id}/approve",
    operationId: "approveRefund",
    tag,
    summary: "Approve a refund above the limit of who asked for it",
    description:
      "For a refund of the status `needs_approval`, by anyone with `refunds:write` but who asked for it. It is sent to its gateway; money by hand waits to be handed back (`by_hand`). Repeated, it changes nothing.",
    scopes: ["refunds:write"],
    params,
    response: refundWire,
    refusals: [invalidTransition, ownRefund],
    handler: (shop: PaymentsShop, { params: { id }, caller }) => approveRefund(shop, id, caller),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/refunds/{id}/decline",
    operationId: "declineRefund",
    tag,
    summary: "Decline a refund above the limit of who asked for it",
    description:
      "For a refund of the status `needs_approval`, by anyone with `refunds:write` but who asked for it. It is cancelled, and its amount can be refunded otherwise; units that came back or were cancelled stay so. Without a decision it is cancelled after 14 days. Repeated with the same note, it changes nothing.",
    scopes: ["refunds:write"],
    params,
    body: refundDecliningSchema,
    response: refundWire,
    refusals: [invalidTransition, ownRefund],
    handler: (tx, { params: { id }, body, caller: { lineage } }) =>
      declineRefund(tx, id, { lineage, note: body.note ?? null }),
  }),
];
