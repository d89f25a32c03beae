// Shared by the backup commands at a terminal: their progress, the verification they print, and the signals
// that stop them with nothing left behind.

import { existsSync } from "node:fs";
import { join } from "node:path";

import { openMediaFiles } from "#catalog/media/media-shop.ts";
import { readSettings, type SettingOptions, UsageFault } from "#cli/operator/settings.ts";
import { progressBar, progressLine } from "#cli/operator/table.ts";
import type { Difference } from "#kernel/difference.ts";
import { zeroId } from "#kernel/id.ts";
import { realClock } from "#kernel/time.ts";
import { backedUpModes, BackupFault, databaseFile } from "#platform/backup/files.ts";
import type { BackupManifest } from "#platform/backup/manifest.ts";
import type { Proven } from "#platform/backup/proof.ts";
import type { BackupProgress, BackupWork } from "#platform/backup/work.ts";
import type { Config } from "#platform/config/config.ts";
import type { Mode } from "#platform/database/shop.ts";
import { openOfAnyVersion } from "#platform/database/sqlite/verify.ts";
import type { FileStore } from "#platform/files/file-store.ts";
import { readGivenText, UnreadablePath } from "#platform/process/given-file.ts";
import { KEY_FILE, keysIn } from "#platform/vault/keys.ts";
import { openVault, type Vault, vaultWith } from "#platform/vault/vault.ts";
import { findStoreId } from "#shop/store/lookups.ts";

import { differenceCount, sentence, shopProof } from "./shop-proof.ts";

const MEGABYTE = 1_000_000;

/** The work of one command; disposing it clears its line of progress. */
interface TerminalWork extends BackupWork, Disposable {}

/** The work of this process, with the key of the shop; SIGINT and SIGTERM abort it. */
export function terminalWork<V extends Vault | null>(
  vault: V,
): TerminalWork & { readonly vault: V } {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      stop.abort(new BackupFault(`Stopped by ${signal}; nothing was left behind.`));
    });
  }
  const line = process.stderr.isTTY ? progressLine() : null;
  return {
    vault,
    shop: shopProof,
    clock: realClock,
    signal: stop.signal,
    onProgress: line === null ? printEachStep() : drawEachStep(line),
    [Symbol.dispose]: () => line?.[Symbol.dispose](),
  };
}

/** The options of what makes, copies and lists backups. */
export interface BackupOptions extends SettingOptions {
  readonly to?: string;
  readonly keep?: string;
}

/** The number of backups that are kept; null where none is deleted. */
export function readKeep(text: string | undefined): number | null {
  if (text === undefined) return null;
  const keep = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (keep >= 1) return keep;
  throw new UsageFault(`--keep must be a whole number from 1, not "${text}".`);
}

/** The options that say whose backup is accepted. */
export interface TrustOptions extends SettingOptions {
  readonly secretKeyFile?: string;
  readonly unverified?: true;
}

/**
 * The keys that a backup may be signed with: those of the named file, else those of the settings or
 * the data directory; null where there are none.
 */
export function trustedVault(options: TrustOptions): Vault | null {
  const { dataDirectory, secretKey } = readSettings(options);
  const { secretKeyFile: file } = options;
  if (file !== undefined) {
    return vaultWith(keysIn(readKeyText(file), file), []);
  }
  const isKnown = secretKey !== null || existsSync(join(dataDirectory, KEY_FILE));
  return isKnown ? openVault(dataDirectory, secretKey) : null;
}

function readKeyText(file: string): string {
  try {
    return readGivenText(file);
  } catch (error) {
    throw error instanceof UnreadablePath ? new UsageFault(error.message) : error;
  }
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

// The files of uploaded pictures, for backups and restores.

/** Returns the files of a mode and a store; without the id of a store, those of a shop that was never opened: none. */
type MediaFiles = (mode: Mode, storeId: string | null) => FileStore;

/** Null where the settings name no place for files. */
export function mediaFilesOf({ media }: Config): MediaFiles | null {
  if (media === null) return null;
  return (mode, id) => openMediaFiles(media, mode, async () => id ?? zeroId("store"));
}

/** The same for the stores of the databases in the data directory. */
export async function presentFilesOf(config: Config): Promise<((mode: Mode) => FileStore) | null> {
  const files = mediaFilesOf(config);
  if (files === null) return null;
  const idOf = async (mode: Mode) => {
    using file = openOfAnyVersion(join(config.dataDirectory, databaseFile(mode)));
    return await findStoreId(file.reader);
  };
  const ids = { test: await idOf("test"), live: await idOf("live") };
  return (mode) => files(mode, ids[mode]);
}
