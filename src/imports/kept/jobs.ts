// The job that deletes the files that people brought, after a day.

import { realClock } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";

import { KEPT_MS } from "./kept-file.ts";
import { dropAllFilesOf, dropFilesBefore } from "./queries.ts";

/** Hourly at minute 23, because other hourly jobs start on the hour. */
export function pruneImportsJob(shops: readonly Shop[]): Job {
  return {
    name: "prune-imports",
    pattern: "23 * * * *",
    run: async () => {
      const before = realClock.now() - KEPT_MS;
      for (const { database } of shops) {
        await database.write((tx) => dropFilesBefore(tx, { before }));
      }
    },
  };
}

/**
 * Afterwards the shop keeps no file of customers. A run that is at work on one breaks off, since it has the customer in
 * memory and might make them anew.
 */
export async function forgetCustomerFiles(tx: Tx): Promise<void> {
  await dropAllFilesOf(tx, { noun: "customers" });
}
