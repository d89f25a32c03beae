// Counts the options of variants. A variant is counted for a value by all options that are asked for but the value's own,
// so a count says how many products the list would have with that value.

import { type AskedOption, optionKey } from "#catalog/listing/options.ts";

/** Signs that no name and no value has, between the parts of an option and between options. */
export const WITHIN_OPTION = "\u001f";
export const BETWEEN_OPTIONS = "\u001e";

/** Products whose options are the same: of each option its variant, name and value, as one text. */
interface CountedOptions {
  readonly value: string | null;
  readonly count: number;
}

export type Count = readonly [value: string, count: number];

interface OptionCount {
  /** As most products spell it. */
  readonly name: string;
  readonly count: number;
  readonly values: readonly Count[];
}

/** A name and a value as they are spelled, and where they are counted. */
interface Spelled {
  readonly name: string;
  readonly value: string;
  readonly ofName: Tally;
  readonly ofValue: Tally;
  /** The bit of its name, if that is asked for. */
  readonly own: number;
  /** The same bit, if the value is one of those that are asked for. */
  readonly met: number;
}

/** Counts the products by names and values. What is folded alike is one, spelled as most products do. */
export function countOptions(
  products: readonly CountedOptions[],
  asked: readonly AskedOption[],
): OptionCount[] {
  const options = new Options(asked);
  const wanted = 2 ** asked.length - 1;
  products.forEach(({ value: text, count }, product) => {
    const held = options.read(text ?? "");
    const met = new Map<string, number>();
    for (const { variant, option } of held) {
      if (option.met > 0) met.set(variant, (met.get(variant) ?? 0) | option.met);
    }
    for (const { variant, option } of held) {
      if (((met.get(variant) ?? 0) | option.own) !== wanted) continue;
      option.ofName.add(product, option.name, count);
      option.ofValue.add(product, option.value, count);
    }
  });
  return options.counts();
}

/** The options that were read, each once. */
class Options {
  readonly #asked: readonly AskedOption[];
  readonly #known = new Map<string, Spelled>();
  readonly #names = new Map<
    string,
    { readonly tally: Tally; readonly values: Map<string, Tally> }
  >();

  constructor(asked: readonly AskedOption[]) {
    this.#asked = asked;
  }

  read(text: string): { readonly variant: string; readonly option: Spelled }[] {
    return text.split(BETWEEN_OPTIONS).map((entry) => {
      const end = entry.indexOf(WITHIN_OPTION);
      return { variant: entry.slice(0, end), option: this.#option(entry.slice(end + 1)) };
    });
  }

  #option(text: string): Spelled {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const [name = "", value = ""] = text.split(WITHIN_OPTION);
    const [nameKey, valueKey] = [optionKey(name), optionKey(value)];
    const { tally, values } = this.#names.getOrInsertComputed(nameKey, () => ({
      tally: new Tally(),
      values: new Map<string, Tally>(),
    }));
    const place = this.#asked.findIndex(([one]) => one === nameKey);
    const own = place < 0 ? 0 : 2 ** place;
    const option = {
      name,
      value,
      ofName: tally,
      ofValue: values.getOrInsertComputed(valueKey, () => new Tally()),
      own,
      met: this.#asked[place]?.includes(valueKey, 1) === true ? own : 0,
    };
    this.#known.set(text, option);
    return option;
  }

  /** Those that were counted. */
  counts(): OptionCount[] {
    return [...this.#names.values()].flatMap(({ tally, values }) => {
      const [named] = tally.count();
      if (named === undefined) return [];
      const [name, count] = named;
      return { name, count, values: [...values.values()].flatMap((one) => one.count()) };
    });
  }
}

/** Counts the products that have one thing, each once, by how it is spelled. */
class Tally {
  readonly #spelled = new Map<string, number>();
  #last = -1;

  add(product: number, spelled: string, count: number): void {
    if (this.#last === product) return;
    this.#last = product;
    this.#spelled.set(spelled, (this.#spelled.get(spelled) ?? 0) + count);
  }

  /** As most products spell it, with all its products; none if none has it. */
  count(): readonly Count[] {
    const [most] = [...this.#spelled].toSorted(
      ([one, count], [other, more]) => more - count || (one < other ? -1 : 1),
    );
    const sum = [...this.#spelled.values()].reduce((all, one) => all + one, 0);
    return most === undefined ? [] : [[most[0], sum]];
  }
}
