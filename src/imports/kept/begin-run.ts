// Story: begin to check a kept file anew, or to import what was checked.

import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import { realClock } from "#kernel/time.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { hasRow } from "#platform/database/prepared.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { getStore } from "#shop/store/lookups.ts";

import { type KeptFile, silentBefore } from "./kept-file.ts";
import { firstTerms, type KeptTerms, type NounName } from "./kept-report.ts";
import { dropFilesOf, fileAtWork, insertFile, startRun } from "./queries.ts";

// One file of a shop is worked on at a time.

const BUSY =
  "Another file of this shop is being checked or imported. Try again when it is done: most take less than a minute.";

/** Refuses while a run is at work on any file of the shop. `now` is the machine's time. */
async function refuseWhileAtWork(db: Reader, now: number): Promise<void> {
  const [found] = await fileAtWork(db, { since: silentBefore(now) });
  const faults = new Faults();
  if (found !== undefined) faults.add("/file", "too_many", BUSY);
  faults.refuseIfAny();
}

interface NewRun {
  readonly file: Pick<KeptFile, "id" | "noun">;
  /** The run whose report the person saw. */
  readonly before: string;
  readonly run: string;
  readonly terms: KeptTerms;
  readonly applies: boolean;
  /** The person's name. */
  readonly actorName: string | null;
}

const CHANGED = "The file was checked anew or imported in the meantime. Here is how it is now.";

/**
 * Afterwards the run is at work. The audit log has one entry of an import, before its first change. Refuses while a run
 * is at work on any file of the shop, and where the file is not as the person saw it.
 */
export async function beginRun(tx: Tx, { file, actorName, ...begun }: NewRun): Promise<void> {
  const now = realClock.now();
  await refuseWhileAtWork(tx, now);
  const started = await startRun(tx, {
    ...begun,
    id: file.id,
    silentBefore: silentBefore(now),
    now,
  });
  const faults = new Faults();
  if (!hasRow(started)) faults.add("/file", "conflicting_fields", CHANGED);
  faults.refuseIfAny();
  if (!begun.applies) return;
  await recordAct(tx, {
    actorName,
    action: `import ${file.noun}`,
    subject: null,
    difference: null,
  });
}

// Story: save a file that a person brought, so that what is imported is what was checked.

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
