// The routes of disputes. They are answered at the gateway.

import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { disputeRows } from "#payments/rows/dispute-queries.ts";
import { disputeNotFound } from "#payments/rows/dispute.ts";
import { listDisputes } from "#payments/rows/lookups.ts";
import { disputeQuerySchema, disputeWire, readDisputeQuery } from "#payments/rows/schema.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { listRoute, readRoute, type Route } from "#platform/http/contract/route.ts";

const tag = "Disputes";

export const disputeRoutes: readonly Route<PaymentsShop>[] = [
  listRoute({
    method: "GET",
    path: "/v2/disputes",
    operationId: "listDisputes",
    tag,
    summary: "List disputes, newest first",
    description:
      "`status=warning,open` is what waits for an answer, which is given at the gateway until `due_at`.",
    scopes: ["payments:read"],
    query: disputeQuerySchema,
    response: disputeWire,
    handler: (db, { query, page }) => listDisputes(db, readDisputeQuery(query), page),
  }),
  readRoute({
    method: "GET",
    path: "/v2/disputes/{id}",
    operationId: "retrieveDispute",
    tag,
    summary: "Retrieve a dispute",
    scopes: ["payments:read"],
    params: { id: pathId("dispute", disputeNotFound) },
    response: disputeWire,
    handler: (db, { params: { id } }) => disputeRows.get(db, id),
  }),
];
