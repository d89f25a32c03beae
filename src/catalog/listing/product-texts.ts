// The texts of products, for a rebuild of the search index, which writes their words anew, too.

import { searchText, spelledText } from "#catalog/rows/product.ts";
import type { IndexedTexts } from "#platform/database/search/rebuild.ts";

import { lockProductsAfter } from "./option-queries.ts";
import { textsOfVariants } from "./text-queries.ts";
import { writeSpellings } from "./write-spellings.ts";

export const productTexts: IndexedTexts = {
  kind: "products",
  textsAfter: async (tx, at) => {
    const rows = await lockProductsAfter(tx, at);
    if (rows.length === 0) return [];
    const variants = Map.groupBy(
      await textsOfVariants(tx, { productIds: rows.map(({ id }) => id) }),
      ({ productId }) => productId,
    );
    const found = rows.map((row) => ({ ...row, variants: variants.get(row.id) ?? [] }));
    await writeSpellings(tx, found.map(spelledText).join("\n"));
    return found.map((one) => ({ subject: one.id, text: searchText(one) }));
  },
};
