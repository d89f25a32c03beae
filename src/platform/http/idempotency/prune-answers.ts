// Regular work: answers of idempotency keys are forgotten when their time is over, a few at a time,
// so that no request waits for it.

import type { Clock } from "#kernel/time.ts";
import type { Database } from "#platform/database/database.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";

import { pruneAnswers } from "./stored-answers.ts";

/** Answers forgotten in one transaction. */
const BATCH = 500;

export interface Retention {
  readonly databases: readonly Database[];
  /** The machine's clock: retention does not follow the shop's. */
  readonly clock: Clock;
  readonly keptMs: number;
}

/** Afterwards no answer is older than it is kept. */
async function pruneStoredAnswers({ databases, clock, keptMs }: Retention): Promise<void> {
  for (const database of databases) {
    let forgotten = BATCH;
    while (forgotten === BATCH) {
      forgotten = await database.write((tx) => pruneAnswers(tx, clock.now() - keptMs, BATCH));
    }
  }
}

/** Once an hour, at an odd minute. */
export function pruneAnswersJob(retention: Retention): Job {
  return {
    name: "prune stored answers",
    pattern: "17 * * * *",
    run: () => pruneStoredAnswers(retention),
  };
}
