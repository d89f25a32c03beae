// Stories: write the options of variants as rows by which lists filter and facets count, and compare these rows with the
// variants.

import type { VariantOptionRow } from "#catalog/rows/tables.ts";
import type { Variant } from "#catalog/rows/variant.ts";
import type { Difference } from "#kernel/difference.ts";
import type { Id } from "#kernel/id.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Reader, Tx } from "#platform/database/database.ts";

import {
  addOptions,
  findIndexed,
  optionsOfProducts,
  removeOption,
  variantsOfProducts,
} from "./option-queries.ts";
import { optionKey } from "./options.ts";
import { productIdsAfter } from "./row-queries.ts";

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

const PRODUCTS_AT_ONCE = 500;

/**
 * Yields each option by which a variant is found and which it does not have, and each that it has and is not found by.
 * Products of older versions are looked at once they were read. Needs a Reader of one snapshot.
 */
export async function* auditOptions(db: Reader): AsyncGenerator<Difference> {
  const indexed = await findIndexed(db);
  for (let id = ""; ;) {
    await nextTurn();
    const found = await productIdsAfter(db, { id, rows: PRODUCTS_AT_ONCE });
    const last = found.at(-1);
    if (last === undefined) return;
    id = last.id;
    const isRead = (one: string) => indexed === undefined || one <= indexed.after;
    yield* auditPage(db, found.map((one) => one.id).filter(isRead));
  }
}

async function* auditPage(db: Reader, productIds: readonly string[]): AsyncGenerator<Difference> {
  const variants = await variantsOfProducts(db, { productIds });
  const should = byText(variants.flatMap((one) => [...rowsOf(one.productId, [one]).values()]));
  const is = byText(await optionsOfProducts(db, { productIds }));
  for (const [text, { variantId: subject, name, value }] of new Map([...should, ...is])) {
    if (should.has(text) && is.has(text)) continue;
    const [expected, found] = should.has(text) ? [value, "none"] : ["none", value];
    yield { subject, what: `option ${name} of the index`, expected, found };
  }
}

/** The rows by all that they say. */
function byText(rows: readonly VariantOptionRow[]): ReadonlyMap<string, VariantOptionRow> {
  return new Map(
    rows.map((row) => [
      JSON.stringify([
        row.variantId,
        row.productId,
        row.nameKey,
        row.valueKey,
        row.name,
        row.value,
      ]),
      row,
    ]),
  );
}
