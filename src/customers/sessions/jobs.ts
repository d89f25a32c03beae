// The job that deletes what has ended: sessions and codes, failed tries after 30 days, and counts of codes after a day.

import { DAY_MS } from "#kernel/time.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";

import {
  dropEndedChallenges,
  dropEndedSessions,
  dropOldCodeCounts,
  dropOldCodes,
} from "./queries.ts";

/** Every ten minutes: strangers can ask for codes. */
export function pruneSessionsJob(shops: readonly Shop[]): Job {
  return {
    name: "prune customer sessions",
    pattern: "*/10 * * * *",
    run: async () => {
      for (const { database, clock } of shops) {
        await database.write(async (tx) => {
          await dropEndedSessions(tx, { now: clock.now() });
          await dropEndedChallenges(tx, { now: clock.now() });
          await dropOldCodes(tx, { now: clock.now() });
          await dropOldCodeCounts(tx, { hour: clock.now() - DAY_MS });
        });
      }
    },
  };
}
