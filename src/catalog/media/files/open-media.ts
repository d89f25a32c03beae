// Opens the media of a shop. What makes pictures is loaded with the first upload.

import { join } from "node:path";

import type { Mode, Shop } from "#platform/database/shop.ts";
import { type FilePlace, type FileStore, openFolderStore } from "#platform/files/file-store.ts";
import type { ImageMaker } from "#platform/files/image-maker.ts";
import { openS3Store } from "#platform/files/s3-store.ts";
import { lazilyLoaded } from "#platform/process/lazy.ts";
import { getStore } from "#shop/store/lookups.ts";

import { mediaKeys } from "./media-path.ts";
import type { Media } from "./media-shop.ts";

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
  return { make: async (path, take) => (await load()).make(path, take) };
}
