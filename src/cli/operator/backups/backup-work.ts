// What the backup commands share at a terminal: their progress, the verification they print, and the signals
// that stop them with nothing left behind.

import { progressBar, progressLine } from "#cli/operator/progress-line.ts";
import type { Difference } from "#kernel/difference.ts";
import { realClock } from "#kernel/time.ts";
import { BackupFault } from "#platform/backup/fault.ts";
import { backedUpModes } from "#platform/backup/files.ts";
import type { BackupManifest } from "#platform/backup/manifest.ts";
import type { Proven } from "#platform/backup/proof.ts";
import { type BackupProgress, type BackupWork } from "#platform/backup/work.ts";
import type { Mode } from "#platform/database/shop.ts";

import { differenceCount, sentence, shopProof } from "./shop-proof.ts";

const MEGABYTE = 1_000_000;

/** The work of one command; disposing it clears its line of progress. */
export interface TerminalWork extends BackupWork, Disposable {}

/** The work of this process; SIGINT and SIGTERM abort it. */
export function terminalWork(): TerminalWork {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      stop.abort(new BackupFault(`Stopped by ${signal}; nothing was left behind.`));
    });
  }
  const line = process.stderr.isTTY ? progressLine() : null;
  return {
    shop: shopProof,
    clock: realClock,
    signal: stop.signal,
    onProgress: line === null ? printEachStep() : drawEachStep(line),
    [Symbol.dispose]: () => line?.[Symbol.dispose](),
  };
}

/** Per database its differences, then a line with its counts. */
export function describeProof(
  manifest: BackupManifest,
  proven: Readonly<Record<Mode, Proven>>,
): string[] {
  return backedUpModes.flatMap((mode) => {
    const { rows } = manifest.databases[mode];
    const count = Object.values(rows).reduce((sum, one) => sum + one, 0);
    const { differences, listed } = proven[mode];
    return [
      ...listed.map((difference: Difference) => `${mode}: ${sentence(difference)}`),
      `${mode}: ${count} rows in ${Object.keys(rows).length} tables, ${differenceCount(differences)}`,
    ];
  });
}

/** `12.5 MB`, of 1,000,000 bytes each. */
export function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}

/** A redrawn line with a bar. */
function drawEachStep({ draw }: ReturnType<typeof progressLine>): BackupWork["onProgress"] {
  return (progress) => {
    const { doneBytes, ofBytes } = progress;
    draw(stepName(progress), () =>
      ofBytes === 0 ? "" : progressBar(doneBytes, ofBytes, megabytes(ofBytes)),
    );
  };
}

/** A line per step, for a log file. */
function printEachStep(): BackupWork["onProgress"] {
  let printedStep = "";
  return (progress) => {
    const step = stepName(progress);
    if (step === printedStep) return;
    printedStep = step;
    console.error(progress.ofBytes === 0 ? step : `${step}, ${megabytes(progress.ofBytes)}`);
  };
}

function stepName({ mode, step }: BackupProgress): string {
  return `${step} ${mode}`;
}
