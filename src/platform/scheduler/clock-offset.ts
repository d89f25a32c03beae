// How far the shop's clock was moved from the machine's, kept beside what was written under it.

import { sql } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import { prepared, preparedWrite } from "#platform/database/prepared.ts";
import { shopClock } from "#platform/database/tables.ts";

/** The table's only row. */
const ID = 1;

const onlyOffset = prepared()((db) => db.select().from(shopClock));
const upsert = preparedWrite<{ offsetMs: number }>()((tx, at) =>
  tx
    .insert(shopClock)
    .values({ id: ID, offsetMs: at.offsetMs })
    .onConflictDoUpdate({ target: shopClock.id, set: { offsetMs: sql`excluded.offset_ms` } }),
);

/** Milliseconds that the shop's clock is ahead of the machine's. */
export async function findClockOffset(db: Reader): Promise<number> {
  return (await onlyOffset(db, {}))[0]?.offsetMs ?? 0;
}

/** Afterwards the offset is what a restart begins with. */
export async function saveClockOffset(tx: Tx, offsetMs: number): Promise<void> {
  await upsert(tx, { offsetMs });
}
