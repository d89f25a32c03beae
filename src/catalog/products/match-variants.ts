// Which variant of a product each variant of a file is, and what the product calls its options.

import type { OptionValues, ProductOption } from "#catalog/rows/column-types.ts";
import type { Variant, VariantInput } from "#catalog/rows/variant.ts";
import { identifier } from "#kernel/text.ts";

interface Given {
  readonly fields: Pick<VariantInput, "sku" | "options">;
}

interface Matches {
  /** The known variant of each given one, by its index; one without an entry is new, unless it is unclear. */
  readonly known: ReadonlyMap<number, Variant>;
  /** Given ones that may be several of the known. */
  readonly unclear: ReadonlySet<number>;
}

/**
 * A given variant is the one with its SKU, else the one with its options, since SKUs are renamed more often than
 * options, else the only one that has the options that the file names.
 */
export function matchVariants(known: readonly Variant[], given: readonly Given[]): Matches {
  const matched = new Map<number, Variant>();
  const left = new Set(known);
  const matchBy = (find: (fields: Given["fields"]) => Variant | undefined) => {
    for (const [index, { fields }] of given.entries()) {
      const found = matched.has(index) ? undefined : find(fields);
      if (found !== undefined && left.delete(found)) matched.set(index, found);
    }
  };
  const possibleFor = ({ options = {} }: Given["fields"]) =>
    known.filter((variant) => hasAll(variant.options, options));
  const ofSku = (sku: string) => [...left].find((variant) => variant.sku === sku);
  matchBy(({ sku }) => (sku ? ofSku(sku) : undefined));
  matchBy(({ sku }) => (sku ? ofSku(identifier(sku)) : undefined));
  matchBy(({ options = {} }) =>
    [...left].find((variant) => Bun.deepEquals(variant.options, options)),
  );
  matchBy((fields) => {
    const [only, ...others] = possibleFor(fields);
    return others.length === 0 ? only : undefined;
  });
  const unmatched = [...given.keys()].filter((index) => !matched.has(index));
  const unclear = unmatched.filter((index) => possibleFor(given[index]?.fields ?? {}).length > 0);
  return { known: matched, unclear: new Set(unclear) };
}

function hasAll(options: OptionValues, some: OptionValues): boolean {
  return Object.entries(some).every(([name, value]) => options[name] === value);
}

/** Options in the spelling of the known ones: `size` is no other option than `Size`. */
export function knownSpelling(known: readonly ProductOption[]) {
  const optionOf = (name: string) =>
    known.find((option) => option.name === name) ??
    known.find((option) => isAlike(option.name, name));
  const nameOf = (name: string) => optionOf(name)?.name ?? name;
  const valueOf = (name: string, value: string) => {
    const { values = [] } = optionOf(name) ?? {};
    return values.includes(value) ? value : (values.find((one) => isAlike(one, value)) ?? value);
  };
  return {
    options: (given: readonly ProductOption[]): ProductOption[] =>
      given.map(({ name, values }) => ({
        name: nameOf(name),
        values: values.map((value) => valueOf(name, value)),
      })),
    choice: (given: OptionValues): OptionValues =>
      Object.fromEntries(
        Object.entries(given).map(([name, value]) => [nameOf(name), valueOf(name, value)]),
      ),
  };
}

function isAlike(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
