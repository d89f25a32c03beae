// The routes of payouts. Gateways list them; the shop reads the lists each hour.

import { toPage } from "#kernel/page.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { getWholePayout, listPayoutRows } from "#payments/rows/payout-queries.ts";
import {
  payoutQuerySchema,
  payoutWire,
  readPayoutQuery,
  viewPayout,
  wholePayoutWire,
} from "#payments/rows/payout-schema.ts";
import { payoutNotFound } from "#payments/rows/payout.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { listRoute, readRoute, type Route } from "#platform/http/contract/route.ts";

const tag = "Payouts";

export const payoutRoutes: readonly Route<PaymentsShop>[] = [
  listRoute({
    method: "GET",
    path: "/v2/payouts",
    operationId: "listPayouts",
    tag,
    summary: "List payouts, newest first",
    description:
      "Money that left a gateway and reached the bank. The lists of the gateways are read each hour, and when a gateway tells of a payout.",
    scopes: ["payments:read"],
    query: payoutQuerySchema,
    response: payoutWire,
    handler: async (db, { query, page }) =>
      toPage(await listPayoutRows(db, readPayoutQuery(query), page), page.limit),
  }),
  readRoute({
    method: "GET",
    path: "/v2/payouts/{id}",
    operationId: "retrievePayout",
    tag,
    summary: "Retrieve a payout with its lines",
    scopes: ["payments:read"],
    params: { id: pathId("payout", payoutNotFound) },
    response: wholePayoutWire,
    handler: async (db, { params: { id } }) => viewPayout(await getWholePayout(db, id)),
  }),
];
