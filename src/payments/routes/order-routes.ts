// The routes that cancel units and take them back, which reduce a sale of which a part was written off, and those that
// preview a change of an order: each takes its body, refuses what it refuses, and changes nothing.

import { staleVersion } from "#kernel/change.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import {
  type AboveLimit,
  lockAllowance,
  needsApproval,
  type RefundAllowance,
  type Refunder,
  refundLimitExceeded,
} from "#payments/refunds/refund-limits.ts";
import { openOrderRefunds } from "#payments/refunds/refund-order.ts";
import { refundSurplus } from "#payments/refunds/refund-surplus.ts";
import type { Asker } from "#payments/refunds/stuck-refunds.ts";
import { paymentDisputed } from "#payments/rows/dispute.ts";
import { refundExceedsCaptured } from "#payments/rows/refund.ts";
import { previewAct } from "#payments/settling/preview-act.ts";
import { reduceSale } from "#payments/settling/record-on-order.ts";
import type { Tx } from "#platform/database/database.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { type Route, workflowRoute, writeRoute } from "#platform/http/contract/route.ts";
import { formerly } from "#platform/http/contract/ways.ts";
import { cancelOrder } from "#sales/changing/cancel-order.ts";
import { type Returned, returnUnits } from "#sales/changing/returns.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import type { LinkTerms } from "#sales/links/link-token.ts";
import { lockWholeOrder } from "#sales/orders/lookups.ts";
import { orderWire, type ReturnedView, returnedWire, viewOrder } from "#sales/orders/schema.ts";
import {
  cancellationSchema,
  readCancellation,
  readReturnRequest,
  requireOnce,
  returnRequestSchema,
} from "#sales/routes/request-schema.ts";
import { surplusOf } from "#sales/rows/balance.ts";
import {
  invalidTransition,
  type Order,
  orderNotFound,
  type WholeOrder,
} from "#sales/rows/order.ts";

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
      const preview = await previewAct(shop, id, async (tx) => {
        const allowance = await lockAllowance(tx, caller);
        const cancellation = readCancellation(body);
        const { order } = await cancelOrder(tx, id, { cancellation, expected });
        return refundSurplus(tx, id, askerOf(order, { allowance, caller, body }));
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
        const allowance = await lockAllowance(tx, caller);
        const request = readReturnRequest(body);
        const { order } = await returnUnits(tx, id, { request, expected });
        return refundSurplus(tx, id, askerOf(order, { allowance, caller, body }));
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

interface Giver {
  readonly allowance: RefundAllowance | null;
  readonly caller: Refunder;
  readonly body: { readonly above_limit?: AboveLimit };
}

/** Returns who gives back what is overpaid of the order. Refuses with `refund_limit_exceeded`. */
function askerOf(order: Order, { allowance, caller, body }: Giver): Asker {
  const { above_limit: aboveLimit = "refuse" } = body;
  const surplus = { ...surplusOf(order), at: "/refund", aboveLimit } as const;
  return { actorId: caller.lineage, needsApproval: needsApproval(allowance, surplus) };
}

/**
 * Afterwards what is overpaid has refunds that count against the caller's limit, or wait for an approval; without a limit
 * a timer opens them. Refuses with `refund_limit_exceeded`.
 */
async function giveBackWithin(tx: Tx, done: WholeOrder, giver: Giver): Promise<WholeOrder> {
  if (giver.allowance === null) return done;
  const { order } = done;
  await refundSurplus(tx, order.id, askerOf(order, giver));
  return lockWholeOrder(tx, order.id);
}

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
      const allowance = await lockAllowance(tx, caller);
      const cancellation = readCancellation(body);
      const done = await reduceSale(tx, await cancelOrder(tx, id, { cancellation, expected }));
      const after = await giveBackWithin(tx, done, { allowance, caller, body });
      return viewOrder(after, await getLinkTerms(tx));
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
      const allowance = await lockAllowance(tx, caller);
      const request = readReturnRequest(body);
      const returned = await reduceSale(tx, await returnUnits(tx, id, { request, expected }));
      const after = await giveBackWithin(tx, returned, { allowance, caller, body });
      return viewReturned({ ...returned, ...after }, await getLinkTerms(tx));
    },
  }),
];
