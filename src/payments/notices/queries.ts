// All SQL of the inbox of notices from gateways.

import { asc, lt, sql } from "drizzle-orm";

import { gatewayNotices as notices, type NoticeRow } from "#payments/payments/tables.ts";
import type { Tx } from "#platform/database/database.ts";
import { preparedWrite } from "#platform/database/prepared.ts";

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
