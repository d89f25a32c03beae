// Counts what the products of a list have in common. The counts of a group follow all filters but those on the group
// itself: with a category chosen, its neighbours keep their counts, and the customer can change over to one.

import type { AskedOption } from "#catalog/listing/options.ts";
import { type CurrencyCode, isCurrency } from "#kernel/currency.ts";

import { type Count, countOptions } from "./count-options.ts";

/** Values that are told of a group, and options that are told. */
export const VALUES_MAX = 100;
export const OPTIONS_MAX = 20;

export interface FacetValue {
  readonly value: string;
  /** Products that have it. */
  readonly count: number;
}

/** The values of a group: those of most products first, then by name. */
export interface FacetGroup {
  readonly values: readonly FacetValue[];
  /** Values beyond those. */
  readonly leftOut: number;
}

export interface FacetOption extends FacetGroup {
  readonly name: string;
}

/** The lowest prices of products in a currency. */
export interface PriceRange {
  readonly currency: CurrencyCode;
  readonly count: number;
  readonly minMinor: number;
  readonly maxMinor: number;
}

export interface FacetCounts {
  /** Products that pass all filters. */
  readonly total: number;
  readonly categories: FacetGroup;
  readonly brands: FacetGroup;
  readonly tags: FacetGroup;
  readonly options: readonly FacetOption[];
  readonly optionsLeftOut: number;
  readonly prices: readonly PriceRange[];
}

/** Products that have the same in one respect. */
export interface CountedRow {
  readonly kind: "total" | "category" | "brand" | "tag" | "options" | "price";
  /** A category, a brand, a tag, a currency, or the options of a product: of each its variant, name and value. */
  readonly value: string | null;
  readonly count: number;
  readonly minMinor: number;
  readonly maxMinor: number;
}

/** Sums rows, those of several parts of a list as well. */
export function sumRows(
  rows: readonly CountedRow[],
  asked: readonly AskedOption[] = [],
): FacetCounts {
  const of = (kind: CountedRow["kind"]) => rows.filter((row) => row.kind === kind);
  const group = (kind: CountedRow["kind"]) =>
    groupOf(of(kind).map(({ value, count }) => [value ?? "", count]));
  const [options, optionsLeftOut] = sumOptions(of("options"), asked);
  return {
    total: of("total").reduce((sum, { count }) => sum + count, 0),
    categories: group("category"),
    brands: group("brand"),
    tags: group("tag"),
    options,
    optionsLeftOut,
    prices: sumPrices(of("price")),
  };
}

function groupOf(counts: readonly Count[]): FacetGroup {
  const sums = new Map<string, number>();
  for (const [value, count] of counts) sums.set(value, (sums.get(value) ?? 0) + count);
  const all = [...sums].map(([value, count]) => ({ value, count })).toSorted(byCount);
  return { values: all.slice(0, VALUES_MAX), leftOut: Math.max(0, all.length - VALUES_MAX) };
}

function byCount(one: FacetValue, other: FacetValue): number {
  return other.count - one.count || (one.value < other.value ? -1 : 1);
}

/** The options of most products first. */
function sumOptions(
  rows: readonly CountedRow[],
  asked: readonly AskedOption[],
): [FacetOption[], number] {
  const all = countOptions(rows, asked).toSorted((one, other) =>
    byCount({ ...one, value: one.name }, { ...other, value: other.name }),
  );
  const told = all.slice(0, OPTIONS_MAX);
  return [told.map(({ name, values }) => ({ name, ...groupOf(values) })), all.length - told.length];
}

function sumPrices(rows: readonly CountedRow[]): PriceRange[] {
  const priced = rows.flatMap(({ value, ...row }) =>
    value !== null && isCurrency(value) ? [{ ...row, currency: value }] : [],
  );
  return [...Map.groupBy(priced, ({ currency }) => currency)]
    .map(([currency, all]) => ({
      currency,
      count: all.reduce((sum, { count }) => sum + count, 0),
      minMinor: Math.min(...all.map(({ minMinor }) => minMinor)),
      maxMinor: Math.max(...all.map(({ maxMinor }) => maxMinor)),
    }))
    .toSorted((one, other) => other.count - one.count || (one.currency < other.currency ? -1 : 1));
}
