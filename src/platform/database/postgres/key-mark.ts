// Checks that all programs of a shared database seal secrets with the same key: a known text is
// stored, sealed. A program with another key is refused before it seals what the others cannot
// read.

import { eq, sql } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import { prepared, preparedWrite } from "#platform/database/prepared.ts";
import { vaultMarks } from "#platform/database/tables.ts";
import { OtherKey, SealBroken } from "#platform/vault/vault.ts";

/** The id of the only row. */
const ID = 1;
const KNOWN = "duka";

const markOf = prepared()((db) => db.select().from(vaultMarks).where(eq(vaultMarks.id, ID)));
const insert = preparedWrite<{ sealed: string }>()((tx, at) =>
  tx.insert(vaultMarks).values({ id: ID, sealed: at.sealed }),
);

const update = preparedWrite<{ sealed: string }>()((tx, at) =>
  tx
    .update(vaultMarks)
    .set({ sealed: sql`${at.sealed}` })
    .where(eq(vaultMarks.id, ID)),
);

/** Stores the mark if there is none. Throws OtherKey if it was sealed with another key. */
export async function requireSameKey(tx: Tx): Promise<void> {
  if (!(await requireMarkKey(tx))) await insert(tx, { sealed: tx.vault.seal(KNOWN) });
}

/** Returns whether there is a mark. Throws OtherKey if it was sealed with another key. */
export async function requireMarkKey(db: Reader): Promise<boolean> {
  const [mark] = await markOf(db, {});
  if (mark === undefined) return false;
  try {
    db.vault.unseal(mark.sealed);
  } catch (error) {
    throw error instanceof SealBroken ? new OtherKey(error) : error;
  }
  return true;
}

/** Seals the mark with the vault's present key. */
export async function resealMark(tx: Tx): Promise<void> {
  await update(tx, { sealed: tx.vault.seal(KNOWN) });
}
