// The routes of returns, and of writing off what an order still owes.

import { staleVersion } from "#kernel/change.ts";
import { mapPage } from "#kernel/page.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { listRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";
import { surplusOf } from "#sales/balance/balance.ts";
import { refundLimitExceeded, requireRefundable } from "#sales/balance/require-refundable.ts";
import { writeOffOrder } from "#sales/balance/write-off-order.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import type { LinkTerms } from "#sales/links/link-token.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import { invalidTransition, orderNotFound } from "#sales/orders/order.ts";
import { orderWire, viewOrder } from "#sales/orders/schema.ts";

import { listReturns } from "./queries.ts";
import { readReturnRequest, returnRequestSchema, writeOffSchema } from "./request-schema.ts";
import { returnUnits } from "./return-units.ts";
import { type ReturnedView, returnedWire, returnWire } from "./schema.ts";
import type { Returned } from "./take-back.ts";

const params = { id: pathId("order", orderNotFound) };
const tag = "Orders";

/** Returns the row of which `returnedWire` makes the response. */
function viewReturned({ row, ...order }: Returned, terms: LinkTerms): ReturnedView {
  return { ...row, currency: order.order.currency, order: viewOrder(order, terms) };
}

export const returnRoutes: readonly Route[] = [
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
      const returned = await returnUnits(tx, id, { request: readReturnRequest(body), expected });
      await requireRefundable(tx, caller, { ...surplusOf(returned.order), at: "/refund" });
      return viewReturned(returned, await getLinkTerms(tx));
    },
  }),
  listRoute({
    method: "GET",
    path: "/v2/orders/{id}/returns",
    operationId: "listReturns",
    tag,
    summary: "List the returns of an order, newest first",
    scopes: ["orders:read"],
    params,
    response: returnWire,
    handler: async (db, { params: { id }, page }) => {
      const { currency } = (await getOrder(db, id)).order;
      return mapPage(await listReturns(db, id, page), (row) => ({ ...row, currency }));
    },
  }),
  writeRoute({
    method: "POST",
    path: "/v2/orders/{id}/write-off",
    operationId: "writeOffOrder",
    tag,
    summary: "Write off what an order still owes",
    description:
      "A shipped order without an amount due is completed. Late money takes the write-off back first.",
    scopes: ["orders:write"],
    alsoScopes: ["payments:write"],
    params,
    body: writeOffSchema,
    response: orderWire,
    refusals: [staleVersion, invalidTransition],
    handler: async (tx, { params: { id }, body, ifMatch: expected }) =>
      viewOrder(
        await writeOffOrder(tx, id, {
          writeOff: { amount: body.amount, note: body.note ?? null },
          expected,
        }),
        await getLinkTerms(tx),
      ),
  }),
];
