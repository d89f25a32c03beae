// The files of uploaded pictures, for backups and restores.

import { join } from "node:path";

import { openMediaFiles } from "#catalog/media/files/open-media.ts";
import { zeroId } from "#kernel/id.ts";
import { databaseFile } from "#platform/backup/files.ts";
import type { Config } from "#platform/config/config.ts";
import type { Mode } from "#platform/database/shop.ts";
import { openOfAnyVersion } from "#platform/database/sqlite/verify.ts";
import type { FileStore } from "#platform/files/file-store.ts";
import { findStoreId } from "#shop/store/lookups.ts";

/** The files of a mode, of the store with the id; none of a shop that was never opened has any. */
export type MediaFiles = (mode: Mode, storeId: string | null) => FileStore;

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
