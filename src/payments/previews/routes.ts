// The routes that preview a change of an order. Each takes the body of the change, refuses what it refuses, and changes
// nothing.

import { staleVersion } from "#kernel/change.ts";
import { paymentDisputed } from "#payments/disputes/dispute.ts";
import { openOrderRefunds } from "#payments/order-refunds/open-order-refunds.ts";
import { refundSurplus } from "#payments/order-refunds/refund-surplus.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import {
  orderRefundRequestSchema,
  readOrderRefundRequest,
} from "#payments/payments/request-schema.ts";
import { refundExceedsCaptured } from "#payments/refunds/refund.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { type Route, workflowRoute } from "#platform/http/contract/route.ts";
import { cancelOrder } from "#sales/changing/cancel-order.ts";
import { refundLimitExceeded, requireRefundable } from "#sales/changing/require-refundable.ts";
import { returnUnits } from "#sales/changing/returns.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import {
  cancellationSchema,
  readCancellation,
  readReturnRequest,
  returnRequestSchema,
} from "#sales/routes/request-schema.ts";
import { surplusOf } from "#sales/rows/balance.ts";
import { invalidTransition, orderNotFound } from "#sales/rows/order.ts";

import { previewAct } from "./preview-act.ts";
import { actPreviewWire, viewActPreview } from "./schema.ts";

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
      const preview = await previewAct(shop, id, async (tx) => {
        const cancellation = readCancellation(body);
        const { order } = await cancelOrder(tx, id, { cancellation, expected });
        await requireRefundable(tx, caller, { ...surplusOf(order), at: "/refund" });
        return refundSurplus(tx, id);
      });
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
      const preview = await previewAct(shop, id, async (tx) => {
        const request = readReturnRequest(body);
        const { order } = await returnUnits(tx, id, { request, expected });
        await requireRefundable(tx, caller, { ...surplusOf(order), at: "/refund" });
        return refundSurplus(tx, id);
      });
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
