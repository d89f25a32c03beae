// Regular work: answers of idempotency keys are forgotten when their time is over, a few at a time,
// so that no request waits for it.

import type { Clock } from "#kernel/time.ts";
import type { Store } from "#platform/database/store.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";

import { pruneAnswers } from "./stored-answers.ts";

/** Answers forgotten in one transaction. */
const BATCH = 500;

export interface Retention {
  readonly stores: readonly Store[];
  /** The machine's clock: retention does not follow the shop's. */
  readonly clock: Clock;
  readonly keptMs: number;
}

/** Afterwards no answer is older than it is kept. */
export async function pruneStoredAnswers({ stores, clock, keptMs }: Retention): Promise<void> {
  for (const store of stores) {
    let forgotten = BATCH;
    while (forgotten === BATCH) {
      forgotten = await store.write((tx) => pruneAnswers(tx, clock.now() - keptMs, BATCH));
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
