// What decides on prices is remembered between sales, and each sale is priced by what holds when it is placed.

import { describe, expect, test } from "bun:test";

import { isId } from "#kernel/id.ts";
import { findShippingOptions } from "#pricing/shipping/find-shipping-options.ts";
import { shippingRates } from "#pricing/shipping/rate-schema.ts";
import { getStore } from "#shop/store/lookups.ts";

import { openTestShop, type TestShop } from "../../support/shop.ts";
import { place } from "../orders/counter.ts";
import { accra, discount, must, of, shipTo, sold, tax, totalsOf, usd } from "./priced-shop.ts";

interface TermsOfShop {
  readonly discountId: string;
  readonly locationId: string;
  readonly rateId: string;
  readonly taxId: string;
  readonly zoneId: string;
}

/** A shop with a tax of 10 %, a discount of 10 %, a zone with a rate of 5.00 and a place to fetch goods for 2.00. */
async function openWithTerms() {
  const shop = await openTestShop();
  await tax(shop, "GH", { rates: [{ name: "VAT", rate: 10 }] });
  const pickup = { name: "Till", address: accra, amounts: usd(2) };
  const terms: TermsOfShop = {
    discountId: await discount(shop),
    rateId: await shipTo(shop, ["GH"]),
    locationId: must(await shop.post("/v2/pickup-locations", pickup), 201).id,
    taxId: (await shop.get("/v2/tax-rates")).string("/data/0/id"),
    zoneId: (await shop.get("/v2/shipping-zones")).string("/data/0/id"),
  };
  const cup = await sold(shop, 100);
  const sale = { line_items: [of(cup)], shipping_address: accra };
  /** Discount, tax and the prices of the shipping options. */
  const sells = async () => {
    const order = totalsOf(await place(shop, sale.line_items, { shipping_address: accra }));
    const options = must(await shop.post("/v2/carts", sale), 201).list("/shipping_options");
    return [order.discount, order.tax, ...options.map((one) => Object(one).amount_minor)];
  };
  return { shop, terms, sells, [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose]() };
}

type Change = (shop: TestShop, terms: TermsOfShop) => Promise<unknown>;

const changes: readonly (readonly [string, Change, number[]])[] = [
  [
    "another tax",
    (shop) => shop.post("/v2/tax-rates", { country: "GH", name: "Levy", rate: 5 }),
    [1000, 1350, 500, 200],
  ],
  [
    "the end of a tax",
    (shop, { taxId }) => shop.put(`/v2/tax-rates/${taxId}`, { valid_until: "2026-01-05" }),
    [1000, 900, 500, 200],
  ],
  ["another discount", (shop) => discount(shop, { percent: 20 }), [2000, 800, 500, 200]],
  [
    "other terms of a discount",
    (shop, { discountId }) => shop.put(`/v2/discounts/${discountId}`, { percent: 50 }),
    [5000, 500, 500, 200],
  ],
  [
    "a limit of a discount",
    (shop, { discountId }) => shop.put(`/v2/discounts/${discountId}`, { usage_limit: 1 }),
    [0, 1000, 500, 200],
  ],
  [
    "an archived discount",
    (shop, { discountId }) => shop.put(`/v2/discounts/${discountId}`, { archived: true }),
    [0, 1000, 500, 200],
  ],
  [
    "another shipping rate",
    (shop, { zoneId }) =>
      shop.post("/v2/shipping-rates", {
        zone_id: zoneId,
        name: "Van",
        kind: "flat",
        tiers: [{ from: 0, amounts: usd(9) }],
      }),
    [1000, 900, 500, 900, 200],
  ],
  [
    "another price of shipping",
    (shop, { rateId }) =>
      shop.put(`/v2/shipping-rates/${rateId}`, { tiers: [{ from: 0, amounts: usd(7) }] }),
    [1000, 900, 700, 200],
  ],
  [
    "a deleted shipping rate",
    (shop, { rateId }) => shop.delete(`/v2/shipping-rates/${rateId}`),
    [1000, 900, 200],
  ],
  [
    "other places of a zone",
    (shop, { zoneId }) => shop.put(`/v2/shipping-zones/${zoneId}`, { places: [{ country: "DE" }] }),
    [1000, 900, 200],
  ],
  [
    "a deleted zone",
    (shop, { zoneId }) => shop.delete(`/v2/shipping-zones/${zoneId}`),
    [1000, 900, 200],
  ],
  [
    "another fee of a pickup location",
    (shop, { locationId }) => shop.put(`/v2/pickup-locations/${locationId}`, { amounts: usd(3) }),
    [1000, 900, 500, 300],
  ],
  [
    "a deleted pickup location",
    (shop, { locationId }) => shop.delete(`/v2/pickup-locations/${locationId}`),
    [1000, 900, 500],
  ],
  [
    "another pickup location",
    (shop) => shop.post("/v2/pickup-locations", { name: "Gate", address: accra, amounts: usd(1) }),
    [1000, 900, 500, 200, 100],
  ],
];

