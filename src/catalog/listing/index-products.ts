// Story: write what products are found by, a part at a time, of those that an older version wrote.

import { spelledText } from "#catalog/rows/product.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import type { Reader, Tx } from "#platform/database/database.ts";

import {
  endIndexing,
  findIndexed,
  lockIndexed,
  lockProductsAfter,
  moveIndexed,
  variantsOfProducts,
} from "./option-queries.ts";
import { writeOptions } from "./replace-options.ts";
import { writeSpellings } from "./write-spellings.ts";

export const stillIndexing = defineRefusal("still_indexing", "unavailable", {
  title: "The options of products are still being indexed.",
  cause: "After an upgrade the products of before are read once, in the background.",
  remedy: "Repeat the request after `Retry-After` seconds, or leave out `option`.",
  example: { headers: { "Retry-After": "60" } },
});

/** Returns true until the products of older versions are read. */
export async function isIndexing(db: Reader): Promise<boolean> {
  return (await findIndexed(db)) !== undefined;
}

/** Refuses with `still_indexing` until then. */
export async function requireIndexed(db: Reader): Promise<void> {
  if (await isIndexing(db)) throw stillIndexing({ headers: { "Retry-After": "60" } });
}

/** Products per transaction, so that no request waits for it. */
const PRODUCTS_AT_ONCE = 100;

/** Writes the options and the words of the next products of an older version, or ends their indexing. */
export async function indexProducts(tx: Tx): Promise<void> {
  const [place] = await lockIndexed(tx, {});
  if (place === undefined) return;
  const found = await lockProductsAfter(tx, { after: place.after, rows: PRODUCTS_AT_ONCE });
  const last = found.at(-1);
  if (last === undefined) {
    await endIndexing(tx, {});
    return;
  }
  const variants = await variantsOfProducts(tx, { productIds: found.map(({ id }) => id) });
  await writeOptions(tx, variants);
  const byProduct = Map.groupBy(variants, ({ productId }) => productId);
  const texts = found.map((one) => spelledText({ ...one, variants: byProduct.get(one.id) ?? [] }));
  await writeSpellings(tx, texts.join("\n"));
  await moveIndexed(tx, { after: last.id });
}
