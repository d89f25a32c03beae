// A scheduled job: the audit log is kept for good, the networks of its clients and wrong passwords are not.

import { firstIdAt } from "#kernel/id.ts";
import { type Clock, DAY_MS, nextTurn } from "#kernel/time.ts";
import type { Database } from "#platform/database/database.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";

import { dropActsBelow, dropNetworksBelow } from "./queries.ts";
import { FAILED_CONFIRMATION, FAILED_SIGN_IN } from "./record-act.ts";

/** More than a year, so that the same season can be compared. */
const KEPT_MS = 400 * DAY_MS;
/** Entries per transaction, so that no request waits for it. */
const BATCH = 500;

/** Once a day. The clock is the machine's, as that of the entries is. */
export function dropNetworksJob(databases: readonly Database[], clock: Clock): Job {
  return {
    name: "drop client networks",
    pattern: "43 3 * * *",
    run: async () => {
      for (const database of databases) {
        const before = firstIdAt("audit", clock.now() - KEPT_MS);
        for (let dropped = BATCH; dropped >= BATCH;) {
          await nextTurn();
          dropped = await database.write((tx) => dropNetworksBelow(tx, before, BATCH));
        }
        for (const action of [FAILED_SIGN_IN, FAILED_CONFIRMATION]) {
          const guesses = { action, before, limit: BATCH };
          for (let dropped = BATCH; dropped >= BATCH;) {
            await nextTurn();
            dropped = await database.write((tx) => dropActsBelow(tx, guesses));
          }
        }
      }
    },
  };
}
