// SQL of alerts beside the statements of every record.

import { and, desc, eq, gt, lt, or, sql } from "drizzle-orm";

import { defineRefusal } from "#kernel/refusal.ts";
import type { Reader } from "#platform/database/database.ts";
import { prepared, preparedInsertIfFree, preparedWrite } from "#platform/database/prepared.ts";
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

/** Inserts the alert, unless its owner is told of the same in this hour already. */
export const insertAlert = preparedInsertIfFree(alerts);

const untold = prepared<{ personId: string; after: number; rows: number }>()((db, at) =>
  db
    .select()
    .from(alerts)
    .where(
      and(
        eq(alerts.personId, at.personId),
        gt(alerts.createdAt, at.after),
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
