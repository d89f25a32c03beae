// One file of a shop is worked on at a time.

import { Faults } from "#kernel/refusal.ts";
import type { Reader } from "#platform/database/database.ts";

import { silentBefore } from "./kept-file.ts";
import { fileAtWork } from "./queries.ts";

const BUSY =
  "Another file of this shop is being checked or imported. Try again when it is done: most take less than a minute.";

/** Refuses while a run is at work on any file of the shop. `now` is the machine's time. */
export async function refuseWhileAtWork(db: Reader, now: number): Promise<void> {
  const [found] = await fileAtWork(db, { since: silentBefore(now) });
  const faults = new Faults();
  if (found !== undefined) faults.add("/file", "too_many", BUSY);
  faults.refuseIfAny();
}
