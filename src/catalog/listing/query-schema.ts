// The parameters of the list of products that say its order, and those on prices and stock.

import Type, { type Static } from "typebox";

import { type MemberOrder, productOrders } from "#catalog/rows/column-types.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { amountSentence, parseAmount } from "#kernel/money.ts";
import type { PageRequest } from "#kernel/page.ts";
import { family } from "#platform/http/contract/filters.ts";
import { cursorInvalid, queryInvalid } from "#platform/http/contract/refusals.ts";
import { choice, currency, decimal, line, optional } from "#platform/http/contract/words.ts";

import { type Order, readPlace, type Sorting, WALK_MAX } from "./sorting.ts";

const amount = Type.String({
  ...decimal,
  description: "In major units of `currency`, for the lowest price of a product.",
});

/** Options that are asked for at once, and values of each. */
const NAMES_MAX = 5;
const VALUES_MAX = 20;
/** As long as a product may have one. */
const VALUE_LENGTH_MAX = 100;

const option = family(line(VALUE_LENGTH_MAX), {
  members: NAMES_MAX,
  values: VALUES_MAX,
  description:
    "The options of one variant by their names, each with any of its values: `option[Size]=M,L&option[Color]=Red`. Neither case nor accents matter. With `available=true` a unit of that variant can be ordered now.",
});

/** Those that bound a list, to be spread into its query. */
export const boundParameters = {
  currency: optional(currency),
  "price[gte]": optional(amount),
  "price[lte]": optional(amount),
  available: optional(
    Type.Boolean({ description: "Whether a unit of one of its variants can be ordered now." }),
  ),
  option: optional(option),
};

/** The same with the order of the list. */
export const sortingParameters = {
  sort: optional(
    choice(productOrders, {
      description:
        "`newest` by default. By `price`, products without one in `currency` are left out. `-` begins with the highest price or the last name.",
    }),
  ),
  ...boundParameters,
};

const parameters = Type.Object(sortingParameters);
type SortingQuery = Omit<Static<typeof parameters>, "sort"> & {
  /** By `position` only where the filters name a collection. */
  readonly sort?: MemberOrder | undefined;
};

const orderOf: Readonly<Record<MemberOrder, Order>> = {
  newest: { descending: true },
  price: { byPrice: true, ascending: true },
  "-price": { byPrice: true, descending: true },
  name: { byName: true, ascending: true },
  "-name": { byName: true, descending: true },
  position: { byPosition: true, ascending: true },
};

/** Returns true if a list needs more than its filters and the ids of its products. */
export function isSorted(query: SortingQuery): boolean {
  const { sort = "newest", available } = query;
  return sort !== "newest" || available !== undefined || isBounded(query);
}

function isBounded(query: SortingQuery): boolean {
  return (query["price[gte]"] ?? query["price[lte]"]) !== undefined;
}

/** Reads the order and the bounds of a list. Refuses with `query_invalid` and `invalid_cursor`. */
export function readSorting(
  query: SortingQuery,
  page: PageRequest,
  storeCurrency: CurrencyCode,
): Sorting {
  const { sort = "newest", available, currency: asked = storeCurrency } = query;
  const order = orderOf[sort];
  const place = page.after === null ? {} : readPlace(page.after, order);
  if (place === null) throw cursorInvalid();
  const isPriced = order.byPrice === true || isBounded(query);
  return {
    ...order,
    currency: isPriced ? asked : undefined,
    priceLeast: readBound(query, "price[gte]", asked),
    priceMost: readBound(query, "price[lte]", asked),
    inStock: available === true ? true : undefined,
    soldOut: available === false ? true : undefined,
    walk: WALK_MAX,
    ...place,
  };
}

function readBound(
  query: SortingQuery,
  parameter: "price[gte]" | "price[lte]",
  of: CurrencyCode,
): number | undefined {
  const given = query[parameter];
  if (given === undefined) return undefined;
  const parsed = parseAmount(given, of);
  if ("amountMinor" in parsed) return parsed.amountMinor;
  const { fault: code } = parsed;
  throw queryInvalid({ faults: [{ parameter, code, detail: amountSentence(code, of) }] });
}