describe("a sale after others is priced by", () => {
  test.each(changes)("%s", async (_, change, expected) => {
    await using opened = await openWithTerms();
    const { shop, terms, sells } = opened;
    const before = await sells();

    await change(shop, terms);

    expect([before, await sells()]).toEqual([[1000, 900, 500, 200], expected]);
  });
});

test("a discount that is deleted before it begins never applies", async () => {
  await using opened = await openWithTerms();
  const { shop, sells } = opened;
  const id = await discount(shop, { percent: 20, starts_at: "2026-01-05T09:00:00Z" });
  await sells();

  must(await shop.delete(`/v2/discounts/${id}`), 204);
  shop.clock.advance(3_600_000);

  expect(await sells()).toEqual([1000, 900, 500, 200]);
});

test("a remembered discount begins and ends by the clock", async () => {
  await using opened = await openWithTerms();
  const { shop, terms, sells } = opened;
  const dates = { starts_at: "2026-01-05T09:00:00Z", ends_at: "2026-01-05T10:00:00Z" };
  await shop.put(`/v2/discounts/${terms.discountId}`, dates);
  const discounts: (number | undefined)[] = [];

  for (let hour = 8; hour <= 10; hour += 1) {
    discounts.push((await sells())[0]);
    shop.clock.advance(3_600_000);
  }

  expect(discounts).toEqual([0, 1000, 0]);
});

test("a remembered tax ends by the clock", async () => {
  await using opened = await openWithTerms();
  const { shop, terms, sells } = opened;
  await shop.put(`/v2/tax-rates/${terms.taxId}`, { valid_until: "2026-01-05T09:00:00Z" });
  const before = await sells();

  shop.clock.advance(3_600_000);

  expect([before[1], (await sells())[1]]).toEqual([900, 0]);
});

test("a change that is rolled back is not remembered, also where its transaction priced a sale", async () => {
  await using opened = await openWithTerms();
  const { shop, terms, sells } = opened;
  const { rateId } = terms;
  if (!isId("shippingRate", rateId)) throw new Error(`${rateId} is no shipping rate.`);
  const { database } = shop.test;
  const address = { country: "GH", region: null, postalCode: null };
  let priced: unknown = null;
  const raise = (amount: number) => ({ tiers: [{ from: 0, amounts: usd(amount) }] });

  const story = database.write(async (tx) => {
    await shippingRates.update(tx, rateId, { change: { active: false }, expected: null });
    const { options } = await findShippingOptions(tx, await getStore(tx), {
      address,
      currency: "USD",
    });
    priced = options.map(({ label }) => label);
    throw new Error("The story failed.");
  });

  const [ended] = await Promise.allSettled([story]);
  expect([ended?.status, priced]).toEqual(["rejected", ["Till"]]);
  expect(await sells()).toEqual([1000, 900, 500, 200]);
  must(await shop.put(`/v2/shipping-rates/${rateId}`, raise(7)), 200);
  expect(await sells()).toEqual([1000, 900, 700, 200]);
});

test("a test shop that is reset has nothing left that decides on prices", async () => {
  await using opened = await openWithTerms();
  const { shop, sells } = opened;
  await sells();

  await shop.post("/v2/test/reset");
  const cup = await sold(shop, 100);
  const terms = { line_items: [of(cup)], shipping_address: accra };
  const cart = must(await shop.post("/v2/carts", terms), 201);

  expect([totalsOf(cart).total, cart.list("/shipping_options")]).toEqual([10_000, []]);
});
