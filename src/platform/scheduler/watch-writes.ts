// Notices that writing failed. Invariant: a database whose last write failed is not ready, until a write
// succeeds; so that this does not need a customer's order, a write of its own tries every few seconds.

import { Refusal } from "#kernel/refusal.ts";
import { SECOND_MS } from "#kernel/time.ts";
import type { Database } from "#platform/database/database.ts";
import { storageFull, storageUnavailable } from "#platform/database/errors.ts";
import { nextNumber } from "#platform/database/held-rows.ts";

const RETRY_MS = 5 * SECOND_MS;

/** The database, with `isWritable` false from a write that was not saved to the next one that is. */
export function watchWrites(database: Database, retryMs = RETRY_MS): Database {
  let timer: ReturnType<typeof setInterval> | null = null;
  const succeeded = () => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  const failed = (error: unknown) => {
    if (isFailedWrite(error) && timer === null && database.isWritable()) {
      timer = setInterval(() => void retry(), retryMs);
      timer.unref();
    }
  };
  const write: Database["write"] = async (story, options) => {
    try {
      const result = await database.write(story, options);
      succeeded();
      return result;
    } catch (error) {
      failed(error);
      throw error;
    }
  };
  const retry = () =>
    write((tx) => nextNumber(tx, "write_probe", 1)).catch(() => {
      // It is still failing; the next one tries again.
    });
  return {
    ...database,
    write,
    isWritable: () => timer === null && database.isWritable(),
    close: async () => {
      succeeded();
      await database.close();
      succeeded();
    },
  };
}

function isFailedWrite(error: unknown): boolean {
  if (!(error instanceof Refusal)) return false;
  return error.definition === storageFull || error.definition === storageUnavailable;
}
