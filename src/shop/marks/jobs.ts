// A scheduled job: what limits refused is kept for a season.

import { DAY_MS, nextTurn } from "#kernel/time.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";

import { dropMarks } from "./queries.ts";

/** As long as a wave of abuse is compared with the last one. */
const KEPT_MS = 90 * DAY_MS;
/** Hours per transaction: with at most 1,000 rows a day, as many rows as no request waits for. */
const HOURS = 12;

/** Once a day. */
export function dropMarksJob(shops: readonly Shop[]): Job {
  return {
    name: "drop abuse marks",
    pattern: "47 3 * * *",
    run: async () => {
      for (const { database, clock } of shops) {
        const until = clock.now() - KEPT_MS;
        for (let dropped = 1; dropped > 0;) {
          await nextTurn();
          dropped = await database.write((tx) => dropMarks(tx, until, HOURS));
        }
      }
    },
  };
}
