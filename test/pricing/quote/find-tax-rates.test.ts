// The rates of a sale by its place and time.

import { expect, test } from "bun:test";

import { findTaxRates } from "#pricing/quote/find-tax-rates.ts";
import { getStore } from "#shop/store/lookups.ts";
import { hasTaxRates } from "#shop/taxes/lookups.ts";

import { openTestShop, type TestShop } from "../../support/shop.ts";

async function openInCanada(): Promise<TestShop> {
  const shop = await openTestShop();
  await shop.put("/v2/store", { country: "CA", timezone: "America/Toronto" });
  return shop;
}

const create = (shop: TestShop, fields: object) =>
  shop.post("/v2/tax-rates", { country: "CA", valid_from: "2026-01-01", ...fields });

/** Such as `standard: GST 50000 + QST 99750`. */
async function ratesAt(
  shop: TestShop,
  place: { country?: string; region?: string | null; postalCode?: string; at?: string },
): Promise<string[]> {
  const { country = "CA", region = null, postalCode = null, at = "2026-02-01T00:00:00Z" } = place;
  const { read } = shop.test.database;
  const found = await findTaxRates(read, await getStore(read), {
    country,
    region,
    postalCode,
    atMs: Date.parse(at),
  });
  return [...found].map(([taxClass, rates]) => {
    const parts = rates.map(({ name, millionths }) => `${name} ${millionths}`);
    return `${taxClass}: ${parts.join(" + ")}`;
  });
}

test("a shop without rates has none anywhere", async () => {
  await using shop = await openInCanada();

  expect(await hasTaxRates(shop.test.database.read)).toBe(false);
  expect(await ratesAt(shop, {})).toEqual([]);
});

test("rates are found by class, in the order in which they were created", async () => {
  await using shop = await openInCanada();
  await create(shop, { name: "GST", rate: 5 });
  await create(shop, { name: "GST", rate: 0, tax_class: "zero" });
  await create(shop, { name: "Levy", rate: "1.2345" });

  expect(await ratesAt(shop, {})).toEqual(["standard: GST 50000 + Levy 12345", "zero: GST 0"]);
  expect(await hasTaxRates(shop.test.database.read)).toBe(true);
});

test("the rates of a region replace all of the country's", async () => {
  await using shop = await openInCanada();
  await create(shop, { name: "GST", rate: 5 });
  await create(shop, { name: "GST", rate: 0, tax_class: "zero" });
  await create(shop, { name: "GST", rate: 5, region: "Québec" });
  await create(shop, { name: "QST", rate: 9.975, region: "Québec" });

  expect(await ratesAt(shop, { region: "QUEBEC" })).toEqual(["standard: GST 50000 + QST 99750"]);
  expect(await ratesAt(shop, { region: "Alberta" })).toEqual([
    "standard: GST 50000",
    "zero: GST 0",
  ]);
});

test("the rates of a postal prefix replace those of its region and country, and the longer prefix wins", async () => {
  await using shop = await openInCanada();
  await create(shop, { name: "GST", rate: 5 });
  await create(shop, { name: "QST", rate: 9.975, region: "Québec" });
  await create(shop, { name: "City", rate: 1, postal_prefix: "H" });
  await create(shop, { name: "Harbor", rate: 2, postal_prefix: "h2y 1" });
  await create(shop, { name: "Harbor fee", rate: 3, postal_prefix: "H2-Y1" });
  const quebec = { region: "Québec" };

  expect(await ratesAt(shop, { ...quebec, postalCode: "G1A 0A2" })).toEqual([
    "standard: QST 99750",
  ]);
  expect(await ratesAt(shop, { ...quebec, postalCode: "H3Z" })).toEqual(["standard: City 10000"]);
  expect(await ratesAt(shop, { ...quebec, postalCode: "h2y1c6" })).toEqual([
    "standard: Harbor 20000 + Harbor fee 30000",
  ]);
  expect(await ratesAt(shop, {})).toEqual(["standard: GST 50000"]);
});

test("a region whose rates do not hold yet has those of its country", async () => {
  await using shop = await openInCanada();
  await create(shop, { name: "GST", rate: 5 });
  await create(shop, { name: "HST", rate: 13, region: "Ontario", valid_from: "2026-07-01" });

  expect(await ratesAt(shop, { region: "Ontario" })).toEqual(["standard: GST 50000"]);
  expect(await ratesAt(shop, { region: "Ontario", at: "2026-08-01T00:00:00Z" })).toEqual([
    "standard: HST 130000",
  ]);
});

test("a rate changes at midnight of the store's clock", async () => {
  await using shop = await openInCanada();
  const { id } = await create(shop, { name: "GST", rate: 5 });
  await shop.put(`/v2/tax-rates/${id}`, { valid_until: "2026-07-01" });
  await create(shop, { name: "GST", rate: 6, valid_from: "2026-07-01" });

  expect(await ratesAt(shop, { at: "2026-07-01T03:59:59.999Z" })).toEqual(["standard: GST 50000"]);
  expect(await ratesAt(shop, { at: "2026-07-01T04:00:00.000Z" })).toEqual(["standard: GST 60000"]);
});

test("a country where the shop is not registered has no rates", async () => {
  await using shop = await openInCanada();
  await create(shop, { name: "GST", rate: 5 });

  expect(await ratesAt(shop, { country: "US" })).toEqual([]);
});
