// A scheduled job that deletes expired answers in small batches, so that no request waits for it.

import type { Clock } from "#kernel/time.ts";
import type { Database } from "#platform/database/database.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";

import { pruneAnswers } from "./stored-answers.ts";

/** Keys whose answers are deleted per transaction. */
const BATCH = 500;

export interface Retention {
  readonly databases: readonly Database[];
  /** The machine's clock: retention does not follow the shop's clock. */
  readonly clock: Clock;
  readonly keptMs: number;
}

/** Deletes every answer older than its retention. */
async function pruneStoredAnswers({ databases, clock, keptMs }: Retention): Promise<void> {
  for (const database of databases) {
    let forgotten = BATCH;
    while (forgotten >= BATCH) {
      forgotten = await database.write((tx) => pruneAnswers(tx, clock.now() - keptMs, BATCH));
    }
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
