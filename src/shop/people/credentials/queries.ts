// SQL of passwords, links, known devices and guesses.

import { and, asc, desc, eq, gt, lt, lte, sql } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import {
  prepared,
  preparedByFilters,
  preparedInsert,
  preparedInsertIfFree,
  preparedWrite,
} from "#platform/database/prepared.ts";
import { type RowOf, shownColumns, type WholeRowOf } from "#platform/database/record.ts";

import { COUNTERS_MAX, FORGOTTEN_MS } from "./hashing.ts";
import type { PersonLink } from "./link.ts";
import { emailLinks, guesses, knownDevices, links, passwords } from "./tables.ts";

const shownLink = shownColumns(links);

// Passwords.

const passwordOf = prepared<{ personId: string }>()((db, at) =>
  db.select().from(passwords).where(eq(passwords.personId, at.personId)),
);

/** The hash of a person's password, and the sign-ins in a row that failed. */
export async function findPassword(
  db: Reader,
  personId: string,
): Promise<typeof passwords.$inferSelect | undefined> {
  return (await passwordOf(db, { personId }))[0];
}

export const insertPassword = preparedInsertIfFree(passwords);

/** Sets the password, which no failure speaks against. */
export const setPassword = preparedWrite<{ personId: string; hash: string; changedAt: number }>()(
  (tx, at) =>
    tx
      .update(passwords)
      .set({ hash: sql`${at.hash}`, failures: sql`0`, changedAt: sql`${at.changedAt}` })
      .where(eq(passwords.personId, at.personId)),
);

/** Stores the same password under another hash. */
export const setHash = preparedWrite<{ personId: string; hash: string }>()((tx, at) =>
  tx
    .update(passwords)
    .set({ hash: sql`${at.hash}` })
    .where(eq(passwords.personId, at.personId)),
);

/** Adds to the failures in a row, or takes from them. */
export const addFailures = preparedWrite<{ personId: string; added: number }>()((tx, at) =>
  tx
    .update(passwords)
    .set({ failures: sql`${passwords.failures} + ${at.added}` })
    .where(eq(passwords.personId, at.personId)),
);

/** Forgets the failures in a row, if they are fewer than `below`. */
export const forgetFailures = preparedWrite<{ personId: string; below: number }>()((tx, at) =>
  tx
    .update(passwords)
    .set({ failures: sql`0` })
    .where(and(eq(passwords.personId, at.personId), lt(passwords.failures, at.below))),
);

export const deletePassword = preparedWrite<{ personId: string }>()((tx, at) =>
  tx.delete(passwords).where(eq(passwords.personId, at.personId)),
);

// Links.

const linkByHash = prepared<{ tokenHash: string; now: number }>()((db, at) =>
  db
    .select(shownLink)
    .from(links)
    .where(and(eq(links.tokenHash, at.tokenHash), gt(links.expiresAt, at.now))),
);

/** The link with this hash that can still be used. */
export async function findLinkByHash(
  db: Reader,
  tokenHash: string,
  now: number,
): Promise<PersonLink | undefined> {
  return (await linkByHash(db, { tokenHash, now }))[0];
}

const openLinks = prepared<{ now: number; limit: number }>()((db, at) =>
  db
    .select(shownLink)
    .from(links)
    .where(gt(links.expiresAt, at.now))
    .orderBy(sql`${links.id} DESC`)
    .limit(at.limit),
);

/** Links that can still be used, newest first. */
export function listOpenLinks(db: Reader, now: number, limit: number): Promise<PersonLink[]> {
  return openLinks(db, { now, limit });
}

export const insertLink = preparedInsertIfFree(links);

const takeByHash = preparedWrite<{ tokenHash: string; now: number }>()((tx, at) =>
  tx
    .delete(links)
    .where(and(eq(links.tokenHash, at.tokenHash), gt(links.expiresAt, at.now)))
    .returning(shownLink),
);

/** Deletes the link and answers it, if it can still be used. */
export async function deleteLinkByHash(
  tx: Tx,
  tokenHash: string,
  now: number,
): Promise<PersonLink | undefined> {
  return (await takeByHash(tx, { tokenHash, now }))[0];
}

export const deleteLink = preparedWrite<{ id: string }>()((tx, at) =>
  tx.delete(links).where(eq(links.id, at.id)).returning(shownLink),
);

export const deleteExpiredLinks = preparedWrite<{ now: number }>()((tx, at) =>
  tx.delete(links).where(lte(links.expiresAt, at.now)),
);

/** Deletes the links of a kind. */
export const deleteLinksOfKind = preparedWrite<{ kind: string }>()((tx, at) =>
  tx.delete(links).where(eq(links.kind, at.kind)),
);

/** Deletes the links that recover a person's sign-in. */
export const deleteLinksOf = preparedWrite<{ personId: string }>()((tx, at) =>
  tx.delete(links).where(eq(links.personId, at.personId)),
);

/** Deletes the links that a person made. */
export const deleteLinksBy = preparedWrite<{ personId: string }>()((tx, at) =>
  tx.delete(links).where(eq(links.madeBy, at.personId)),
);

export const deleteEveryLink = preparedWrite()((tx) => tx.delete(links));

// Links to the emails of people.

/** A link without its token. */
export type EmailLink = RowOf<typeof emailLinks>;

const emailLinksOf = preparedByFilters<{ personId: string; tokenHash?: string | undefined }>()(
  (db, given) =>
    db
      .select(shownColumns(emailLinks))
      .from(emailLinks)
      .where(
        and(
          eq(emailLinks.personId, given.one("personId")),
          given.has("tokenHash") ? eq(emailLinks.tokenHash, given.one("tokenHash")) : undefined,
        ),
      ),
);

