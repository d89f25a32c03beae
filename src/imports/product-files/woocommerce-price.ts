// The price of a WooCommerce product while a sale lasts, and after it.

import type { Row } from "#imports/tables/columns.ts";
import { DAY_MS } from "#kernel/time.ts";

import type { ProductDraft } from "./product-draft.ts";
import { instantsOf } from "./written-date.ts";

interface PricePlace {
  readonly row: Row;
  /** The pointer of the variant. */
  readonly at: string;
}

/** The price, with the regular one beside it where a sale is on; undefined without a price. */
export function readSalePrice(draft: ProductDraft, { row, at }: PricePlace) {
  const { currency, now } = draft.terms;
  const amountOf = (column: string, pointer: string) =>
    draft.amount({ row, column, pointer: `${at}/prices/0/${pointer}` });
  const regular = amountOf("regular_price", "amount");
  const sale = row.get("sale_price") === "" ? undefined : amountOf("sale_price", "amount");
  if (regular === undefined) {
    if (sale !== undefined) draft.warn(row, "A sale price without a regular price is left out.");
    return undefined;
  }
  if (sale === undefined) return { currency, amount: regular };
  const from = dateOf(draft, row, "sale_from");
  const to = dateOf(draft, row, "sale_to") + lengthOf(row.get("sale_to"));
  if (Number(sale) > Number(regular)) {
    draft.noteMended(row, "A sale price above the regular one is left out.");
    return { currency, amount: regular };
  }
  if (from > now || to < now) {
    draft.warn(row, "The sale is not on now: the regular price is taken over.");
    return { currency, amount: regular };
  }
  if (to >= now) draft.warn(row, "The sale price does not end by itself here.");
  draft.at({ row, column: "regular_price", pointer: `${at}/prices/0/compare_at` });
  return { currency, amount: sale, compare_at: regular };
}

/** Epoch milliseconds; NaN, which is neither before nor after any other, without a date. */
function dateOf(draft: ProductDraft, row: Row, column: string): number {
  const text = draft.mended({ row, column, pointer: `/${column}` }, "figure");
  const instants = text === undefined ? null : instantsOf(text);
  if (instants === null) return Number.NaN;
  const [instant = Number.NaN, other] = instants;
  if (other === undefined && !Number.isNaN(instant)) return instant;
  const readings = instants.map((one) => new Date(one).toISOString().slice(0, 10)).join(" or ");
  const detail = `A date is written like 2026-11-30${readings === "" ? "" : `: this may be ${readings}`}.`;
  draft.fault({ row, column }, "invalid_format", detail);
  return Number.NaN;
}

/** A sale that ends on a day lasts until its end. */
function lengthOf(date: string): number {
  return date.includes(":") ? 0 : DAY_MS;
}
