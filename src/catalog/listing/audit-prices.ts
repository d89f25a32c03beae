// Lookup: compares the prices that lists sort by with those of the variants. Rows are read in pages, since a shop may
// have more products than fit in memory.

import type { Difference } from "#kernel/difference.ts";
import type { Reader } from "#platform/database/database.ts";

import { lowestPrices } from "./lowest-prices.ts";
import { pricesOfProducts, pricesOfVariants, productIdsAfter } from "./row-queries.ts";

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
