// Discounts by code and taxes by rate in a summary: the table of taxes is the merchant's return.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { rebuildAnalytics } from "#analytics/projection/project-events.ts";
import { auditAnalytics } from "#analytics/summary/audit-analytics.ts";

import { kanga, mug } from "../support/cast.ts";
import { runs } from "../support/runs.ts";
import { type Answered, openTestShop, type TestShop } from "../support/shop.ts";
import { moneyOf, sale, summary } from "./counter.ts";

const HOUR_MS = 3_600_000;

/** The levies of Ghana, which are on the same base. */
const levies = [
  { name: "GETFund", rate: 2.5 },
  { name: "NHIL", rate: 2.5 },
  { name: "VAT", rate: 15 },
];

async function must(asked: Promise<Answered>): Promise<Answered> {
  const answered = await asked;
  if (answered.status >= 300) throw new Error(answered.text);
  return answered;
}

/** A shop in Accra that charges the three levies. */
async function openGhana(store: object = {}): Promise<TestShop> {
  const shop = await openTestShop();
  await must(shop.put("/v2/store", { country: "GH", timezone: "Africa/Accra", ...store }));
  for (const levy of levies) await must(shop.post("/v2/tax-rates", { country: "GH", ...levy }));
  return shop;
}

/** A discount of the whole order with these codes. */
async function discount(shop: TestShop, terms: object): Promise<string> {
  const body = { title: "Summer", target: "order", percent: 10, codes: ["SUMMER"], ...terms };
  return (await must(shop.post("/v2/discounts", body))).id;
}

interface Row {
  readonly name: string;
  readonly taxable_minor: number;
  readonly tax_minor: number;
}

interface Line {
  readonly name: string;
  readonly taxable_minor: number;
  readonly amount_minor: number;
}

/** The table of taxes of a summary: taxable and tax of each name. */
function tableOf(answer: Answered): Record<string, readonly number[]> {
  const rows = answer.list("/currencies/0/taxes").map((row): Row => Object(row));
  return Object.fromEntries(
    rows.map((row) => [row.name, [row.taxable_minor, row.tax_minor]] as const),
  );
}

/** The same, added up over the tax lines of receipts. */
function sumOf(receipts: readonly Answered[]): Record<string, readonly number[]> {
  const sums: Record<string, readonly number[]> = {};
  const lines = receipts.flatMap((receipt) => receipt.list("/tax_lines"));
  for (const line of lines.map((one): Line => Object(one))) {
    const [taxable = 0, tax = 0] = sums[line.name] ?? [];
    sums[line.name] = [taxable + line.taxable_minor, tax + line.amount_minor];
  }
  return sums;
}

