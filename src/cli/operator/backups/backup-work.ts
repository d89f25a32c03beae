// What the commands of backups have in common at a terminal: how far they are, what they found, and how a
// signal ends them with nothing left behind.

import type { Difference } from "#kernel/difference.ts";
import { monotonicMs, realClock } from "#kernel/time.ts";
import { BackupFault } from "#platform/backup/fault.ts";
import { backedUpModes } from "#platform/backup/files.ts";
import type { BackupManifest } from "#platform/backup/manifest.ts";
import type { Proven } from "#platform/backup/proof.ts";
import { type BackupProgress, type BackupWork } from "#platform/backup/work.ts";
import type { Mode } from "#platform/database/shop.ts";

import { sentence, shopProof } from "./shop-proof.ts";

const BAR_CELLS = 24;
/** Often enough to be seen moving. */
const REDRAW_MS = 100;
const CLEAR_LINE = "\r\u001B[K";
const MEGABYTE = 1_000_000;

/** The work of one command; disposing it ends its line of progress. */
export interface TerminalWork extends BackupWork, Disposable {}

/** Progress goes to stderr, where stdout is for what scripts read. */
export function terminalWork(): TerminalWork {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      stop.abort(new BackupFault(`Stopped by ${signal}; nothing of it is left.`));
    });
  }
  const isTerminal = process.stderr.isTTY;
  return {
    shop: shopProof,
    clock: realClock,
    signal: stop.signal,
    onProgress: isTerminal ? drawBar() : sayEachStep(),
    [Symbol.dispose]: () => {
      if (isTerminal) process.stderr.write(CLEAR_LINE);
    },
  };
}

/** A line per database, and what does not agree in it. */
export function describeProof(
  manifest: BackupManifest,
  proven: Readonly<Record<Mode, Proven>>,
): string[] {
  return backedUpModes.flatMap((mode) => {
    const { rows } = manifest.databases[mode];
    const count = Object.values(rows).reduce((sum, one) => sum + one, 0);
    const { differences, told } = proven[mode];
    return [
      ...told.map((difference: Difference) => `${mode}: ${sentence(difference)}`),
      `${mode}: ${count} rows in ${Object.keys(rows).length} tables, ${summary(differences)}`,
    ];
  });
}

/** Bytes as a person reads them. */
export function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}

function summary(differences: number): string {
  if (differences === 0) return "everything agrees";
  return differences === 1 ? "1 difference" : `${differences} differences`;
}

function drawBar(): BackupWork["onProgress"] {
  let drawnAtMs = -REDRAW_MS;
  let drawnStep = "";
  return (progress) => {
    const step = stepName(progress);
    const nowMs = monotonicMs();
    if (step === drawnStep && nowMs - drawnAtMs < REDRAW_MS) return;
    drawnAtMs = nowMs;
    drawnStep = step;
    process.stderr.write(`${CLEAR_LINE}${step}${bar(progress)}`);
  };
}

function sayEachStep(): BackupWork["onProgress"] {
  let saidStep = "";
  return (progress) => {
    const step = stepName(progress);
    if (step === saidStep) return;
    saidStep = step;
    console.error(progress.ofBytes === 0 ? step : `${step}, ${megabytes(progress.ofBytes)}`);
  };
}

function stepName({ mode, step }: BackupProgress): string {
  return `${step} ${mode}`;
}

function bar({ doneBytes, ofBytes }: BackupProgress): string {
  if (ofBytes === 0) return "";
  const share = Math.min(doneBytes / ofBytes, 1);
  const full = Math.round(share * BAR_CELLS);
  const cells = "#".repeat(full).padEnd(BAR_CELLS, ".");
  return ` [${cells}] ${Math.floor(share * 100)} % of ${megabytes(ofBytes)}`;
}
