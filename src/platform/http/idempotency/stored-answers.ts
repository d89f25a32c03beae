// Stored answers of idempotency keys. An answer is inserted once, in the commit of its work; the
// primary key prevents a second one.

import { asc, eq, inArray, like, lt, sql } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import { prepared, preparedInsert, preparedWrite } from "#platform/database/prepared.ts";
import { storedAnswers } from "#platform/database/tables.ts";

export type StoredAnswer = typeof storedAnswers.$inferSelect;

const answerByKey = prepared<{ key: string }>()((db, at) =>
  db.select().from(storedAnswers).where(eq(storedAnswers.key, at.key)),
);

/** Stores an answer; the caller has looked for one in the same transaction. */
export const saveAnswer: (tx: Tx, answer: StoredAnswer) => Promise<void> =
  preparedInsert(storedAnswers);

/** The stored answer of a key. */
export async function findAnswer(db: Reader, key: string): Promise<StoredAnswer | undefined> {
  return (await answerByKey(db, { key }))[0];
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

const pruneBatch = preparedWrite<{ before: number; limit: number }>()((tx, at) =>
  tx
    .delete(storedAnswers)
    .where(
      inArray(
        storedAnswers.key,
        tx
          .select({ key: storedAnswers.key })
          .from(storedAnswers)
          .where(lt(storedAnswers.createdAt, at.before))
          .orderBy(asc(storedAnswers.createdAt))
          .limit(at.limit),
      ),
    )
    .returning({ key: storedAnswers.key }),
);

/**
 * Deletes at most `limit` answers older than the instant (epoch milliseconds); returns how many.
 */
export async function pruneAnswers(tx: Tx, before: number, limit: number): Promise<number> {
  return (await pruneBatch(tx, { before, limit })).length;
}
