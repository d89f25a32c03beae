// Story: save a file that a person brought, so that what is imported is what was checked.

import type { Id } from "#kernel/id.ts";
import { realClock } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import { getStore } from "#shop/store/lookups.ts";

import { firstTerms, type NounName } from "./kept-report.ts";
import { dropFilesOf, insertFile } from "./queries.ts";
import { refuseWhileAtWork } from "./refuse-while-at-work.ts";

interface BroughtFile {
  readonly id: string;
  /** The run that checks it. */
  readonly run: string;
  readonly noun: NounName;
  readonly personId: Id<"person">;
  /** Packed, in base64. */
  readonly content: string;
}

/**
 * Afterwards the shop has the file, which its first run is to check, and no earlier one of this person and noun. Refuses
 * while a run is at work on any file of the shop, so that few are in memory.
 */
export async function saveFile(tx: Tx, file: BroughtFile): Promise<void> {
  const now = realClock.now();
  await refuseWhileAtWork(tx, now);
  await dropFilesOf(tx, { personId: file.personId, noun: file.noun });
  // Prices are imported as they were checked, also where the shop has another currency by then.
  const { currency } = await getStore(tx);
  await insertFile(tx, {
    ...file,
    terms: { ...firstTerms, currency },
    applies: false,
    isImporting: false,
    done: 0,
    total: 0,
    report: null,
    seenAt: now,
    createdAt: now,
  });
}
