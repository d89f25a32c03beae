// Workflow: make a medium of a file that was received.

import { type Id, newId } from "#kernel/id.ts";
import { WriteConflict } from "#platform/database/database.ts";
import { storageFull } from "#platform/database/errors.ts";
import { isDiskFull } from "#platform/files/durable-file.ts";
import { type ImageFault, UnreadableImage } from "#platform/files/image-maker.ts";

import { filesOf, type MediaShop, removeFiles } from "./files/media-shop.ts";
import { fileName, namesOfFiles } from "./image.ts";
import type { MediumFile } from "./medium-file.ts";
import { imageDamaged, imageTooLarge, imageUnsupported } from "./medium.ts";
import { findMediumOfBytes, insertMedium } from "./queries.ts";
import type { Medium } from "./tables.ts";

export interface UploadedMedium {
  readonly medium: Medium;
  /** True if the same bytes were a medium before. */
  readonly isKnown: boolean;
}

/**
 * Writes the sizes of the picture, then its row. A crash between the two leaves files that the sweep deletes. Of two
 * uploads of the same bytes one has the row, and the other deletes what it wrote. Refuses with `media_store_missing`,
 * `media_store_unavailable`, `image_unsupported`, `image_too_large`, `image_damaged` and `storage_full`.
 */
export async function uploadMedium(
  shop: MediaShop,
  { path, sha256 }: { readonly path: string; readonly sha256: string },
): Promise<UploadedMedium> {
  filesOf(shop);
  const known = await findMediumOfBytes(shop.database.read, sha256);
  if (known !== undefined) return { medium: known, isKnown: true };
  const id = newId("medium", shop.clock.now());
  const made = await makeFiles(shop, { path, id });
  const uploaded = await shop.database.write(async (tx) => {
    const stamps = { version: 1, createdAt: tx.now, updatedAt: tx.now };
    const medium = { id, sha256, alt: "", ...made, ...stamps };
    if (await insertMedium(tx, medium)) return { medium, isKnown: false };
    const other = await findMediumOfBytes(tx, sha256);
    // It came and went.
    if (other === undefined) throw new WriteConflict("The medium of the same bytes");
    return { medium: other, isKnown: true };
  });
  if (uploaded.isKnown) await removeFiles(shop, namesOfFiles({ id, ...made }));
  return uploaded;
}

/** Leaves no file of a picture that is refused. */
async function makeFiles(
  shop: MediaShop,
  { path, id }: { readonly path: string; readonly id: Id<"medium"> },
): Promise<Pick<Medium, "width" | "height" | "placeholder" | "files">> {
  const store = filesOf(shop);
  const files: MediumFile[] = [];
  try {
    const facts = await shop.media.images.make(path, async ({ width, bytes }) => {
      await store.put(fileName(id, width), bytes);
      const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
      files.push({ width, bytes: bytes.byteLength, sha256 });
    });
    return { ...facts, files: files.toSorted((one, other) => one.width - other.width) };
  } catch (error) {
    await removeFiles(shop, namesOfFiles({ id, files }));
    if (error instanceof UnreadableImage) throw refusals[error.fault]();
    throw isDiskFull(error) ? storageFull() : error;
  }
}

const refusals: Readonly<Record<ImageFault, typeof imageDamaged>> = {
  other_format: imageUnsupported,
  too_many_pixels: imageTooLarge,
  damaged: imageDamaged,
};
