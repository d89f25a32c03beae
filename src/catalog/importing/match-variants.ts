// Which variant of a product each variant of a file is.

import type { OptionValues } from "#catalog/variants/variant-values.ts";
import type { Variant, VariantInput } from "#catalog/variants/variant.ts";

interface Given {
  readonly fields: Pick<VariantInput, "sku" | "options">;
}

/**
 * The known variant of each given one, by its index: the one with its SKU, else one with its options, since SKUs are
 * renamed more often than options. A given variant without an entry is new.
 */
export function matchVariants(
  known: readonly Variant[],
  given: readonly Given[],
): ReadonlyMap<number, Variant> {
  const matched = new Map<number, Variant>();
  const left = new Set(known);
  const match = (isSame: (variant: Variant, fields: Given["fields"]) => boolean) => {
    for (const [index, { fields }] of given.entries()) {
      if (matched.has(index)) continue;
      const found = [...left].find((variant) => isSame(variant, fields));
      if (found === undefined) continue;
      matched.set(index, found);
      left.delete(found);
    }
  };
  match(({ sku }, fields) => sku !== null && sku === fields.sku);
  match(({ options }, fields) => choiceOf(options) === choiceOf(fields.options ?? {}));
  return matched;
}

function choiceOf(options: OptionValues): string {
  return JSON.stringify(
    Object.entries(options).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}
