// The stored offset of the shop's clock from the machine's, in the database that it applies to.

import { sql } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import { prepared, preparedWrite } from "#platform/database/prepared.ts";
import { shopClock } from "#platform/database/tables.ts";

/** The id of the only row. */
const ID = 1;

const onlyOffset = prepared()((db) => db.select().from(shopClock));
const upsert = preparedWrite<{ offsetMs: number }>()((tx, at) =>
  tx
    .insert(shopClock)
    .values({ id: ID, offsetMs: at.offsetMs })
    .onConflictDoUpdate({ target: shopClock.id, set: { offsetMs: sql`excluded.offset_ms` } }),
);

/** How far the shop's clock is ahead of the machine's, milliseconds. */
export async function findClockOffset(db: Reader): Promise<number> {
  return (await onlyOffset(db, {}))[0]?.offsetMs ?? 0;
}

/** Stores the offset, which survives a restart. */
export async function saveClockOffset(tx: Tx, offsetMs: number): Promise<void> {
  await upsert(tx, { offsetMs });
}
