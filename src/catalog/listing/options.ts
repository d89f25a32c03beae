// The filter by options of variants. Names and values are compared folded, so that `size` and `Size` are one option.

import { slugOf } from "#catalog/rows/product.ts";
import { line } from "#kernel/text.ts";

/**
 * Folds the name or the value of an option, as names of products are. One with digits keeps its signs, which tell a measure
 * from another, as -1.5 from +1.5 and 1.5 from 1-5.
 */
export function optionKey(text: string): string {
  const plain = line(text.normalize("NFKC")).replaceAll(/\s+/g, " ");
  if (!/\p{Nd}/u.test(plain)) return slugOf(plain, plain);
  return plain.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/** Names that one list can ask for, a filter each: that of the list, and that of its facets, which leaves no product out. */
const slots = [
  ["option1", "ofOption1"],
  ["option2", "ofOption2"],
  ["option3", "ofOption3"],
  ["option4", "ofOption4"],
  ["option5", "ofOption5"],
] as const;
type Slot = (typeof slots)[number];
export const optionSlots = slots.map(([slot]) => slot);
export const chosenSlots = slots.map(([, slot]) => slot);

/** An option that is asked for: its folded name, then its folded values; a variant has one of these. */
export type AskedOption = readonly string[];

/** The options that are asked for, all of which one variant has. */
export type OptionFilter = { readonly [K in Slot[0]]?: AskedOption | undefined };

/** The same of facets. */
export type ChosenOptions = { readonly [K in Slot[1]]?: AskedOption | undefined };

export function chosenOptions(filter: OptionFilter): ChosenOptions {
  return Object.fromEntries(slots.map(([slot, chosen]) => [chosen, filter[slot]]));
}

/** The filter of the values that are asked for by name; those of one name may be a single value with commas. */
export function optionFilter(asked: Readonly<Record<string, readonly string[]>>): OptionFilter {
  const valuesOf = new Map<string, Set<string>>();
  for (const [name, values] of Object.entries(asked)) {
    const known = valuesOf.get(optionKey(name)) ?? new Set();
    for (const value of [values.join(","), ...values]) known.add(optionKey(value));
    valuesOf.set(optionKey(name), known);
  }
  const options = [...valuesOf].map(([name, values]) => [name, ...values]);
  return Object.fromEntries(optionSlots.map((slot, at) => [slot, options[at]]));
}
