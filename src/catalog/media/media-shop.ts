// The store of files that uploads and deletions of media need beside the database: a folder of this server or a bucket.
// What makes pictures is loaded with the first upload.

import { join } from "node:path";

import { mediaStoreMissing } from "#catalog/rows/medium.ts";
import { Refusal } from "#kernel/refusal.ts";
import type { Mode, Shop } from "#platform/database/shop.ts";
import {
  bytesOf,
  type FilePlace,
  type FileStore,
  mediaStoreUnavailable,
  openFolderStore,
} from "#platform/files/file-store.ts";
import type { ImageMaker } from "#platform/files/image-maker.ts";
import { openS3Store } from "#platform/files/s3-store.ts";
import { lazilyLoaded } from "#platform/process/lazy.ts";
import { getStore } from "#shop/store/lookups.ts";

interface Media {
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

/** Deletes files that no row refers to any longer. Those that their store does not delete now are left to the sweep. */
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

/** The media of the shop in the place of the settings; null is none. Both modes share the image maker. */
export function openMedia(
  { mode, database }: Pick<Shop, "mode" | "database">,
  place: FilePlace | null,
  images: ImageMaker,
): Media {
  const storeId = async () => (await getStore(database.read)).id;
  return {
    files: place === null ? null : openMediaFiles(place, mode, storeId),
    publicUrl: place !== null && "bucket" in place ? place.bucket.publicUrl : null,
    images,
  };
}

/**
 * The files of a mode. In a folder each mode has one of its own. A bucket may be shared by several shops, so there the
 * id of the store comes first.
 */
export function openMediaFiles(
  place: FilePlace,
  mode: Mode,
  storeId: () => Promise<string>,
): FileStore {
  if ("folder" in place) return openFolderStore(join(place.folder, mode));
  const prefix = async () => `${mediaKeys(await storeId(), mode)}/`;
  return openS3Store(place.bucket, { prefix, type: "image/webp" });
}

/** The image maker of a program. */
export function openImages(): ImageMaker {
  const load = lazilyLoaded(async () => {
    const { openImageMaker } = await import("#platform/files/image-maker.ts");
    return openImageMaker();
  });
  return { make: async (path) => (await load()).make(path) };
}

/** Below this path of the server's address are the files of the mode. */
export function mediaPath(mode: Mode): string {
  return `/media/${mode}`;
}

/** The beginning of the keys of the mode's files in a bucket, which other shops may share. */
export function mediaKeys(storeId: string, mode: Mode): string {
  return `${storeId}/${mode}`;
}

/** Returns the bytes of a file; null where there is none of the name. */
export async function readFile(store: FileStore, name: string): Promise<Uint8Array | null> {
  const file = await store.open(name);
  return file === null ? null : bytesOf(file);
}

/** Returns the SHA-256 of a file as its row has it, in hexadecimal. */
export function hashOf(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}