describe("the taxes of a summary", () => {
  test("equal the sum of the receipts, each rate on its own", async () => {
    await using shop = await openGhana();
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    await discount(shop, { percent: 7 });
    const receipts = [
      await sale(shop, cup.variantId, { quantity: 3 }),
      await sale(shop, cloth.variantId, { discount_codes: ["SUMMER"] }),
      await sale(shop, cup.variantId, { quantity: 2, discount_codes: ["SUMMER"] }),
    ];

    const answer = await summary(shop);

    expect(tableOf(answer)).toEqual(sumOf(receipts));
    expect(tableOf(answer)).toEqual({
      GETFund: [7_935, 199],
      NHIL: [7_935, 199],
      VAT: [7_935, 1_191],
    });
    expect(moneyOf(answer)).toMatchObject({ gross: 8_250, discounts: 315, net: 7_935 });
    expect(answer.at("/currencies/0/revenue")).toMatchObject({ tax: 15.89, included_tax: 0 });
  });

  test("name their rate and place, in both units", async () => {
    await using shop = await openGhana();
    await sale(shop, (await kanga(shop)).variantId);

    expect((await summary(shop)).at("/currencies/0/taxes/2")).toEqual({
      name: "VAT",
      rate: 15,
      country: "GH",
      region: null,
      included: false,
      taxable: 20,
      taxable_minor: 2_000,
      tax: 3,
      tax_minor: 300,
      refunded_taxable: 0,
      refunded_taxable_minor: 0,
      refunded: 0,
      refunded_minor: 0,
    });
  });

  test("within prices are a figure of their own and part of net", async () => {
    await using shop = await openGhana({ prices_include_tax: true });
    await sale(shop, (await kanga(shop, { price: "120.00" })).variantId);

    const answer = await summary(shop);

    expect(answer.at("/currencies/0/revenue")).toMatchObject({
      net: 120,
      tax: 0,
      included_tax: 20,
      included_tax_minor: 2_000,
      total: 120,
    });
    expect(answer.at("/currencies/0/taxes/2")).toMatchObject({ included: true, tax: 15 });
  });

  test("are of the shop's own days: a sale after its midnight is in the next one", async () => {
    await using shop = await openGhana({ timezone: "Pacific/Auckland" });
    const { variantId } = await kanga(shop);
    const evening = await sale(shop, variantId);
    shop.clock.advance(4 * HOUR_MS);
    const night = await sale(shop, variantId, { quantity: 2 });

    const first = await summary(shop, "from=2026-01-05&to=2026-01-06");
    const second = await summary(shop, "from=2026-01-06&to=2026-01-07");

    expect(tableOf(first)).toEqual(sumOf([evening]));
    expect(tableOf(second)).toEqual(sumOf([night]));
  });

  test("have no rows in a shop that charges none", async () => {
    await using shop = await openTestShop();
    await sale(shop, (await kanga(shop)).variantId);

    const answer = await summary(shop);

    expect([answer.at("/currencies/0/taxes"), answer.at("/currencies/0/discounts")]).toEqual([
      [],
      [],
    ]);
  });
});

test("the taxes of refunds have their own columns: one of three units at 33.33", async () => {
  await using shop = await openGhana();
  const { variantId } = await mug(shop, { price: "33.33" });
  const sold = await sale(shop, variantId, { quantity: 3 });
  const line_items = [{ line_item_id: sold.string("/line_items/0/id"), quantity: 1 }];
  await must(shop.post(`/v2/orders/${sold.id}/refunds`, { line_items }));

  const answer = await summary(shop);

  expect(answer.at("/currencies/0/taxes")).toMatchObject([
    { name: "GETFund", tax: 2.5, refunded_taxable: 33.33, refunded: 0.83 },
    { name: "NHIL", tax: 2.5, refunded_taxable: 33.33, refunded: 0.83 },
    { name: "VAT", tax: 15, refunded_taxable: 33.33, refunded: 5 },
  ]);
  expect(answer.at("/currencies/0/revenue")).toMatchObject({ refunded_tax: 6.66, tax: 20 });
});

describe("the discounts of a summary", () => {
  test("are told by code, the greatest first, with the net sales of their orders", async () => {
    await using shop = await openTestShop();
    const { variantId } = await kanga(shop);
    const summer = await discount(shop, { codes: ["SUMMER", "SUN"] });
    await sale(shop, variantId, { discount_codes: ["SUN"] });
    await sale(shop, variantId, { discount_codes: ["SUMMER"] });
    await sale(shop, variantId, { discount_codes: ["SUMMER"] });

    const answer = await summary(shop);

    const of = { discount_id: summer, title: "Summer" };
    expect(answer.at("/currencies/0/discounts")).toEqual([
      {
        ...of,
        code: "SUMMER",
        orders: 2,
        amount: 4,
        amount_minor: 400,
        net: 36,
        net_minor: 3_600,
      },
      { ...of, code: "SUN", orders: 1, amount: 2, amount_minor: 200, net: 18, net_minor: 1_800 },
    ]);
  });

  test("that the merchant gave single sales are one row without their titles", async () => {
    await using shop = await openTestShop();
    const { variantId } = await kanga(shop);
    for (const title of ["For Ama", "For Kofi"]) {
      await sale(shop, variantId, { discount: { title, amount: 3 } });
    }

    const answer = await summary(shop);

    expect(answer.at("/currencies/0/discounts")).toMatchObject([
      { discount_id: null, code: null, title: null, orders: 2, amount: 6, net: 34 },
    ]);
    expect(answer.text).not.toContain("Ama");
  });
});

