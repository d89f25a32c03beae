// Workflows: make a medium of a file that was received, change its words, and delete it while nothing shows it.

import type { MediumFile } from "#catalog/rows/column-types.ts";
import { fileName, namesOfFiles } from "#catalog/rows/image.ts";
import {
  imageDamaged,
  imageTooLarge,
  imageUnsupported,
  mediumInUse,
} from "#catalog/rows/medium.ts";
import type { Medium } from "#catalog/rows/tables.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import { type Id, newId } from "#kernel/id.ts";
import type { Refusal } from "#kernel/refusal.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";
import { storageFull } from "#platform/database/errors.ts";
import { isDiskFull } from "#platform/files/durable-file.ts";
import { type ImageFault, UnreadableImage } from "#platform/files/image-maker.ts";

import { findCollectionsShowing, getMediaUrl, type ServedMedium } from "./lookups.ts";
import { filesOf, hashOf, type MediaShop, removeFiles } from "./media-shop.ts";
import { findMediumOfBytes, insertMedium, mediumRows, productsOfMedium } from "./queries.ts";

interface UploadedMedium {
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
    const { sizes, ...facts } = await shop.media.images.make(path);
    for (const { width, bytes } of sizes) {
      await store.put(fileName(id, width), bytes);
      const sha256 = hashOf(bytes);
      files.push({ width, bytes: bytes.byteLength, sha256, pixels: "alone" });
    }
    return { ...facts, files: files.toSorted((one, other) => one.width - other.width) };
  } catch (error) {
    await removeFiles(shop, namesOfFiles({ id, files }));
    if (error instanceof UnreadableImage) throw refusals[error.fault]();
    throw isDiskFull(error) ? storageFull() : error;
  }
}

const refusals: Readonly<Record<ImageFault, () => Refusal>> = {
  other_format: imageUnsupported,
  too_many_pixels: imageTooLarge,
  damaged: imageDamaged,
  too_costly: () =>
    imageDamaged({ detail: "The picture takes too much memory or time to be decoded." }),
};

/**
 * Products that show it keep the words that they have: those of the medium are what a product gets where it is given
 * none. Refuses with `medium_not_found` and `stale_version`.
 */
export async function updateMedium(
  tx: Tx,
  id: Id<"medium">,
  { alt, expected }: { readonly alt: string; readonly expected: ExpectedVersion },
): Promise<ServedMedium> {
  const before = await mediumRows.lock(tx, id);
  requireVersion(before.version, expected);
  const after = alt === before.alt ? before : await mediumRows.save(tx, before, { alt });
  return { ...after, mediaUrl: await getMediaUrl(tx) };
}

/** As many of each as the refusal names. */
const NAMED_MAX = 100;

/**
 * Deletes the row, then the files, so that no row is without its files. Refuses with `medium_not_found`,
 * `medium_in_use` and `media_store_missing`.
 */
export async function deleteMedium(shop: MediaShop, id: Id<"medium">): Promise<void> {
  filesOf(shop);
  const medium = await shop.database.write(async (tx) => {
    // A product or a collection that is given the medium locks it, too.
    const locked = await mediumRows.lock(tx, id);
    const uses = await productsOfMedium(tx, { mediaId: id, rows: NAMED_MAX });
    const collections = await findCollectionsShowing(tx, id);
    if (uses.length + collections.length > 0) {
      const product_ids = uses.map(({ productId }) => productId);
      const collection_ids = collections.slice(0, NAMED_MAX);
      throw mediumInUse({ members: { product_ids, collection_ids } });
    }
    await mediumRows.drop(tx, id);
    return locked;
  });
  await removeFiles(shop, namesOfFiles(medium));
}
