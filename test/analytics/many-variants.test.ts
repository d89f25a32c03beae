// A shop that sells more variants in a day than fit one page of a read.

import { expect, test } from "bun:test";

import type { Fact, SoldLine } from "#analytics/projection/fact.ts";
import { recallMemory } from "#analytics/projection/recall-memory.ts";
import { saveTally } from "#analytics/projection/save-tally.ts";
import { Tally } from "#analytics/projection/tally.ts";

import { MORNING_MS, openTestShop, type TestShop } from "../support/shop.ts";
import { summary } from "./counter.ts";

const VARIANTS = 2_500;
const DAY_MS = 86_400_000;

/** A line with units of this variant, at a cent each; a product has three variants. */
function lineOf(number: number, units: number): SoldLine {
  return {
    variantId: `var_${number}`,
    productId: `prod_${Math.floor(number / 3)}`,
    sku: `SKU-${number}`,
    name: `Cloth ${number}`,
    units,
    grossMinor: units,
    netMinor: units,
  };
}

/** Counts one sale of these lines. */
async function sell(shop: TestShop, at: number, lines: readonly SoldLine[]): Promise<void> {
  const total = lines.reduce((sum, { grossMinor }) => sum + grossMinor, 0);
  const facts: Fact[] = [
    {
      at,
      currency: "USD",
      channel: "online_store",
      kind: "paid",
      orderId: `ord_${at}`,
      cartId: null,
      customerId: null,
      method: "card",
      grossMinor: total,
      discountMinor: 0,
      shippingMinor: 0,
      taxMinor: 0,
      includedTaxMinor: 0,
      discounts: [],
      taxes: [],
      refundedMinor: 0,
      writtenOffMinor: 0,
      lines,
    },
  ];
  await shop.test.database.write(async (tx) => {
    const tally = new Tally(await recallMemory(tx, facts));
    for (const fact of facts) tally.add(fact);
    await saveTally(tx, tally);
  });
}

const numbers = Array.from({ length: VARIANTS }, (_, number) => number);

test("the best sellers are found among thousands of variants, from today and before", async () => {
  await using shop = await openTestShop();
  await sell(
    shop,
    MORNING_MS - DAY_MS,
    numbers.map((number) => lineOf(number, number + 1)),
  );
  // Variant 0 passes the earlier leaders, and a new variant leads.
  await sell(shop, MORNING_MS, [lineOf(0, 2_495), lineOf(VARIANTS, 9_000)]);

  const answer = await summary(shop);

  const units = (what: string, id: string) =>
    answer.list(`/currencies/0/${what}/by_units`).map((_, place) => {
      const path = `/currencies/0/${what}/by_units/${place}`;
      return [answer.at(`${path}/${id}`), answer.at(`${path}/units`)];
    });
  expect(units("top_variants", "variant_id")).toEqual([
    ["var_2500", 9_000],
    ["var_2499", 2_500],
    ["var_2498", 2_499],
    ["var_2497", 2_498],
    ["var_2496", 2_497],
    ["var_0", 2_496],
    ["var_2495", 2_496],
    ["var_2494", 2_495],
    ["var_2493", 2_494],
    ["var_2492", 2_493],
  ]);
  expect(units("top_products", "product_id").slice(0, 2)).toEqual([
    ["prod_833", 11_500],
    ["prod_832", 7_494],
  ]);
  expect(answer.at("/currencies/0/units")).toBe((VARIANTS * (VARIANTS + 1)) / 2 + 11_495);
});
