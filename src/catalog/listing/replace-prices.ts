// Stories: write the lowest price of a product in each currency, by which lists sort and filter, and compare those prices
// with the variants. The audit reads rows in pages, since a shop may have more products than fit in memory.

import type { Price } from "#catalog/rows/column-types.ts";
import type { Variant } from "#catalog/rows/variant.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Difference } from "#kernel/difference.ts";
import type { Id } from "#kernel/id.ts";
import type { Reader, Tx } from "#platform/database/database.ts";

import {
  addPrice,
  pricesOfProducts,
  pricesOfVariants,
  productIdsAfter,
  removePrice,
} from "./row-queries.ts";

interface VariantsChange {
  readonly before: readonly Variant[];
  readonly after: readonly Variant[];
}

/** Afterwards the rows of prices say what the variants do. The product must be locked, or new. */
export async function replacePrices(
  tx: Tx,
  productId: Id<"product">,
  variants: VariantsChange,
): Promise<void> {
  const [before, after] = [lowestPrices(variants.before), lowestPrices(variants.after)];
  for (const [currency, amountMinor] of before) {
    if (after.get(currency) !== amountMinor) await removePrice(tx, { productId, currency });
  }
  for (const [currency, amountMinor] of after) {
    if (before.get(currency) === amountMinor) continue;
    await addPrice(tx, { productId, currency, amountMinor });
  }
}

interface Priced {
  readonly prices: readonly Price[];
}

/** The lowest price of the variants in each currency, in minor units. */
function lowestPrices(variants: readonly Priced[]): ReadonlyMap<CurrencyCode, number> {
  const lowest = new Map<CurrencyCode, number>();
  for (const { currency, amountMinor } of variants.flatMap(({ prices }) => prices)) {
    lowest.set(currency, Math.min(amountMinor, lowest.get(currency) ?? amountMinor));
  }
  return lowest;
}

const PRODUCTS_AT_ONCE = 500;

/** Yields each currency in which a product is listed by another price than its lowest. Needs a Reader of one snapshot. */
export async function* auditPrices(db: Reader): AsyncGenerator<Difference> {
  for (let id = ""; ;) {
    const found = await productIdsAfter(db, { id, rows: PRODUCTS_AT_ONCE });
    const last = found.at(-1);
    if (last === undefined) return;
    id = last.id;
    yield* auditPage(
      db,
      found.map((one) => one.id),
    );
  }
}

async function* auditPage(db: Reader, productIds: readonly string[]): AsyncGenerator<Difference> {
  const variants = Map.groupBy(
    await pricesOfVariants(db, { productIds }),
    ({ productId }) => productId,
  );
  const listed = Map.groupBy(
    await pricesOfProducts(db, { productIds }),
    ({ productId }) => productId,
  );
  for (const subject of new Set([...variants.keys(), ...listed.keys()])) {
    const expected = lowestPrices(variants.get(subject) ?? []);
    const found = new Map(
      listed.get(subject)?.map(({ currency, amountMinor }) => [currency, amountMinor]),
    );
    for (const currency of new Set([...expected.keys(), ...found.keys()])) {
      const [should, is] = [expected.get(currency) ?? "none", found.get(currency) ?? "none"];
      if (should === is) continue;
      yield { subject, what: `lowest price in ${currency}`, expected: should, found: is };
    }
  }
}
