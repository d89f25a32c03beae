// Lookup: compares the pictures of products, their variants and collections with their media, of which they have copies.
// Rows are read in pages, since a shop may have more products than fit in memory.

import { type Image, mediaOf, type MediumImage } from "#catalog/rows/image.ts";
import type { Difference } from "#kernel/difference.ts";
import type { Id } from "#kernel/id.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";

import { collectionPictures } from "./lookups.ts";
import { mediumRows, picturesOfVariants, productPicturesAfter, usesOfProducts } from "./queries.ts";

const PRODUCTS_AT_ONCE = 500;

/** A record that shows pictures. */
interface Showing<I extends string = string> {
  readonly id: I;
  readonly images: readonly Image[];
}

/**
 * Yields each picture whose medium is not there or has another size, and each product whose media are not those that are
 * kept from deletion for it. Needs a Reader of one snapshot.
 */
export async function* auditPictures(db: Reader): AsyncGenerator<Difference> {
  yield* differencesOf(db, await collectionPictures(db));
  for (let id = ""; ;) {
    await nextTurn();
    const found = await productPicturesAfter(db, { id, rows: PRODUCTS_AT_ONCE });
    const last = found.at(-1);
    if (last === undefined) return;
    id = last.id;
    const products = await withVariants(db, found);
    yield* differencesOf(db, products);
    yield* keptDifferences(db, products);
  }
}

/** The products with the pictures of their variants behind their own. */
async function withVariants(
  db: Reader,
  products: readonly Showing<Id<"product">>[],
): Promise<Showing<Id<"product">>[]> {
  const found = await picturesOfVariants(db, { productIds: products.map(({ id }) => id) });
  const ofVariants = Map.groupBy(found, ({ productId }) => productId);
  return products.map(({ id, images }) => {
    const others = (ofVariants.get(id) ?? []).flatMap(({ image }) => image ?? []);
    return { id, images: [...images, ...others] };
  });
}

async function* differencesOf(db: Reader, showing: readonly Showing[]): AsyncGenerator<Difference> {
  const ids = new Set(showing.flatMap(({ images }) => mediaOf(images)));
  const found = ids.size === 0 ? [] : await mediumRows.findAll(db, [...ids]);
  const sizes = new Map(
    found.map(({ id, files, ...medium }) => [
      id,
      sizeOf({ ...medium, widths: files.map(({ width }) => width) }),
    ]),
  );
  for (const { id: subject, images } of showing) {
    for (const image of images) {
      if (!("mediaId" in image)) continue;
      const what = `picture ${image.mediaId}`;
      const expected = sizes.get(image.mediaId);
      if (expected === undefined) yield { subject, what, expected: "a medium", found: "missing" };
      else if (expected !== sizeOf(image)) yield { subject, what, expected, found: sizeOf(image) };
    }
  }
}

function sizeOf({ width, height, widths }: Pick<MediumImage, "width" | "height" | "widths">) {
  return `${width} x ${height} in ${widths.join(", ")}`;
}

async function* keptDifferences(
  db: Reader,
  products: readonly Showing<Id<"product">>[],
): AsyncGenerator<Difference> {
  const productIds = products.map(({ id }) => id);
  const kept = Map.groupBy(await usesOfProducts(db, { productIds }), ({ productId }) => productId);
  for (const { id: subject, images } of products) {
    const expected = listed(mediaOf(images));
    const found = listed((kept.get(subject) ?? []).map(({ mediaId }) => mediaId));
    if (expected !== found) yield { subject, what: "media kept for it", expected, found };
  }
}

function listed(ids: readonly Id<"medium">[]): string {
  return ids.length === 0 ? "none" : [...new Set(ids)].toSorted().join(", ");
}
