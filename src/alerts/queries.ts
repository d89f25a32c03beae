// SQL of alerts beside the statements of every record.

import { and, desc, eq, gt, lt, ne, or, sql } from "drizzle-orm";

import { defineRefusal } from "#kernel/refusal.ts";
import type { Reader } from "#platform/database/database.ts";
import {
  type Placeholders,
  prepared,
  preparedInsertIfFree,
  preparedWrite,
} from "#platform/database/prepared.ts";
import { versionedStatements } from "#platform/database/statements.ts";

import type { Alert } from "./alert.ts";
import { alerts } from "./tables.ts";

/** One refusal, so that a guess learns nothing. */
export const alertEnded = defineRefusal(
  "alert_ended",
  "not_found",
  "This link is not valid any more: it is older than a day, or was not made by this shop.",
);

/** Statements of the alert's row. */
export const alertRows = versionedStatements(alerts, alertEnded);

/** Inserts the alert, unless the person is told of the same by this way already. */
export const insertAlert = preparedInsertIfFree(alerts);

interface Same {
  readonly personId: string;
  readonly kind: string;
  readonly channel: string;
  readonly subscriptionId: string;
}

/** The alerts of one kind to one person by one way. */
const isSame = (at: Placeholders<Same>) =>
  and(
    eq(alerts.personId, at.personId),
    eq(alerts.kind, at.kind),
    eq(alerts.channel, at.channel),
    eq(alerts.subscriptionId, at.subscriptionId),
  );

const gathering = prepared<Same & { now: number }>()((db, at) =>
  db
    .select()
    .from(alerts)
    .where(and(isSame(at), eq(alerts.status, sql`'waiting'`), gt(alerts.gathersUntil, at.now)))
    .limit(1),
);

/** The alert in which others of the kind count, to the same person by the same way. */
export async function findGathering(
  db: Reader,
  same: Same & { readonly now: number },
): Promise<Alert | undefined> {
  return (await gathering(db, same))[0];
}

/** Counts one more in the alert. */
export const countIn = preparedWrite<{ id: string }>()((tx, at) =>
  tx
    .update(alerts)
    .set({ count: sql`${alerts.count} + 1`, version: sql`${alerts.version} + 1` })
    .where(eq(alerts.id, at.id)),
);

const recent = prepared<Same & { after: string; rows: number }>()((db, at) =>
  db
    .select({ id: alerts.id })
    .from(alerts)
    .where(and(isSame(at), gt(alerts.id, at.after)))
    .limit(at.rows),
);

/** The alerts of the kind that came after this id, to the same person by the same way. */
export function listRecent(
  db: Reader,
  same: Same & { readonly after: string; readonly rows: number },
): Promise<{ readonly id: string }[]> {
  return recent(db, same);
}

const untold = prepared<{ personId: string; after: number; rows: number }>()((db, at) =>
  db
    .select()
    .from(alerts)
    .where(
      and(
        eq(alerts.personId, at.personId),
        gt(alerts.createdAt, at.after),
        ne(alerts.entryId, sql`''`),
        eq(alerts.channel, sql`'email'`),
        or(eq(alerts.status, sql`'skipped'`), eq(alerts.status, sql`'failed'`)),
      ),
    )
    .orderBy(desc(alerts.id))
    .limit(at.rows),
);

/** The alerts of the owner that no email told, made after this instant, newest first. */
export function listUntoldRows(
  db: Reader,
  terms: { readonly personId: string; readonly after: number; readonly rows: number },
): Promise<Alert[]> {
  return untold(db, terms);
}

/** Deletes what was made before this instant. */
export const dropAlertsBefore = preparedWrite<{ before: number }>()((tx, at) =>
  tx.delete(alerts).where(lt(alerts.createdAt, at.before)),
);
