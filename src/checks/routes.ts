// The route of what is missing in the shop and its server.

import { type Route, workflowRoute } from "#platform/http/contract/route.ts";
import { getStore } from "#shop/store/lookups.ts";

import type { ChecksShop } from "./check.ts";
import { waysOf } from "./readiness.ts";
import { checklistQuerySchema, checklistWire } from "./schema.ts";

export const checkRoutes: readonly Route<ChecksShop>[] = [
  workflowRoute({
    method: "GET",
    path: "/v2/checklist",
    operationId: "retrieveChecklist",
    tag: "Checklist",
    summary: "Retrieve what the shop and its server lack",
    description:
      "The list of the page “Go live” and of `duka doctor`. The checks run beside each other, each for at most five seconds. What they found is kept for a minute, but that of the area `shop`, which is read each time, as `ways` are. A test key reads the rows of the test shop.",
    scopes: ["store:write"],
    query: checklistQuerySchema,
    response: checklistWire,
    handler: async ({ listChecks, database, mode }, { query }) => ({
      checks: await listChecks(query.area),
      ways: waysOf(await getStore(database.read), mode),
    }),
  }),
];
