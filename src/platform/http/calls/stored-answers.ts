// Stored answers of idempotency keys. An answer is inserted once, in the commit of its work; the
// primary key prevents a second one.

import { and, asc, eq, inArray, like, lt, sql } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import {
  prepared,
  preparedInsert,
  preparedInsertIfFree,
  preparedWrite,
} from "#platform/database/prepared.ts";
import { storedAnswers } from "#platform/database/tables.ts";
import type { KeyOfRequest } from "#platform/http/contract/idempotent.ts";

export type StoredAnswer = typeof storedAnswers.$inferSelect;

const answersByKey = prepared<Pick<KeyOfRequest, "key">>({ by: "key" })((db, at) =>
  db.select().from(storedAnswers).where(eq(storedAnswers.key, at.key)),
);

/** Stores an answer; the caller has looked for one in the same transaction. */
export const saveAnswer: (tx: Tx, answer: StoredAnswer) => Promise<void> =
  preparedInsert(storedAnswers);

const reserveAnswer = preparedInsertIfFree(storedAnswers);
const dropReserved = preparedWrite<Pick<KeyOfRequest, "key" | "lineage">>()((tx, at) =>
  tx
    .delete(storedAnswers)
    .where(and(eq(storedAnswers.key, at.key), eq(storedAnswers.lineage, at.lineage))),
);

/**
 * Afterwards what another transaction was about to store under the key is committed or undone, and none stores anything
 * until this one has ended.
 */
export async function awaitAnswers(
  tx: Tx,
  { key, lineage }: Pick<KeyOfRequest, "key" | "lineage">,
): Promise<void> {
  const nothing = { fingerprint: "", status: 0, headers: {}, body: "", about: null };
  const row = { ...nothing, key, lineage, isPublic: false, createdAt: 0 };
  // The other transaction's insert of the same row waits for the end of this one, and finds no row then.
  if (await reserveAnswer(tx, row)) await dropReserved(tx, { key, lineage });
}

/** The stored answers of the request's key: that of its lineage, and one without a lineage. */
export async function findAnswers(
  db: Reader,
  { key, lineage, elsewhere }: KeyOfRequest,
): Promise<StoredAnswer[]> {
  const found = await answersByKey(db, { key });
  return found.filter((answer) => answer.lineage === lineage || answer.lineage === elsewhere);
}

const bodiesLike = prepared<{ pattern: string }>()((db, at) =>
  db
    .select({ body: storedAnswers.body })
    .from(storedAnswers)
    .where(like(storedAnswers.body, at.pattern)),
);
const replaceBody = preparedWrite<{ before: string; after: string }>()((tx, at) =>
  tx
    .update(storedAnswers)
    .set({ body: sql`${at.after}` })
    .where(eq(storedAnswers.body, at.before)),
);

/** The stored bodies that begin with the text. */
export async function listBodies(db: Reader, beginning: string): Promise<string[]> {
  return (await bodiesLike(db, { pattern: `${beginning}%` })).map(({ body }) => body);
}

/** Replaces a stored body, which is unique if it is sealed. */
export async function saveBody(tx: Tx, before: string, after: string): Promise<void> {
  await replaceBody(tx, { before, after });
}

const dropLike = preparedWrite<{ pattern: string }>()((tx, at) =>
  tx.delete(storedAnswers).where(like(storedAnswers.body, at.pattern)),
);

/** Deletes the answers whose stored bodies begin with the text. */
export async function dropBodies(tx: Tx, beginning: string): Promise<void> {
  await dropLike(tx, { pattern: `${beginning}%` });
}

/** Answers to publishable or to other keys, older than the instant (epoch milliseconds). */
interface OldAnswers {
  readonly isPublic: boolean;
  readonly before: number;
  readonly limit: number;
}

const pruneBatch = preparedWrite<OldAnswers>()((tx, at) => {
  const isOld = and(
    eq(storedAnswers.isPublic, sql`${sql.param(at.isPublic, storedAnswers.isPublic)}`),
    lt(storedAnswers.createdAt, at.before),
  );
  const oldest = tx
    .select({ key: storedAnswers.key })
    .from(storedAnswers)
    .where(isOld)
    .orderBy(asc(storedAnswers.createdAt))
    .limit(at.limit);
  return tx
    .delete(storedAnswers)
    .where(and(isOld, inArray(storedAnswers.key, oldest)))
    .returning({ key: storedAnswers.key });
});

/** Deletes old answers, of `limit` keys at most; returns how many. Fewer than `limit` are all there were. */
export async function pruneAnswers(tx: Tx, old: OldAnswers): Promise<number> {
  return (await pruneBatch(tx, { ...old })).length;
}
