// SQL of the audit log.

import { and, asc, desc, eq, gte, inArray, isNotNull, lt, sql } from "drizzle-orm";

import type { Id } from "#kernel/id.ts";
import type { PageRequest } from "#kernel/page.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import {
  prepared,
  preparedByFilters,
  preparedInsert,
  preparedWrite,
} from "#platform/database/prepared.ts";

import { auditEntries as entries, type AuditEntry } from "./tables.ts";

export const insertEntry: (tx: Tx, entry: AuditEntry) => Promise<void> = preparedInsert(entries);

/** The filters of the list. */
export interface AuditFilters {
  /** The id of a key, `operator` or `system`. */
  readonly actor?: string | undefined;
  readonly subject?: string | undefined;
  readonly action?: string | undefined;
  /** From this id, below that one. */
  readonly from?: Id<"audit"> | undefined;
  readonly below?: Id<"audit"> | undefined;
}

const entriesBy = preparedByFilters<
  AuditFilters & { readonly after: string | undefined; readonly rows: number }
>()((db, given) =>
  db
    .select()
    .from(entries)
    .where(
      and(
        given.has("actor") ? eq(entries.actor, given.one("actor")) : undefined,
        given.has("subject")
          ? and(eq(entries.subject, given.one("subject")), sql`subject IS NOT NULL`)
          : undefined,
        given.has("action") ? eq(entries.action, given.one("action")) : undefined,
        given.has("from") ? gte(entries.id, given.one("from")) : undefined,
        given.has("below") ? lt(entries.id, given.one("below")) : undefined,
        given.has("after") ? lt(entries.id, given.one("after")) : undefined,
      ),
    )
    .orderBy(desc(entries.id))
    .limit(given.one("rows")),
);

/** Entries, newest first; one row more than the page has. */
export function listEntryRows(
  db: Reader,
  filters: AuditFilters,
  { after, limit }: PageRequest,
): Promise<AuditEntry[]> {
  return entriesBy(db, { ...filters, after: after ?? undefined, rows: limit + 1 });
}

/** Entries of these actions from the id on, oldest first. */
export const entriesOfActions = preparedByFilters<{
  actions: readonly string[];
  from: string;
  rows: number;
}>()((db, given) =>
  db
    .select()
    .from(entries)
    .where(and(inArray(entries.action, given.each("actions")), gte(entries.id, given.one("from"))))
    .orderBy(asc(entries.id))
    .limit(given.one("rows")),
);

export const entryById = prepared<{ id: string }>()((db, at) =>
  db.select().from(entries).where(eq(entries.id, at.id)),
);

/** Sets the values after the act. */
export const setAfter = preparedWrite<{ id: string; after: string }>()((tx, at) =>
  tx
    .update(entries)
    .set({ after: sql`${at.after}` })
    .where(eq(entries.id, at.id)),
);

const dropNetworks = preparedWrite<{ before: string; limit: number }>()((tx, at) =>
  tx
    .update(entries)
    .set({ clientNetwork: sql`NULL` })
    .where(
      inArray(
        entries.id,
        tx
          .select({ id: entries.id })
          .from(entries)
          .where(and(lt(entries.id, at.before), isNotNull(entries.clientNetwork)))
          .orderBy(asc(entries.id))
          .limit(at.limit),
      ),
    )
    .returning({ id: entries.id }),
);

/** Deletes the networks of at most `limit` entries below the id, the oldest first; returns how many had one. */
export async function dropNetworksBelow(
  tx: Tx,
  before: Id<"audit">,
  limit: number,
): Promise<number> {
  return (await dropNetworks(tx, { before, limit })).length;
}

const dropActs = preparedWrite<{ action: string; before: string; limit: number }>()((tx, at) =>
  tx
    .delete(entries)
    .where(
      inArray(
        entries.id,
        tx
          .select({ id: entries.id })
          .from(entries)
          .where(and(eq(entries.action, at.action), lt(entries.id, at.before)))
          .orderBy(asc(entries.id))
          .limit(at.limit),
      ),
    )
    .returning({ id: entries.id }),
);

/** Deletes at most `limit` entries of the action below the id, the oldest first; returns how many. */
export async function dropActsBelow(
  tx: Tx,
  { action, before, limit }: { action: string; before: Id<"audit">; limit: number },
): Promise<number> {
  return (await dropActs(tx, { action, before, limit })).length;
}
