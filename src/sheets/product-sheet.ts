// The products of a shop as a file that `duka import products` takes. Two passes over pages of products, since the
// currencies and options of all of them decide on the columns.

import { listInventory } from "#catalog/inventory/lookups.ts";
import { findProducts } from "#catalog/products/lookups.ts";
import { VARIANTS_MAX } from "#catalog/rows/variant.ts";
import type { Reader } from "#platform/database/database.ts";
import { getStore } from "#shop/store/lookups.ts";

import { columnOrder, compareAtColumn, priceColumn, rowsOf } from "./product-rows.ts";
import { pagesOf, type ReadPage, sheetOf, type SheetPage } from "./sheet.ts";

export interface ProductPage extends SheetPage {
  /** The currency of the shop. */
  readonly currency: string;
}

/** Small enough to be answered soon; each product may have a hundred variants. */
const PAGE_PRODUCTS = 20;

/** The file, with a row for each variant. */
export async function* productSheet(read: ReadPage<ProductPage>): AsyncGenerator<string> {
  yield* sheetOf(await columnsOf(read), read);
}

/** Reads the products after this id. */
export async function readProductPage(db: Reader, after: string | null): Promise<ProductPage> {
  const { rows, hasMore } = await findProducts(db, {
    before: after ?? undefined,
    limit: PAGE_PRODUCTS,
  });
  const levels = await listInventory(
    db,
    { productIds: rows.map(({ id }) => id) },
    { limit: PAGE_PRODUCTS * VARIANTS_MAX, after: null },
  );
  const { currency } = await getStore(db);
  return {
    rows: rows.flatMap((product) => rowsOf(product, levels.rows)),
    currency,
    after: hasMore ? (rows.at(-1)?.id ?? null) : null,
  };
}

/** The columns of every file, and those of the options and currencies that the products have. */
async function columnsOf(read: ReadPage<ProductPage>): Promise<string[]> {
  const used = new Set<string>();
  for await (const { rows, currency } of pagesOf(read)) {
    used.add(priceColumn(currency)).add(compareAtColumn(currency));
    for (const row of rows) for (const column of Object.keys(row)) used.add(column);
  }
  const { product, more, variant, stock } = columnOrder;
  const priced = [...used].filter((column) => column.startsWith("price_"));
  const prices = priced.flatMap((column) => [column, column.replace("price", "compare_at")]);
  const options = [...used].filter((column) => column.startsWith("option_"));
  return [...product, ...options, ...variant, ...prices, ...stock, ...more];
}
