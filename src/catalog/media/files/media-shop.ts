// What uploads and deletions of media need beside the database.

import { mediaStoreMissing } from "#catalog/media/medium.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { FileStore } from "#platform/files/folder-store.ts";
import type { ImageMaker } from "#platform/image/image-maker.ts";

export interface Media {
  /** Null where the shop has no place for files. */
  readonly files: FileStore | null;
  readonly images: ImageMaker;
  /**
   * What is done about the files of one hash is done one after the other: an upload, a deletion and the sweep would
   * else take files from each other.
   */
  readonly inTurn: <T>(sha256: string, work: () => Promise<T>) => Promise<T>;
}

export interface MediaShop extends Shop {
  readonly media: Media;
}

/** The files of the shop. Refuses with `media_store_missing`. */
export function filesOf({ media: { files } }: MediaShop): FileStore {
  if (files === null) throw mediaStoreMissing();
  return files;
}
