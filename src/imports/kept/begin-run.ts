// Story: begin to check a kept file anew, or to import what was checked.

import { Faults } from "#kernel/refusal.ts";
import { realClock } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import { hasRow } from "#platform/database/prepared.ts";
import { recordAct } from "#shop/audit/record-act.ts";

import { type KeptFile, silentBefore } from "./kept-file.ts";
import type { KeptTerms } from "./kept-report.ts";
import { startRun } from "./queries.ts";
import { refuseWhileAtWork } from "./refuse-while-at-work.ts";

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
