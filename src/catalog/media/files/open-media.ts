// Opens the media of a shop. What makes pictures is loaded with the first upload.

import { join } from "node:path";

import type { Mode } from "#platform/database/shop.ts";
import { openFolderStore } from "#platform/files/folder-store.ts";
import type { ImageMaker } from "#platform/image/image-maker.ts";
import { lazilyLoaded } from "#platform/process/lazy.ts";

import type { Media } from "./media-shop.ts";

/** Each mode has a folder of its own below that of the settings; null is none. Both modes share the image maker. */
export function openMedia(mode: Mode, folder: string | null, images: ImageMaker): Media {
  return {
    files: folder === null ? null : openFolderStore(join(folder, mode)),
    images,
  };
}

/** The image maker of a program. */
export function openImages(): ImageMaker {
  const load = lazilyLoaded(async () => {
    const { openImageMaker } = await import("#platform/image/image-maker.ts");
    return openImageMaker();
  });
  return { make: async (path, take) => (await load()).make(path, take) };
}
