// Stored answers of idempotency keys. An answer is inserted once, in the commit of its work; the
// primary key prevents a second one.

import { asc, eq, inArray, lt } from "drizzle-orm";

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
