// What making, proving and restoring a backup have in common: what the shop knows, the way to stop,
// and how far it is.

import type { Clock } from "#kernel/time.ts";
import type { Mode } from "#platform/database/shop.ts";

import type { PackingTerms } from "./packing.ts";
import type { ShopProof } from "./proof.ts";

/** How far one step of one database is. */
export interface BackupProgress {
  readonly mode: Mode;
  readonly step: "copying" | "settling" | "proving" | "packing" | "unpacking";
  readonly doneBytes: number;
  /** What it will be at most; 0 where nobody knows. */
  readonly ofBytes: number;
}

export interface BackupWork {
  readonly shop: ShopProof;
  /** The machine's: a backup is of an instant of the world. */
  readonly clock: Clock;
  /** Ends the work at its next step, and leaves nothing of it. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BackupProgress) => void;
}

/** One step of the work, begun. */
export function beginStep(
  { signal, onProgress }: BackupWork,
  step: Omit<BackupProgress, "doneBytes">,
): PackingTerms {
  signal.throwIfAborted();
  onProgress({ ...step, doneBytes: 0 });
  return { signal, onBytes: (doneBytes) => onProgress({ ...step, doneBytes }) };
}
