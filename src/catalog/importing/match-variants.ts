// Which variant of a product each variant of a file is, and what the product calls its options.

import type { OptionValues, ProductOption } from "#catalog/variants/variant-values.ts";
import type { Variant, VariantInput } from "#catalog/variants/variant.ts";

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
  const unclear = new Set<number>();
  const left = new Set(known);
  const match = (index: number, found: Variant | undefined) => {
    if (found === undefined || !left.delete(found)) return;
    matched.set(index, found);
  };
  const matchAll = (isSame: (variant: Variant, fields: Given["fields"]) => boolean) => {
    for (const [index, { fields }] of given.entries()) {
      if (!matched.has(index)) {
        match(
          index,
          [...left].find((variant) => isSame(variant, fields)),
        );
      }
    }
  };
  matchAll(({ sku }, fields) => sku !== null && sku === fields.sku);
  matchAll(({ options }, fields) => Bun.deepEquals(options, fields.options ?? {}));
  for (const [index, { fields }] of given.entries()) {
    if (matched.has(index)) continue;
    const possible = known.filter(({ options }) => hasAll(options, fields.options ?? {}));
    if (possible.length === 1) match(index, possible[0]);
    if (possible.length > 0 && !matched.has(index)) unclear.add(index);
  }
  return { known: matched, unclear };
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
