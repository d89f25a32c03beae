// The routes that cancel units and take them back, with the refunds of their money, and those that preview a change of an order: each takes its body, refuses what it refuses, and changes nothing.

import { staleVersion } from "#kernel/change.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { cancelWithMoney, takeBackWithMoney } from "#payments/refunds/credits.ts";
import { refundLimitExceeded } from "#payments/refunds/refund-limits.ts";
import { openOrderRefunds } from "#payments/refunds/refund-order.ts";
import { paymentDisputed } from "#payments/rows/dispute.ts";
import { refundExceedsCaptured } from "#payments/rows/refund.ts";
import { previewAct } from "#payments/settling/preview-act.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { type Route, workflowRoute, writeRoute } from "#platform/http/contract/route.ts";
import { formerly } from "#platform/http/contract/ways.ts";
import type { Returned } from "#sales/changing/returns.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import type { LinkTerms } from "#sales/links/link-token.ts";
import { orderWire, type ReturnedView, returnedWire, viewOrder } from "#sales/orders/schema.ts";
import {
  cancellationSchema,
  readCancellation,
  readReturnRequest,
  requireOnce,
  returnRequestSchema,
} from "#sales/routes/request-schema.ts";
import { invalidTransition, orderNotFound } from "#sales/rows/order.ts";

import { actPreviewWire, viewActPreview } from "./preview-schema.ts";
import { orderRefundRequestSchema, readOrderRefundRequest } from "./request-schema.ts";

const params = { id: pathId("order", orderNotFound) };
const tag = "Orders";
const description =
  "Takes the body of the operation that it previews, and refuses what that refuses. Nothing is changed: the response has the order as it would be, and what would go back of each payment.";

export const previewRoutes: readonly Route<PaymentsShop>[] = [
  workflowRoute({
    method: "POST",
    path: "/v2/orders/{id}/cancel/preview",
    operationId: "previewCancellation",
    tag,
    summary: "Preview the cancellation of an order",
    description,
    audit: false,
    scopes: ["orders:write"],
    params,
    body: cancellationSchema,
    response: actPreviewWire,
    refusals: [staleVersion, invalidTransition, refundLimitExceeded],
    handler: async (shop: PaymentsShop, { params: { id }, body, ifMatch: expected, caller }) => {
      const request = readCancellation(body);
      const change = { request, expected, caller, aboveLimit: body.above_limit };
      const preview = await previewAct(
        shop,
        id,
        async (tx) => (await cancelWithMoney(tx, id, change)).refunds,
      );
      return viewActPreview(preview, await getLinkTerms(shop.database.read));
    },
  }),
  workflowRoute({
    method: "POST",
    path: "/v2/orders/{id}/returns/preview",
    operationId: "previewReturn",
    tag,
    summary: "Preview a return of shipped units",
    description,
    audit: false,
    scopes: ["orders:write"],
    alsoScopes: ["payments:write"],
    params,
    body: returnRequestSchema,
    response: actPreviewWire,
    refusals: [staleVersion, refundLimitExceeded],
    handler: async (shop: PaymentsShop, { params: { id }, body, ifMatch: expected, caller }) => {
      const request = readReturnRequest(body);
      const change = { request, expected, caller, aboveLimit: body.above_limit };
      const preview = await previewAct(
        shop,
        id,
        async (tx) => (await takeBackWithMoney(tx, id, change)).refunds,
      );
      return viewActPreview(preview, await getLinkTerms(shop.database.read));
    },
  }),
  workflowRoute({
    method: "POST",
    path: "/v2/orders/{id}/refunds/preview",
    operationId: "previewRefund",
    tag,
    summary: "Preview the refund of an order",
    description,
    audit: false,
    scopes: ["payments:write"],
    params,
    body: orderRefundRequestSchema,
    response: actPreviewWire,
    refusals: [refundExceedsCaptured, paymentDisputed, refundLimitExceeded],
    handler: async (shop: PaymentsShop, { params: { id }, body, caller }) => {
      const { gateways } = shop;
      const request = { ...readOrderRefundRequest(body, { idempotent: null, caller }), gateways };
      const preview = await previewAct(shop, id, async (tx) => openOrderRefunds(tx, id, request));
      return viewActPreview(preview, await getLinkTerms(shop.database.read));
    },
  }),
];

/** Returns the row of which `returnedWire` makes the response. */
function viewReturned({ row, ...order }: Returned, terms: LinkTerms): ReturnedView {
  return { ...row, currency: order.order.currency, order: viewOrder(order, terms) };
}

export const creditRoutes: readonly Route[] = [
  writeRoute({
    method: "POST",
    path: "/v2/orders/{id}/cancel",
    also: [formerly("PUT", "/v2/orders/{id}/cancel", { instead: "Use `POST`." })],
    operationId: "cancelOrder",
    tag,
    summary: "Cancel an order, in whole or in part",
    description:
      "Cancels the open units, or those of `line_items`, and releases their stock. The order is cancelled if nothing has shipped and nothing is left to ship.",
    scopes: ["orders:write"],
    params,
    body: cancellationSchema,
    response: orderWire,
    refusals: [staleVersion, invalidTransition, refundLimitExceeded],
    handler: async (tx, { params: { id }, body, ifMatch: expected, idempotent, caller }) => {
      requireOnce(body, { expected, idempotent });
      const request = readCancellation(body);
      const change = { request, expected, caller, aboveLimit: body.above_limit };
      const { done } = await cancelWithMoney(tx, id, change);
      return viewOrder(done, await getLinkTerms(tx));
    },
  }),
  writeRoute({
    method: "POST",
    path: "/v2/orders/{id}/returns",
    operationId: "createReturn",
    tag,
    summary: "Create a return of shipped units",
    description:
      "With `restock`, the units return to stock. `refund` says how much of the money for them goes back to the customer; the rest is kept.",
    audit: { subject: async (_, { id }) => id },
    scopes: ["orders:write"],
    alsoScopes: ["payments:write"],
    params,
    body: returnRequestSchema,
    response: returnedWire,
    status: 201,
    location: (returned) => `/v2/orders/${returned.orderId}/returns`,
    refusals: [staleVersion, refundLimitExceeded],
    handler: async (tx, { params: { id }, body, ifMatch: expected, caller }) => {
      const request = readReturnRequest(body);
      const change = { request, expected, caller, aboveLimit: body.above_limit };
      const { done } = await takeBackWithMoney(tx, id, change);
      return viewReturned(done, await getLinkTerms(tx));
    },
  }),
];
