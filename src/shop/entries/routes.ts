// The route of the audit log. Entries are written where requests are answered, and by commands.

import { listRoute, type Route } from "#platform/http/contract/route.ts";

import { listEntries } from "./list-entries.ts";
import { auditEntryWire, auditQuerySchema, readAuditQuery } from "./schema.ts";

export const auditRoutes: readonly Route[] = [
  listRoute({
    method: "GET",
    path: "/v2/audit",
    operationId: "listAuditEntries",
    tag: "Audit",
    summary: "List who did what, newest first",
    description:
      "Each request that changed something has an entry, and so has each command of the operator. Placing orders, filling carts and paying have none: the events of orders and payments name the actor. Retries that replay a stored response and refused requests have none either. Times are the machine's in both modes.",
    scopes: ["audit:read"],
    query: auditQuerySchema,
    response: auditEntryWire,
    handler: (db, { query, page }) => listEntries(db, readAuditQuery(query), page),
  }),
];
