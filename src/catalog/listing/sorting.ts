// The order of a list of products, and where a page of it ends.

import type { SortedRowFilters } from "./condition-queries.ts";
import type { ListedProduct } from "./match-queries.ts";

/** The terms of a sorted list beside the filters of every list. */
export type Sorting = Omit<SortedRowFilters, "rows">;

/** Products that are looked at for a page: some 10 ms of work. */
export const WALK_MAX = 2_000;

export const newestFirst: Sorting = { descending: true, walk: WALK_MAX };

export type Order = Pick<Sorting, "byPrice" | "byName" | "byPosition" | "ascending" | "descending">;

/** The end of a page: the value and the id of its last product, neither of which has a space, or at the id alone. */
export function placeAfter({ value, id }: ListedProduct): string {
  return value === id ? id : `${value} ${id}`;
}

/** The place that `placeAfter` told; null for one that no list of this order has. */
export function readPlace(
  after: string,
  { byPrice, byName, byPosition }: Order,
): Pick<Sorting, "afterValue" | "afterId"> | null {
  if ((byPrice ?? byName ?? byPosition) === undefined) return {};
  const [text = "", afterId = ""] = after.split(" ");
  if (byName === true) return { afterValue: text, afterId };
  const number = byPrice === true ? /^\d{1,15}$/ : /^\d{1,9}$/;
  const afterValue = number.test(text) ? Number(text) : null;
  return afterValue === null ? null : { afterValue, afterId };
}
