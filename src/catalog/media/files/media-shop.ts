// What uploads and deletions of media need beside the database.

import { mediaStoreMissing } from "#catalog/media/medium.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { FileStore } from "#platform/files/folder-store.ts";
import type { ImageMaker } from "#platform/image/image-maker.ts";

export interface Media {
  /** Null where the shop has no place for files. */
  readonly files: FileStore | null;
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
