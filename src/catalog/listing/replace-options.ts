// Story: write the options of variants as rows by which lists filter and facets count.

import type { VariantOptionRow } from "#catalog/rows/tables.ts";
import type { Variant } from "#catalog/rows/variant.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { addOptions, removeOption } from "./option-queries.ts";
import { optionKey } from "./options.ts";

type Optioned = Pick<Variant, "id" | "options">;

interface VariantsChange {
  readonly before: readonly Optioned[];
  readonly after: readonly Optioned[];
}

/** Afterwards the rows of options say what the variants do. The product must be locked, or new. */
export async function replaceOptions(
  tx: Tx,
  productId: Id<"product">,
  variants: VariantsChange,
): Promise<void> {
  if (Bun.deepEquals(choicesOf(variants.before), choicesOf(variants.after))) return;
  const before = rowsOf(productId, variants.before);
  const after = rowsOf(productId, variants.after);
  for (const [key, row] of before) {
    if (!Bun.deepEquals(after.get(key), row)) await removeOption(tx, row);
  }
  const added = [...after].filter(([key, row]) => !Bun.deepEquals(before.get(key), row));
  await insertOptions(
    tx,
    added.map(([, row]) => row),
  );
}

function choicesOf(variants: readonly Optioned[]) {
  return variants.map(({ id, options }) => ({ id, options }));
}

/** Writes the options of variants that have no rows yet. */
export async function writeOptions(
  tx: Tx,
  variants: readonly (Optioned & Pick<Variant, "productId">)[],
): Promise<void> {
  const rows = variants.flatMap((one) => [...rowsOf(one.productId, [one]).values()]);
  await insertOptions(tx, rows);
}

/** The rows by their keys. Of two names or values of a variant that are folded alike, the first has a row. */
function rowsOf(productId: Id<"product">, variants: readonly Optioned[]) {
  const rows = new Map<string, VariantOptionRow>();
  for (const { id: variantId, options } of variants) {
    for (const [name, value] of Object.entries(options)) {
      const row = {
        nameKey: optionKey(name),
        valueKey: optionKey(value),
        variantId,
        productId,
        name,
        value,
      };
      const key = JSON.stringify([row.nameKey, row.valueKey, variantId]);
      if (!rows.has(key)) rows.set(key, row);
    }
  }
  return rows;
}

/** Writes the rows that are not there. */
async function insertOptions(tx: Tx, rows: readonly VariantOptionRow[]): Promise<void> {
  if (rows.length === 0) return;
  const lists = rows.map((row) => [
    row.nameKey,
    row.valueKey,
    row.variantId,
    row.productId,
    row.name,
    row.value,
  ]);
  await addOptions(tx, { rows: JSON.stringify(lists) });
}
