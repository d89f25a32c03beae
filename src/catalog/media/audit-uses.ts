// Lookup: compares the media that products and their variants show with the rows that keep these media from being
// deleted. Products are read in pages, since a shop may have more than fit in memory.

import { productIdsAfter } from "#catalog/listing/row-queries.ts";
import type { Difference } from "#kernel/difference.ts";
import type { Reader } from "#platform/database/database.ts";

import { mediaOf } from "./image.ts";
import { picturesOfProducts, picturesOfVariants, usesOfProducts } from "./queries.ts";

const PRODUCTS_AT_ONCE = 500;

/** Yields each product whose media are not those of its uses. Needs a Reader of one snapshot. */
export async function* auditUses(db: Reader): AsyncGenerator<Difference> {
  for (let id = ""; ;) {
    const found = await productIdsAfter(db, { id, rows: PRODUCTS_AT_ONCE });
    const last = found.at(-1);
    if (last === undefined) return;
    id = last.id;
    yield* auditPage(
      db,
      found.map((one) => one.id),
    );
  }
}

async function* auditPage(db: Reader, productIds: readonly string[]): AsyncGenerator<Difference> {
  const own = await picturesOfProducts(db, { productIds });
  const ofVariants = await picturesOfVariants(db, { productIds });
  const used = await usesOfProducts(db, { productIds });
  for (const { productId: subject, images } of own) {
    const others = ofVariants.flatMap(({ productId, image }) =>
      productId === subject && image !== null ? [image] : [],
    );
    const expected = listed(mediaOf([...images, ...others]));
    const found = listed(
      used.flatMap(({ productId, mediaId }) => (productId === subject ? [mediaId] : [])),
    );
    if (expected !== found) yield { subject, what: "media in use", expected, found };
  }
}

function listed(ids: readonly string[]): string {
  return ids.length === 0 ? "none" : [...new Set(ids)].toSorted().join(", ");
}
