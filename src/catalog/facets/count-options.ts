// Counts the options of variants. A variant is counted for a value by all options that are asked for but the value's own,
// so a count says how many products the list would have with that value.

import { type AskedOption, optionKey } from "#catalog/listing/options.ts";

/** Signs that no name and no value has, between the parts of an option and between options. */
export const WITHIN_OPTION = "\u001f";
export const BETWEEN_OPTIONS = "\u001e";

export const chosenSlots = [
  "ofOption1",
  "ofOption2",
  "ofOption3",
  "ofOption4",
  "ofOption5",
] as const;

/** The options that are asked for. They stand apart from those of a list, which leaves out products without them. */
export type ChosenOptions = {
  readonly [K in (typeof chosenSlots)[number]]?: AskedOption | undefined;
};

/** Products whose options are the same: of each option its variant, name and value, as one text. */
interface CountedOptions {
  readonly value: string | null;
  readonly count: number;
}

interface Held {
  readonly variant: string;
  readonly nameKey: string;
  readonly valueKey: string;
  readonly name: string;
  readonly value: string;
}

type Counts = readonly (readonly [value: string, count: number])[];

export interface OptionCounts {
  readonly names: Counts;
  /** By the folded name. */
  readonly valuesOf: ReadonlyMap<string, Counts>;
}

/** Counts the products by names and values. What is folded alike is one, spelled as most products do. */
export function countOptions(rows: readonly CountedOptions[], asked: ChosenOptions): OptionCounts {
  const names = new Spellings();
  const values = new Map<string, Spellings>();
  const read = optionReader();
  const counted = countedOf(asked);
  for (const { value: text, count } of rows) {
    const [seen, told] = [new Set<string>(), new Set<string>()];
    for (const { nameKey, valueKey, name, value } of counted(read(text ?? ""))) {
      if (!seen.has(nameKey)) names.add(nameKey, name, count);
      seen.add(nameKey);
      const of = values.get(nameKey) ?? new Spellings();
      values.set(nameKey, of);
      const pair = `${nameKey}${WITHIN_OPTION}${valueKey}`;
      if (!told.has(pair)) of.add(valueKey, value, count);
      told.add(pair);
    }
  }
  const valuesOf = new Map([...values].map(([name, of]) => [name, of.counts()]));
  return { names: names.counts(), valuesOf };
}

/** Reads the options of a text. What was folded once is known. */
function optionReader(): (text: string) => Held[] {
  const known = new Map<string, string>();
  const keyOf = (text: string) => {
    const key = known.get(text) ?? optionKey(text);
    known.set(text, key);
    return key;
  };
  return (text) =>
    text.split(BETWEEN_OPTIONS).map((entry) => {
      const [variant = "", name = "", value = ""] = entry.split(WITHIN_OPTION);
      return { variant, name, value, nameKey: keyOf(name), valueKey: keyOf(value) };
    });
}

/** Finds those of a product's options that are counted: the variant has the others that are asked for. */
function countedOf(chosen: ChosenOptions) {
  const asked = new Map(
    chosenSlots.flatMap((slot) => {
      const [name, ...values] = chosen[slot] ?? [];
      return name === undefined ? [] : [[name, new Set(values)] as const];
    }),
  );
  if (asked.size === 0) return (all: readonly Held[]) => all;
  return (all: readonly Held[]): readonly Held[] => {
    const met = new Map<string, Set<string>>();
    for (const { variant, nameKey, valueKey } of all) {
      if (asked.get(nameKey)?.has(valueKey) !== true) continue;
      met.set(variant, (met.get(variant) ?? new Set()).add(nameKey));
    }
    return all.filter(({ variant, nameKey }) => {
      const own = met.get(variant);
      const others = (own?.size ?? 0) - (own?.has(nameKey) === true ? 1 : 0);
      return others === asked.size - (asked.has(nameKey) ? 1 : 0);
    });
  };
}

/** Counts texts by their folded form, and by how they are spelled. */
class Spellings {
  readonly #byKey = new Map<string, Map<string, number>>();

  add(key: string, text: string, count: number): void {
    const spelled = this.#byKey.get(key) ?? new Map<string, number>();
    spelled.set(text, (spelled.get(text) ?? 0) + count);
    this.#byKey.set(key, spelled);
  }

  /** Each as most products spell it, with all its products. */
  counts(): Counts {
    return [...this.#byKey.values()].map((spelled) => {
      const [most] = [...spelled].toSorted(
        ([one, count], [other, more]) => more - count || (one < other ? -1 : 1),
      );
      return [most?.[0] ?? "", [...spelled.values()].reduce((sum, one) => sum + one, 0)] as const;
    });
  }
}