/** The link of the person; with a hash, only the link that has it. */
export async function findEmailLink(
  db: Reader,
  personId: string,
  tokenHash?: string,
): Promise<EmailLink | undefined> {
  return (await emailLinksOf(db, { personId, tokenHash }))[0];
}

const insertEmailLink = preparedInsert(emailLinks);

export const deleteEveryEmailLink = preparedWrite()((tx) => tx.delete(emailLinks));

export const deleteEmailLink = preparedWrite<{ personId: string }>()((tx, at) =>
  tx.delete(emailLinks).where(eq(emailLinks.personId, at.personId)),
);

/** Inserts the link in place of the person's former one. */
export async function putEmailLink(tx: Tx, row: WholeRowOf<typeof emailLinks>): Promise<void> {
  await deleteEmailLink(tx, row);
  await insertEmailLink(tx, row);
}

// Known devices.

const device = prepared<{ tokenHash: string; personId: string }>()((db, at) =>
  db
    .select()
    .from(knownDevices)
    .where(and(eq(knownDevices.tokenHash, at.tokenHash), eq(knownDevices.personId, at.personId))),
);

/** Returns true if the person has signed in at the device. */
export async function isKnownDevice(
  db: Reader,
  tokenHash: string,
  personId: string,
): Promise<boolean> {
  return (await device(db, { tokenHash, personId })).length > 0;
}

export const insertDevice = preparedInsert(knownDevices);

export const markDeviceSeen = preparedWrite<{ tokenHash: string; seenAt: number }>()((tx, at) =>
  tx
    .update(knownDevices)
    .set({ seenAt: sql`${at.seenAt}` })
    .where(eq(knownDevices.tokenHash, at.tokenHash)),
);

const devicesOf = prepared<{ personId: string }>()((db, at) =>
  db
    .select({ tokenHash: knownDevices.tokenHash })
    .from(knownDevices)
    .where(eq(knownDevices.personId, at.personId))
    .orderBy(asc(knownDevices.seenAt)),
);

/** The devices of a person by their hashes, the one that was seen longest ago first. */
export async function listDevices(db: Reader, personId: string): Promise<string[]> {
  return (await devicesOf(db, { personId })).map(({ tokenHash }) => tokenHash);
}

export const deleteDevice = preparedWrite<{ tokenHash: string }>()((tx, at) =>
  tx.delete(knownDevices).where(eq(knownDevices.tokenHash, at.tokenHash)),
);

export const deleteDevicesOf = preparedWrite<{ personId: string }>()((tx, at) =>
  tx.delete(knownDevices).where(eq(knownDevices.personId, at.personId)),
);

export const deleteEveryDevice = preparedWrite()((tx) => tx.delete(knownDevices));

// Guesses.

const addGuess = preparedWrite<{ key: string; lastAt: number }>()((tx, at) =>
  tx
    .insert(guesses)
    .values({ key: at.key, failures: sql`1`, lastAt: at.lastAt })
    .onConflictDoUpdate({
      target: guesses.key,
      set: { failures: sql`${guesses.failures} + 1`, lastAt: sql`excluded.last_at` },
    })
    .returning({ failures: guesses.failures }),
);

/** Counts a guess; answers how many there were before. */
export async function countGuess(tx: Tx, key: string): Promise<number> {
  const [row] = await addGuess(tx, { key, lastAt: tx.now });
  if (row === undefined) throw new Error("A guess was not counted.");
  return row.failures - 1;
}

/** Takes a guess back that was none. */
export const takeBackGuess = preparedWrite<{ key: string }>()((tx, at) =>
  tx
    .update(guesses)
    .set({ failures: sql`${guesses.failures} - 1` })
    .where(and(eq(guesses.key, at.key), gt(guesses.failures, sql`0`))),
);

/** Forgets guesses of which the last was before the instant. */
const deleteOldGuesses = preparedWrite<{ before: number }>()((tx, at) =>
  tx.delete(guesses).where(lt(guesses.lastAt, at.before)),
);

/** Forgets the guesses of counters beyond so many, the longest ago first. */
const deleteGuessesBeyond = preparedWrite<{ max: number }>()((tx, at) =>
  tx
    .delete(guesses)
    .where(
      lte(
        guesses.lastAt,
        tx
          .select({ lastAt: guesses.lastAt })
          .from(guesses)
          .orderBy(desc(guesses.lastAt))
          .limit(1)
          .offset(at.max),
      ),
    ),
);

/** Forgets guesses that are too long ago, and those of the oldest counters where there are too many. */
export async function forgetGuesses(tx: Tx): Promise<void> {
  await deleteOldGuesses(tx, { before: tx.now - FORGOTTEN_MS });
  await deleteGuessesBeyond(tx, { max: COUNTERS_MAX });
}

const touchGuess = preparedWrite<{ key: string }>()((tx, at) =>
  tx
    .update(guesses)
    .set({ lastAt: sql`${guesses.lastAt}` })
    .where(eq(guesses.key, at.key)),
);

/** Until this transaction ends, no other one counts or locks this counter. */
export async function lockGuess(tx: Tx, key: string): Promise<void> {
  await touchGuess(tx, { key });
}

/** Forgets the guesses about one name or device. */
export const deleteGuess = preparedWrite<{ key: string }>()((tx, at) =>
  tx.delete(guesses).where(eq(guesses.key, at.key)),
);
