// Stories: write the options of variants as rows by which lists filter and facets count, with each change of a product,
// and for the products that an older version wrote.

import type { VariantOptionRow } from "#catalog/rows/tables.ts";
import type { Variant } from "#catalog/rows/variant.ts";
import type { Id } from "#kernel/id.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import type { Reader, Tx } from "#platform/database/database.ts";

import {
  addOptions,
  endIndexing,
  findIndexed,
  lockIndexed,
  lockProductsAfter,
  moveIndexed,
  optionsOfProducts,
  removeOption,
} from "./option-queries.ts";
import { optionKey } from "./options.ts";

export const stillIndexing = defineRefusal("still_indexing", "unavailable", {
  title: "The options of products are still being indexed.",
  cause: "After an upgrade the products of before are read once, in the background.",
  remedy: "Repeat the request after `Retry-After` seconds, or leave out `option`.",
  example: { headers: { "Retry-After": "60" } },
});

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
  await add(
    tx,
    added.map(([, row]) => row),
  );
}

function choicesOf(variants: readonly Optioned[]) {
  return variants.map(({ id, options }) => ({ id, options }));
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

async function add(tx: Tx, rows: readonly VariantOptionRow[]): Promise<void> {
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

/** Returns true until the products of older versions are read. */
export async function isIndexing(db: Reader): Promise<boolean> {
  return (await findIndexed(db)) !== undefined;
}

/** Refuses with `still_indexing` until then. */
export async function requireIndexed(db: Reader): Promise<void> {
  if (await isIndexing(db)) throw stillIndexing({ headers: { "Retry-After": "60" } });
}

/** Products per transaction, so that no request waits for it. */
const PRODUCTS_AT_ONCE = 100;

/** Writes the rows of the next products of an older version, or ends their indexing. */
export async function indexProducts(tx: Tx): Promise<void> {
  const [place] = await lockIndexed(tx, {});
  if (place === undefined) return;
  const found = await lockProductsAfter(tx, { after: place.after, rows: PRODUCTS_AT_ONCE });
  const last = found.at(-1);
  if (last === undefined) {
    await endIndexing(tx, {});
    return;
  }
  const productIds = found.map(({ id }) => id);
  const variants = await optionsOfProducts(tx, { productIds });
  const rows = variants.flatMap((one) => [...rowsOf(one.productId, [one]).values()]);
  await add(tx, rows);
  await moveIndexed(tx, { after: last.id });
}
