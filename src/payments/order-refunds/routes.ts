// The routes that cancel units and take them back. They reduce a sale of which a part was written off, so they are
// routes of payments.

import { staleVersion } from "#kernel/change.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { type Route, writeRoute } from "#platform/http/contract/route.ts";
import { cancelOrder } from "#sales/changing/cancel-order.ts";
import { refundLimitExceeded, requireRefundable } from "#sales/changing/require-refundable.ts";
import { type Returned, returnUnits } from "#sales/changing/returns.ts";
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
import { surplusOf } from "#sales/rows/balance.ts";
import { invalidTransition, orderNotFound } from "#sales/rows/order.ts";

import { reduceSale } from "./reduce-sale.ts";

const params = { id: pathId("order", orderNotFound) };
const tag = "Orders";

/** Returns the row of which `returnedWire` makes the response. */
function viewReturned({ row, ...order }: Returned, terms: LinkTerms): ReturnedView {
  return { ...row, currency: order.order.currency, order: viewOrder(order, terms) };
}

export const creditRoutes: readonly Route[] = [
  writeRoute({
    method: "PUT",
    path: "/v2/orders/{id}/cancel",
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
      const cancellation = readCancellation(body);
      const done = await reduceSale(tx, await cancelOrder(tx, id, { cancellation, expected }));
      await requireRefundable(tx, caller, { ...surplusOf(done.order), at: "/refund" });
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
      const returned = await reduceSale(tx, await returnUnits(tx, id, { request, expected }));
      await requireRefundable(tx, caller, { ...surplusOf(returned.order), at: "/refund" });
      return viewReturned(returned, await getLinkTerms(tx));
    },
  }),
];
