// `duka export archive`: takes everything out of the shop, or compares an archive with its manifest.

import { resolve } from "node:path";

import { openMediaFiles } from "#catalog/media/media-shop.ts";
import { administer } from "#cli/operator/administer.ts";
import { readSettings, type SettingOptions, UsageFault } from "#cli/operator/settings.ts";
import { printable, progressLine } from "#cli/operator/table.ts";
import { realClock } from "#kernel/time.ts";
import { BackupFault } from "#platform/backup/files.ts";
import { openSnapshot } from "#platform/database/open-database.ts";
import type { Mode } from "#platform/database/shop.ts";
import { print } from "#platform/process/output.ts";
import { findClockOffset } from "#platform/scheduler/shop-clock.ts";
import { openVault } from "#platform/vault/vault.ts";
import { getStore } from "#shop/store/lookups.ts";

import type { ArchiveManifest } from "./manifest.ts";
import { verifyArchive } from "./verify-archive.ts";
import { requireFree, writeArchive } from "./write-archive.ts";

export interface ArchiveOptions extends SettingOptions {
  readonly mode: Mode;
  readonly to?: string;
  readonly mask?: true;
  /** An archive to read, instead of taking one. */
  readonly verify?: string;
}

/** Takes an archive, or verifies one. True if nothing is missing in it. */
export async function archiveAtTerminal(options: ArchiveOptions): Promise<boolean> {
  const { to, verify } = options;
  if ((to === undefined) === (verify === undefined)) {
    throw new UsageFault("Give either --to, for a new archive, or --verify, for one to read.");
  }
  if (verify !== undefined) return verifyAtTerminal(verify);
  return takeAtTerminal(resolve(to ?? ""), options);
}

async function verifyAtTerminal(path: string): Promise<boolean> {
  const { files, faults, takenAt } = await verifyArchive(path);
  for (const fault of faults) print(printable(fault));
  if (faults.length === 0) {
    print(printable(`The archive of ${takenAt} is whole: ${files} files agree.`));
  }
  return faults.length === 0;
}

async function takeAtTerminal(path: string, options: ArchiveOptions): Promise<boolean> {
  const { mode, mask } = options;
  const config = readSettings(options);
  const { dataDirectory: directory, server, media } = config;
  const isMasked = mask === true;
  await requireFree(path);
  await administer(config, { name: "archive.export", input: { mode, masked: isMasked } });
  await using snapshot = await openSnapshot(
    mode,
    { directory, server },
    openVault(directory, config.secretKey),
  );
  const storeId = async () => (await getStore(snapshot.reader)).id;
  using line = process.stderr.isTTY ? progressLine() : null;
  const manifest = await writeArchive(path, {
    db: snapshot.reader,
    mode,
    now: realClock.now() + (await findClockOffset(snapshot.reader)),
    media: media === null ? null : openMediaFiles(media, mode, storeId),
    isMasked,
    signal: stopSignal(),
    onStep: (resource) => line?.draw(resource, () => ""),
  });
  line?.[Symbol.dispose]();
  print(summaryOf(manifest, path));
  return manifest.missing_media_files === 0;
}

function summaryOf(manifest: ArchiveManifest, path: string): string {
  const { mode, masked, files, missing_media_files: missing } = manifest;
  const rows = files.reduce((sum, { count }) => sum + count, 0);
  const kind = masked ? " without personal data" : "";
  const lack = missing === 0 ? "" : ` It lacks ${missing} files of media that are not there.`;
  return `The archive of the ${mode} shop${kind} is ${path}, with ${rows} rows in ${files.length} files.${lack}`;
}

/** Aborted when the command is told to stop. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      stop.abort(new BackupFault(`Stopped by ${signal}; nothing was left behind.`));
    });
  }
  return stop.signal;
}
