// A scheduled job that deletes expired answers in small batches, so that no request waits for it.

import { type Clock, DAY_MS, nextTurn } from "#kernel/time.ts";
import type { Database } from "#platform/database/database.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";

import { pruneAnswers } from "./stored-answers.ts";

/** Keys whose answers are deleted per transaction. */
const BATCH = 500;
/** A stranger can store an answer per request, so those of publishable keys make room sooner. */
const PUBLIC_KEPT_MS = DAY_MS;

export interface Retention {
  readonly databases: readonly Database[];
  /** The machine's clock: retention does not follow the shop's clock. */
  readonly clock: Clock;
  /** How long answers are kept; those to publishable keys for a day at most. */
  readonly keptMs: number;
}

/** Deletes every answer older than its retention. */
async function pruneStoredAnswers({ databases, clock, keptMs }: Retention): Promise<void> {
  for (const database of databases) {
    await pruneKind(database, { isPublic: false, before: clock.now() - keptMs });
    const publicMs = Math.min(keptMs, PUBLIC_KEPT_MS);
    await pruneKind(database, { isPublic: true, before: clock.now() - publicMs });
  }
}

async function pruneKind(
  database: Database,
  old: { readonly isPublic: boolean; readonly before: number },
): Promise<void> {
  let forgotten = BATCH;
  while (forgotten >= BATCH) {
    await nextTurn();
    forgotten = await database.write((tx) => pruneAnswers(tx, { ...old, limit: BATCH }));
  }
}

/** Once an hour, at a minute when few other jobs run. */
export function pruneAnswersJob(retention: Retention): Job {
  return {
    name: "prune stored answers",
    pattern: "17 * * * *",
    run: () => pruneStoredAnswers(retention),
  };
}
