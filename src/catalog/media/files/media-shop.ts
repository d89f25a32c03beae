// The store of files that uploads and deletions of media need beside the database.

import { mediaStoreMissing } from "#catalog/media/medium.ts";
import { Refusal } from "#kernel/refusal.ts";
import type { Shop } from "#platform/database/shop.ts";
import { type FileStore, mediaStoreUnavailable } from "#platform/files/file-store.ts";
import type { ImageMaker } from "#platform/files/image-maker.ts";

export interface Media {
  /** Null where the shop has no place for files. */
  readonly files: FileStore | null;
  /** The address at which browsers read them, without a final slash; null: on this server. */
  readonly publicUrl: string | null;
  readonly images: ImageMaker;
}

export interface MediaShop extends Shop {
  readonly media: Media;
}

/** The files of the shop. Refuses with `media_store_missing`. */
export function filesOf({ media: { files } }: MediaShop): FileStore {
  if (files === null) throw mediaStoreMissing();
  return files;
}

/** Deletes files that no row has any more. Those that their store does not delete now are left to the sweep. */
export async function removeFiles(
  { media: { files } }: MediaShop,
  names: readonly string[],
): Promise<void> {
  try {
    await files?.remove(names);
  } catch (error) {
    if (!(error instanceof Refusal && error.definition === mediaStoreUnavailable)) throw error;
  }
}
