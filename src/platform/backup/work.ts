// Shared by making, verifying and restoring a backup: the shop's audits, cancellation, and
// progress.

import type { Clock } from "#kernel/time.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Vault } from "#platform/vault/vault.ts";

import type { PackingTerms } from "./packing.ts";
import type { ShopProof } from "./proof.ts";

/** The progress of one step of one database. */
export interface BackupProgress {
  readonly mode: Mode;
  readonly step:
    "copying" | "settling" | "proving" | "packing" | "unpacking" | "uploading" | "downloading";
  readonly doneBytes: number;
  /** The final value; 0 if unknown. */
  readonly ofBytes: number;
}

export interface BackupWork {
  /** Proves whose backup it is; null without a key. */
  readonly vault: Vault | null;
  readonly shop: ShopProof;
  /** The machine's clock, independent of the shop's. */
  readonly clock: Clock;
  /** Cancels the work at its next step; nothing of it is left. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BackupProgress) => void;
}

/** Begins one step of the work. */
export function beginStep(
  { signal, onProgress }: BackupWork,
  step: Omit<BackupProgress, "doneBytes">,
): PackingTerms {
  signal.throwIfAborted();
  onProgress({ ...step, doneBytes: 0 });
  return { signal, onBytes: (doneBytes) => onProgress({ ...step, doneBytes }) };
}
