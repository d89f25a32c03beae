// All SQL of the inbox of notices from gateways.

import { and, asc, desc, eq, lt, sql } from "drizzle-orm";

import { gatewayNotices as notices, type NoticeRow, payments } from "#payments/payments/tables.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { prepared, preparedWrite } from "#platform/database/prepared.ts";

const addNotice = preparedWrite<NoticeRow>()((tx, at) =>
  tx
    .insert(notices)
    .values({
      gateway: at.gateway,
      dedupKey: at.dedupKey,
      topic: at.topic,
      gatewayReference: at.gatewayReference,
      isIgnored: at.isIgnored,
      createdAt: at.createdAt,
    })
    .onConflictDoNothing()
    .returning({ dedupKey: notices.dedupKey }),
);

/** Puts a notice into the inbox; a copy of one that is there already is dropped. */
export async function saveNotice(tx: Tx, notice: NoticeRow): Promise<void> {
  await addNotice(tx, notice);
}

const dropNotices = preparedWrite<{ before: number; limit: number }>()((tx, at) => {
  const oldest = tx
    .select({ gateway: notices.gateway, dedupKey: notices.dedupKey })
    .from(notices)
    .where(lt(notices.createdAt, at.before))
    .orderBy(asc(notices.createdAt))
    .limit(at.limit);
  return tx
    .delete(notices)
    .where(sql`(${notices.gateway}, ${notices.dedupKey}) IN ${oldest}`)
    .returning({ dedupKey: notices.dedupKey });
});

/** Forgets at most `limit` notices that came before an instant (epoch milliseconds); says how many. */
export async function deleteNotices(tx: Tx, before: number, limit: number): Promise<number> {
  return (await dropNotices(tx, { before, limit })).length;
}

const newestNotice = prepared<{ gateway: string }>()((db, at) =>
  db
    .select({ createdAt: notices.createdAt })
    .from(notices)
    .where(eq(notices.gateway, at.gateway))
    .orderBy(desc(notices.createdAt))
    .limit(1),
);
const newestPaid = prepared<{ gateway: string; rows: number }>()((db, at) =>
  db
    .select({ noticedAt: payments.noticedAt })
    .from(payments)
    .where(and(eq(payments.gateway, at.gateway), sql`${payments.receivedMinor} IS NOT NULL`))
    .orderBy(desc(payments.id))
    .limit(at.rows),
);

/** When the last notice of the gateway came that was new; null if none did in the last 90 days. */
export async function findLastNotice(db: Reader, gateway: string): Promise<number | null> {
  return (await newestNotice(db, { gateway }))[0]?.createdAt ?? null;
}

/** Finds when the last notice of each of the gateway's newest paid payments came, null if none did. */
export async function findNoticesOfPaid(
  db: Reader,
  gateway: string,
  rows: number,
): Promise<(number | null)[]> {
  return (await newestPaid(db, { gateway, rows })).map(({ noticedAt }) => noticedAt);
}
