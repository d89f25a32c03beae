// SQL of passkeys and of the challenges that they sign.

import { and, asc, eq, gt, lt, lte, or, sql } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import {
  hasRow,
  prepared,
  preparedInsert,
  preparedInsertIfFree,
  preparedWrite,
} from "#platform/database/prepared.ts";
import { type ChallengePurpose, challenges, passkeys } from "#shop/people/credentials/tables.ts";

import { type Passkey, PASSKEYS_MAX } from "./passkey.ts";

const byId = prepared<{ id: string }>()((db, at) =>
  db.select().from(passkeys).where(eq(passkeys.id, at.id)),
);

/** The passkey with this id. */
export async function findPasskey(db: Reader, id: string): Promise<Passkey | undefined> {
  return (await byId(db, { id }))[0];
}

const ofPerson = prepared<{ personId: string; limit: number }>()((db, at) =>
  db
    .select()
    .from(passkeys)
    .where(eq(passkeys.personId, at.personId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id))
    .limit(at.limit),
);

/** The passkeys of the person, the oldest first. */
export function listPasskeys(db: Reader, personId: string): Promise<Passkey[]> {
  return ofPerson(db, { personId, limit: PASSKEYS_MAX });
}

/** Returns true if the person has a passkey. */
export async function hasPasskey(db: Reader, personId: string): Promise<boolean> {
  return (await ofPerson(db, { personId, limit: 1 })).length > 0;
}

/** Returns false, and inserts nothing, if there is a passkey of this id. */
export const insertPasskey = preparedInsertIfFree(passkeys);

export const setPasskeyName = preparedWrite<{ id: string; name: string }>()((tx, at) =>
  tx
    .update(passkeys)
    .set({ name: sql`${at.name}` })
    .where(eq(passkeys.id, at.id)),
);

const setUse = preparedWrite<{ id: string; signCount: number; usedAt: number }>()((tx, at) =>
  tx
    .update(passkeys)
    .set({ signCount: sql`${at.signCount}`, usedAt: sql`${at.usedAt}` })
    .where(
      and(
        eq(passkeys.id, at.id),
        or(
          lt(passkeys.signCount, at.signCount),
          // An authenticator that counts none says 0 each time.
          and(eq(passkeys.signCount, sql`0`), eq(passkeys.signCount, at.signCount)),
        ),
      ),
    )
    .returning({ id: passkeys.id }),
);

/**
 * Notes a use. Returns false, and notes nothing, if the passkey is gone, or if its authenticator counted no further than
 * at the last use: then another one has the same key.
 */
export async function markPasskeyUsed(
  tx: Tx,
  { id, signCount }: Pick<Passkey, "id" | "signCount">,
): Promise<boolean> {
  return hasRow(await setUse(tx, { id, signCount, usedAt: tx.now }));
}

export const deletePasskey = preparedWrite<{ id: string }>()((tx, at) =>
  tx.delete(passkeys).where(eq(passkeys.id, at.id)),
);

/** Deletes the passkeys of the person, and answers them. */
export const deletePasskeysOf = preparedWrite<{ personId: string }>()((tx, at) =>
  tx.delete(passkeys).where(eq(passkeys.personId, at.personId)).returning({ name: passkeys.name }),
);

// Challenges.

export const insertChallenge = preparedInsert(challenges);

const takeByHash = preparedWrite<{ hash: string; purpose: string; now: number }>()((tx, at) =>
  tx
    .delete(challenges)
    .where(
      and(
        eq(challenges.hash, at.hash),
        eq(challenges.purpose, sql`${at.purpose}`),
        gt(challenges.expiresAt, at.now),
      ),
    )
    .returning({ personId: challenges.personId }),
);

/** Deletes the challenge and answers whose it was; undefined if it cannot be used for this. */
export async function deleteChallenge(
  tx: Tx,
  { hash, purpose }: { readonly hash: string; readonly purpose: ChallengePurpose },
): Promise<{ readonly personId: string | null } | undefined> {
  return (await takeByHash(tx, { hash, purpose, now: tx.now }))[0];
}

/** Deletes the challenges that have expired. */
export const deleteExpiredChallenges = preparedWrite<{ now: number }>()((tx, at) =>
  tx.delete(challenges).where(lte(challenges.expiresAt, at.now)),
);
