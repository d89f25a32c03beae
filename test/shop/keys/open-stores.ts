// The databases of both modes in a temporary folder, and a clock that a test moves.

import { openModeDatabase } from "../../support/database.ts";
import { openScratchFolder } from "../../support/scratch.ts";

/** A clock that stands still until it is moved, in epoch milliseconds. */
export function standingClock(start = Date.UTC(2026, 0, 1)) {
  let now = start;
  return {
    now: () => now,
    advance: (byMs: number) => {
      now += byMs;
    },
  };
}

/** Opens new databases of both modes; disposing removes them. */
export async function openStores(clock = standingClock()) {
  const folder = openScratchFolder();
  const stores = {
    test: await openModeDatabase(folder.path, "test", clock),
    live: await openModeDatabase(folder.path, "live", clock),
  };
  return {
    stores,
    clock,
    async [Symbol.asyncDispose]() {
      await Promise.all([stores.test.close(), stores.live.close()]);
      folder[Symbol.dispose]();
    },
  };
}

/** Returns the reason a promise was rejected with, or null if it was fulfilled. */
export function refusalOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (error: unknown) => error,
  );
}
