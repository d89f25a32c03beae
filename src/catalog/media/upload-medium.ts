// Workflow: make a medium of a file that was received.

import { newId } from "#kernel/id.ts";
import { storageFull } from "#platform/database/errors.ts";
import { isDiskFull } from "#platform/files/disk-full.ts";
import { type ImageFault, UnreadableImage } from "#platform/image/image-maker.ts";

import { filesOf, type MediaShop } from "./files/media-shop.ts";
import { fileName } from "./image.ts";
import type { MediumFile } from "./medium-file.ts";
import { imageDamaged, imageTooLarge, imageUnsupported } from "./medium.ts";
import { findMediumOfBytes, insertMedium } from "./queries.ts";
import type { Medium } from "./tables.ts";

export interface UploadedMedium {
  readonly medium: Medium;
  /** Whether the same bytes were a medium before. */
  readonly isKnown: boolean;
}

/**
 * Writes the sizes of the picture, then its row. A crash between the two leaves files that the sweep deletes. Refuses
 * with `media_store_missing`, `image_unsupported`, `image_too_large`, `image_damaged` and `storage_full`.
 */
export async function uploadMedium(
  shop: MediaShop,
  file: { readonly path: string; readonly sha256: string },
): Promise<UploadedMedium> {
  filesOf(shop);
  const { sha256 } = file;
  return shop.media.inTurn(sha256, async () => {
    const known = await findMediumOfBytes(shop.database.read, sha256);
    if (known !== undefined) return { medium: known, isKnown: true };
    const made = await makeFiles(shop, file);
    return shop.database.write(async (tx) => {
      const id = newId("medium", tx.now);
      const stamps = { version: 1, createdAt: tx.now, updatedAt: tx.now };
      const medium = { id, sha256, alt: "", ...made, ...stamps };
      if (await insertMedium(tx, medium)) return { medium, isKnown: false };
      const other = await findMediumOfBytes(tx, sha256);
      if (other === undefined) throw new Error("A medium of the same bytes came and went.");
      return { medium: other, isKnown: true };
    });
  });
}

/** Leaves no file of a picture that is refused. */
async function makeFiles(
  shop: MediaShop,
  { path, sha256 }: { readonly path: string; readonly sha256: string },
): Promise<Pick<Medium, "width" | "height" | "placeholder" | "files">> {
  const store = filesOf(shop);
  const made: MediumFile[] = [];
  try {
    const facts = await shop.media.images.make(path, async ({ width, bytes }) => {
      await store.put(fileName(sha256, width), bytes);
      const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
      made.push({ width, bytes: bytes.byteLength, sha256: hash });
    });
    return { ...facts, files: made.toSorted((one, other) => one.width - other.width) };
  } catch (error) {
    await store.remove(made.map(({ width }) => fileName(sha256, width)));
    if (error instanceof UnreadableImage) throw refusals[error.fault]();
    throw isDiskFull(error) ? storageFull() : error;
  }
}

const refusals: Readonly<Record<ImageFault, typeof imageDamaged>> = {
  other_format: imageUnsupported,
  too_many_pixels: imageTooLarge,
  damaged: imageDamaged,
};
