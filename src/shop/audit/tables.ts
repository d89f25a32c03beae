// The audit log: who did what, written in the transaction of the change. Append-only, except that the network
// of the client is deleted after a time, and that an entry of failures counts those that follow it.

import { sql } from "drizzle-orm";

import { defineKind } from "#kernel/id.ts";
import { index, json, text, time } from "#platform/database/kit.ts";
import { id, plain, record, type RowOf } from "#platform/database/record.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    audit: "aud";
  }
}
defineKind("audit", "aud", "audit entry");

export const auditEntries = record(
  "audit_entries",
  {
    id: id("audit").primaryKey(),
    /** The id of an API key; `operator` for the command line, `system` for the shop itself. */
    actor: plain(text().notNull()),
    /** The name that the key had, or the user of the operating system. */
    actorName: plain(text()),
    /** The operation id of a request, or the words of a command. */
    action: plain(text().notNull()),
    /** The id of the record that was acted on. */
    subject: plain(text()),
    changedFields: plain(json().$type<readonly string[]>().notNull()),
    /** JSON text, which keeps every digit of an amount; null where no values are kept. */
    before: plain(text()),
    after: plain(text()),
    requestId: plain(text()),
    clientNetwork: plain(text()),
    createdAt: time().notNull(),
  },
  (row) => [
    index("audit_entries_actor_index").on(row.actor, row.id),
    index("audit_entries_action_index").on(row.action, row.id),
    index("audit_entries_subject_index")
      .on(row.subject, row.id)
      .where(sql`subject IS NOT NULL`),
    index("audit_entries_network_index")
      .on(row.id)
      .where(sql`client_network IS NOT NULL`),
  ],
);

export type AuditEntry = RowOf<typeof auditEntries>;
