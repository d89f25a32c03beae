// The routes that list returns and write off what an order still owes. Creating a return may reduce the sale of its
// order, so it is a route of payments.

import { staleVersion } from "#kernel/change.ts";
import { mapPage } from "#kernel/page.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { listRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";
import { writeOffOrder } from "#sales/changing/write-offs.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import { listReturns } from "#sales/orders/return-queries.ts";
import { orderWire, returnWire, viewOrder } from "#sales/orders/schema.ts";
import { invalidTransition, orderNotFound } from "#sales/rows/order.ts";

import { writeOffSchema } from "./request-schema.ts";

const params = { id: pathId("order", orderNotFound) };
const tag = "Orders";

export const returnRoutes: readonly Route[] = [
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