type Data = Readonly<Record<string, unknown>>;

interface Sums {
  readonly taxes: Record<string, number>;
  readonly discounts: Record<string, number>;
}

function taxName(tax: Data): string {
  return `${String(tax["name"])} ${String(tax["included"])}`;
}

function add(sums: Record<string, number>, name: string, amount: unknown): void {
  if (amount !== 0) sums[name] = (sums[name] ?? 0) + Number(amount);
}

/** Counts the announced events one by one, without the projection. */
async function counted(shop: TestShop): Promise<Sums> {
  const sums: Sums = { taxes: {}, discounts: {} };
  const listOf = (data: Data, name: string): Data[] => Array.from(Object(data)[name] ?? [], Object);
  for (const { event, data } of await shop.announced()) {
    const of: Data = Object(data);
    if (event === "order.paid") {
      for (const tax of listOf(of, "tax_lines")) {
        add(sums.taxes, `${taxName(tax)} charged`, tax["amount_minor"]);
        add(sums.taxes, `${taxName(tax)} taxable`, tax["taxable_minor"]);
      }
      for (const one of listOf(of, "discounts")) {
        add(sums.discounts, `${String(one["code"])} orders`, 1);
        add(sums.discounts, `${String(one["code"])} amount`, one["amount_minor"]);
      }
    }
    if (event === "order.refunded") {
      for (const tax of listOf(Object(of["refund"]), "tax_lines")) {
        add(sums.taxes, `${taxName(tax)} refunded`, tax["amount_minor"]);
      }
    }
  }
  return sums;
}

function summarized(answer: Answered): Sums {
  const sums: Sums = { taxes: {}, discounts: {} };
  for (const tax of answer.list("/currencies/0/taxes").map((row): Data => Object(row))) {
    const name = taxName(tax);
    add(sums.taxes, `${name} charged`, tax["tax_minor"]);
    add(sums.taxes, `${name} taxable`, tax["taxable_minor"]);
    add(sums.taxes, `${name} refunded`, tax["refunded_minor"]);
  }
  for (const one of answer.list("/currencies/0/discounts").map((row): Data => Object(row))) {
    add(sums.discounts, `${String(one["code"])} orders`, one["orders"]);
    add(sums.discounts, `${String(one["code"])} amount`, one["amount_minor"]);
  }
  return sums;
}

const step = fc.record({
  quantity: fc.integer({ min: 1, max: 4 }),
  codes: fc.constantFrom([], ["SUMMER"], ["SUN"], ["SUMMER", "SUN"]),
  own: fc.constantFrom(null, { title: "A regular", percent: 5 }),
  refund: fc.constantFrom(null, {}, { amount: 1.37 }),
  isIncluded: fc.boolean(),
  hours: fc.constantFrom(0, 1, 30, 900),
});

test("discounts and taxes equal a count of the events after any history, also rebuilt", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      await using shop = await openGhana();
      const { variantId } = await mug(shop, { price: "33.33", stock: 100 });
      await discount(shop, { codes: ["SUMMER", "SUN"], percent: 7 });
      for (const { quantity, codes, own, refund, isIncluded, hours } of steps) {
        await must(shop.put("/v2/store", { prices_include_tax: isIncluded }));
        const terms = { quantity, discount_codes: codes, ...(own && { discount: own }) };
        const sold = await sale(shop, variantId, terms);
        if (refund !== null) await must(shop.post(`/v2/orders/${sold.id}/refunds`, refund));
        shop.clock.advance(hours * HOUR_MS);
      }
      const expected = await counted(shop);
      const year = "from=2026-01-01&to=2027-12-31&interval=month";

      expect(summarized(await summary(shop, year))).toEqual(expected);
      const { database } = shop.test;
      expect(await Array.fromAsync(auditAnalytics(database.read))).toEqual([]);
      await rebuildAnalytics(database);
      expect(summarized(await summary(shop, year))).toEqual(expected);
    }),
    { numRuns: runs(3), endOnFailure: true },
  );
}, 120_000);
