// The products of a shop as the rows of a file that `duka import products` takes. Two passes over pages of products,
// since the currencies and options of all of them decide on the columns.

import type { Administration } from "#cli/operator/administer.ts";
import { listMember, textMember, textOrNull } from "#cli/operator/members.ts";
import { columnOrder, compareAtColumn, priceColumn } from "#cli/product-files/product-rows.ts";
import { csvRow, TEXT_MARK } from "#dashboard/reports/csv-row.ts";
import type { Mode } from "#platform/database/shop.ts";

import type { ExportInput } from "./product-acts.ts";

type Way = Pick<Administration, "run">;

/** The rows of the file with their ends, the names of the columns first. */
export async function* exportRows(shop: Way, mode: Mode): AsyncGenerator<string> {
  const columns = await columnsOf(shop, mode);
  yield TEXT_MARK + csvRow(columns);
  for await (const { rows } of pagesOf(shop, mode)) {
    for (const row of rows) yield csvRow(columns.map((column) => textOrNull(row, column)));
  }
}

/** The columns of every file, and those of the options and currencies that the products have. */
async function columnsOf(shop: Way, mode: Mode): Promise<string[]> {
  const used = new Set<string>();
  for await (const { rows, currency } of pagesOf(shop, mode)) {
    used.add(priceColumn(currency)).add(compareAtColumn(currency));
    for (const row of rows) for (const column of Object.keys(Object(row))) used.add(column);
  }
  const { product, more, variant, stock } = columnOrder;
  const priced = [...used].filter((column) => column.startsWith("price_"));
  const prices = priced.flatMap((column) => [column, column.replace("price", "compare_at")]);
  const options = [...used].filter((column) => column.startsWith("option_"));
  return [...product, ...options, ...variant, ...prices, ...stock, ...more];
}

async function* pagesOf(shop: Way, mode: Mode) {
  let after: string | null = null;
  do {
    const input: ExportInput = { mode, after };
    const page: unknown = await shop.run("products.export", input);
    yield { rows: listMember(page, "rows"), currency: textMember(page, "currency") };
    after = textOrNull(page, "after");
  } while (after !== null);
}
