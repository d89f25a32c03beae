// All SQL of withdrawn consents, and of the secret by which addresses are hashed.

import { eq, sql } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import {
  hasRow,
  prepared,
  preparedInsertIfFree,
  preparedWrite,
} from "#platform/database/prepared.ts";

import { consentWithdrawals, contactSecret } from "./tables.ts";

const onlySecret = prepared()((db) => db.select().from(contactSecret));
const insertSecret = preparedInsertIfFree(contactSecret);
const replaceSecret = preparedWrite<{ before: string; after: string }>()((tx, at) =>
  tx
    .update(contactSecret)
    .set({ secret: sql`${at.after}` })
    .where(eq(contactSecret.secret, at.before))
    .returning({ id: contactSecret.id }),
);

/** The sealed secret; undefined in a shop that never needed one. */
export async function findContactSecret(db: Reader): Promise<string | undefined> {
  return (await onlySecret(db, {}))[0]?.secret;
}

/** Saves the sealed secret in place of the one before. Returns false if there is another one by now. */
export async function saveContactSecret(
  tx: Tx,
  secret: string,
  before: string | undefined,
): Promise<boolean> {
  if (before === undefined) return insertSecret(tx, { id: 1, secret });
  return hasRow(await replaceSecret(tx, { before, after: secret }));
}

const byHash = prepared<{ contactHash: string }>()((db, at) =>
  db.select().from(consentWithdrawals).where(eq(consentWithdrawals.contactHash, at.contactHash)),
);
const remove = preparedWrite<{ contactHash: string }>()((tx, at) =>
  tx.delete(consentWithdrawals).where(eq(consentWithdrawals.contactHash, at.contactHash)),
);

/** Inserts a withdrawal, unless there is one of the address. */
export const insertWithdrawal = preparedInsertIfFree(consentWithdrawals);

/** Returns true if consent was withdrawn for the address with this hash. */
export async function hasWithdrawal(db: Reader, contactHash: string): Promise<boolean> {
  return hasRow(await byHash(db, { contactHash }));
}

export async function deleteWithdrawal(tx: Tx, contactHash: string): Promise<void> {
  await remove(tx, { contactHash });
}
