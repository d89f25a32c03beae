// The price of a WooCommerce product while a sale lasts, and after it.

import type { Row } from "./columns.ts";
import type { Draft } from "./draft.ts";

interface PricePlace {
  readonly row: Row;
  /** The pointer of the variant. */
  readonly at: string;
}

/** The price, with the regular one beside it where a sale is on; undefined without a price. */
export function readSalePrice(draft: Draft, { row, at }: PricePlace) {
  const { currency, now } = draft.terms;
  const amountOf = (column: string, pointer: string) =>
    draft.amount({ row, column, pointer: `${at}/prices/0/${pointer}` });
  const regular = amountOf("regular_price", "amount");
  const sale = row.get("sale_price") === "" ? undefined : amountOf("sale_price", "amount");
  if (sale === undefined || regular === undefined) {
    return regular === undefined ? undefined : { currency, amount: regular };
  }
  const [from, to] = [instantOf(row.get("sale_from")), instantOf(row.get("sale_to"))];
  if (from > now || to < now) {
    draft.warn(row, "The sale is not on now: the regular price is taken over.");
    return { currency, amount: regular };
  }
  if (to >= now) draft.warn(row, "The sale price does not end by itself here.");
  draft.at({ row, column: "regular_price", pointer: `${at}/prices/0/compare_at` });
  return { currency, amount: sale, compare_at: regular };
}

/** Epoch milliseconds; NaN, which is neither before nor after any other, without a date. */
function instantOf(text: string): number {
  return Date.parse(text);
}
