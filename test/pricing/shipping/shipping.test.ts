// Shipping zones, rates and pickup locations over HTTP, and the options that they make.

import { describe, expect, test } from "bun:test";

import { findShippingOptions } from "#pricing/shipping/find-shipping-options.ts";
import { getStore } from "#shop/store/lookups.ts";

import { type Answered, openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";

const shop = sharedShop();

const usd = (amount: number | string) => ({ currency: "USD", amount });
const flat = (amount: number | string) => [{ from: 0, amounts: [usd(amount)] }];
const accra = { line1: "1 High Street", city: "Accra", country: "GH" };

/** A zone of these places: of Ghana, or in a shared shop of a region that no other zone has. */
function openZone(shop: TestShop, ...places: object[]): Promise<Answered> {
  const number = shop.nextNumber();
  const home = { country: "GH", ...(number !== null && { region: `District ${number}` }) };
  return shop.post("/v2/shipping-zones", {
    name: "Home",
    places: places.length === 0 ? [home] : places,
  });
}

const openRate = (shop: TestShop, zone: Answered, more: object = {}) =>
  shop.post("/v2/shipping-rates", {
    zone_id: zone.id,
    name: "Courier",
    kind: "flat",
    tiers: flat("5.00"),
    ...more,
  });

async function offerIn(
  { test: { database } }: TestShop,
  country: string | null,
  currency: "USD" | "GHS" = "USD",
) {
  const address = { country, region: null, postalCode: null };
  const store = await getStore(database.read);
  return findShippingOptions(database.read, store, { address, currency });
}

const optionsIn = async (...asked: Parameters<typeof offerIn>) => (await offerIn(...asked)).options;

describe("a shipping zone", () => {
  test("is created, listed, changed and deleted", async () => {
    await using shop = await openTestShop();

    const made = await openZone(shop, { country: "GH", region: "Ashanti" }, { country: "*" });
    const path = `/v2/shipping-zones/${made.id}`;
    const renamed = await shop.put(path, { name: "Kumasi" });
    const listed = await shop.get("/v2/shipping-zones");
    const deleted = await shop.delete(path);

    expect([made.status, made.headers.get("location")]).toEqual([201, path]);
    expect(made.at("/places")).toEqual([
      { country: "GH", region: "Ashanti", postal_prefix: null },
      { country: "*", region: null, postal_prefix: null },
    ]);
    expect([renamed.at("/name"), renamed.at("/version")]).toEqual(["Kumasi", 2]);
    expect(renamed.at("/places")).toEqual(made.at("/places"));
    expect(listed.list("/data")).toEqual([renamed.body]);
    expect(deleted.status).toBe(204);
    expect((await shop.get(path)).code).toBe("shipping_zone_not_found");
    expect(await shop.announcedNames()).toEqual([]);
  });

  test("with bad places is refused with all faults at once", async () => {
    await using shop = await openTestShop();
    await openZone(shop, { country: "GH", region: "Greater Accra" });

    const refused = await openZone(
      shop,
      { country: "GH", region: "greater-accra" },
      { country: "QX" },
      { country: "*", region: "North", postal_prefix: "1" },
      { country: "KE", region: "Coast", postal_prefix: "8" },
      { country: "UG", region: "--" },
      { country: "UG", postal_prefix: "-" },
      { country: "TZ" },
      { country: "TZ" },
    );

    expect(refused.status).toBe(422);
    expect(refused.faults).toEqual([
      "#/places/0 overlapping_zones",
      "#/places/1/country invalid_choice",
      "#/places/2/region conflicting_fields",
      "#/places/2/postal_prefix conflicting_fields",
      "#/places/3/postal_prefix conflicting_fields",
      "#/places/4/region invalid_format",
      "#/places/5/postal_prefix invalid_format",
      "#/places/7 duplicate",
    ]);
    expect((await shop.get("/v2/shipping-zones")).list("/data")).toHaveLength(1);
  });

  test("keeps its own places when it changes, and cannot take those of another", async () => {
    await using shop = await openTestShop();
    const home = await openZone(shop, { country: "GH" });
    await openZone(shop, { country: "KE" });
    const path = `/v2/shipping-zones/${home.id}`;

    const kept = await shop.put(path, { places: [{ country: "GH" }, { country: "TG" }] });
    const refused = await shop.put(path, { places: [{ country: "GH" }, { country: "KE" }] });

    expect(kept.status).toBe(200);
    expect(refused.faults).toEqual(["#/places/1 overlapping_zones"]);
  });

  test("is made once when two requests want the same place at the same time", async () => {
    await using shop = await openTestShop();

    const answers = await Promise.all([1, 2, 3, 4].map(() => openZone(shop)));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(3);
  });

  test("takes its rates along when it is deleted", async () => {
    const zone = await openZone(shop);
    const rate = await openRate(shop, zone);

    await shop.delete(`/v2/shipping-zones/${zone.id}`);

    expect((await shop.get(`/v2/shipping-rates/${rate.id}`)).code).toBe("shipping_rate_not_found");
  });

  test("has no rate after it was deleted, even of a request at the same time", async () => {
    await using shop = await openTestShop();
    const zone = await openZone(shop);

    const [made, gone] = await Promise.all([
      openRate(shop, zone),
      shop.delete(`/v2/shipping-zones/${zone.id}`),
    ]);

    expect([201, 422]).toContain(made.status);
    expect(gone.status).toBe(204);
    expect((await shop.get("/v2/shipping-rates")).list("/data")).toEqual([]);
  });

  test("is not changed by a request for an earlier version", async () => {
    const zone = await openZone(shop);
    const path = `/v2/shipping-zones/${zone.id}`;
    await shop.put(path, { name: "Ghana" });
    const headers = { "If-Match": zone.headers.get("etag") ?? "" };

    const changed = await shop.put(path, { name: "Gold Coast" }, { headers });
    const deleted = await shop.delete(path, { headers });

    expect([changed.code, deleted.code]).toEqual(["stale_version", "stale_version"]);
  });
});

describe("a shipping rate", () => {
  test("is created with its defaults, changed and deleted", async () => {
    const zone = await openZone(shop);

    const made = await openRate(shop, zone);
    const path = `/v2/shipping-rates/${made.id}`;
    const changed = await shop.put(path, {
      kind: "by_price",
      tiers: [...flat(7.5), { from: 5000, amounts: [usd(2)] }],
      max_days: 4,
    });
    const same = await shop.put(path, { max_days: 4 });
    const deleted = await shop.delete(path);

    expect(made.body).toEqual({
      id: made.id,
      zone_id: zone.id,
      name: "Courier",
      kind: "flat",
      tiers: [{ from: 0, amounts: [{ currency: "USD", amount: 5, amount_minor: 500 }] }],
      free_over: [],
      min_days: null,
      max_days: null,
      active: true,
      metadata: {},
      version: 1,
      created_at: "2026-01-05T08:00:00.000Z",
      updated_at: "2026-01-05T08:00:00.000Z",
    });
    expect(changed.at("/tiers/1/amounts/0/amount_minor")).toBe(200);
    expect([changed.at("/kind"), changed.at("/max_days")]).toEqual(["by_price", 4]);
    expect(same.at("/version")).toBe(2);
    expect(deleted.status).toBe(204);
  });

  test("with faults is refused with all of them at once", async () => {
    const before = await shop.get("/v2/shipping-rates");

    const refused = await shop.post("/v2/shipping-rates", {
      zone_id: "shz_01h455vb4pex5vsknk084sn02q",
      name: "Courier",
      kind: "by_weight",
      tiers: [
        { from: 1000, amounts: [usd("5.005"), usd(6)] },
        { from: 1000, amounts: [{ currency: "UGX", amount: 1.5 }] },
      ],
      free_over: [usd(1), usd(2)],
      min_days: 5,
      max_days: 4,
    });

    expect(refused.faults).toEqual([
      "#/zone_id unknown_shipping_zone",
      "#/tiers/0/amounts/0/amount amount_precision",
      "#/tiers/0/amounts/1/currency duplicate",
      "#/tiers/1/amounts/0/amount amount_precision",
      "#/free_over/1/currency duplicate",
      "#/tiers/1/from out_of_range",
      "#/tiers/1/amounts currency_mismatch",
      "#/max_days out_of_range",
    ]);
    expect((await shop.get("/v2/shipping-rates")).body).toEqual(before.body);
  });

  test("that is flat has one tier, from nothing", async () => {
    const zone = await openZone(shop);
    const tiers = [
      { from: 10, amounts: [usd(1)] },
      { from: 20, amounts: [usd(2)] },
    ];

    const made = await openRate(shop, zone, { kind: "by_weight", tiers });
    const refused = await shop.put(`/v2/shipping-rates/${made.id}`, { kind: "flat" });

    expect(made.status).toBe(201);
    expect(refused.faults).toEqual(["#/tiers too_many", "#/tiers/0/from out_of_range"]);
  });

  test("moves to another zone, and the lists of both follow", async () => {
    await using shop = await openTestShop();
    const home = await openZone(shop);
    const abroad = await openZone(shop, { country: "*" });
    const rate = await openRate(shop, home);

    await shop.put(`/v2/shipping-rates/${rate.id}`, { zone_id: abroad.id });

    const ratesOf = async (zone: Answered) =>
      (await shop.get(`/v2/shipping-rates?zone_id=${zone.id}`)).list("/data").length;
    expect([await ratesOf(home), await ratesOf(abroad)]).toEqual([0, 1]);
  });

  test("is one of fifty of its zone at most", async () => {
    const zone = await openZone(shop);
    await Promise.all(Array.from({ length: 50 }, () => openRate(shop, zone)));

    expect((await openRate(shop, zone)).code).toBe("shipping_rate_limit");
  });
});

describe("a pickup location", () => {
  test("is created, changed and deleted", async () => {
    await using shop = await openTestShop();

    const made = await shop.post("/v2/pickup-locations", { name: "Shop", address: accra });
    const path = `/v2/pickup-locations/${made.id}`;
    const changed = await shop.put(path, { instructions: "Ring twice.", amounts: [usd("1.50")] });
    const listed = await shop.get("/v2/pickup-locations");

    expect([made.at("/amounts"), made.at("/active")]).toEqual([[], true]);
    expect(changed.at("/amounts")).toEqual([{ currency: "USD", amount: 1.5, amount_minor: 150 }]);
    expect(changed.at("/address")).toEqual(made.at("/address"));
    expect(listed.list("/data")).toEqual([changed.body]);
    expect((await shop.delete(path)).status).toBe(204);
    expect((await shop.get(path)).code).toBe("pickup_location_not_found");
  });

  test("needs a country, and its amounts are checked with it", async () => {
    const amounts = [usd("0.001"), usd(1)];

    const without = await shop.post("/v2/pickup-locations", {
      name: "Shop",
      address: { city: "Accra" },
      amounts,
    });
    const unknown = await shop.post("/v2/pickup-locations", {
      name: "Shop",
      address: { country: "QX" },
    });

    expect(without.faults).toEqual([
      "#/amounts/0/amount amount_precision",
      "#/amounts/1/currency duplicate",
      "#/address/country required",
    ]);
    expect(unknown.faults).toEqual(["#/address/country invalid_choice"]);
  });
});

describe("the options of an address", () => {
  test("are the active rates of its zone and the active pickup locations", async () => {
    await using shop = await openTestShop();
    const home = await openZone(shop);
    const abroad = await openZone(shop, { country: "*" });
    const rate = await openRate(shop, home, { free_over: [usd(100)], min_days: 1, max_days: 2 });
    await openRate(shop, home, { active: false });
    await openRate(shop, abroad);
    const terms = { name: "Shop", address: accra, instructions: "Ring twice." };
    const location = await shop.post("/v2/pickup-locations", terms);
    await shop.post("/v2/pickup-locations", { ...terms, active: false });

    const options: readonly unknown[] = await optionsIn(shop, "GH");

    expect(options).toEqual([
      {
        id: rate.id,
        kind: "rate",
        label: "Courier",
        description: null,
        pricing: { kind: "flat", tiers: [{ from: 0, amountMinor: 500 }], freeOverMinor: 10_000 },
        minDays: 1,
        maxDays: 2,
        address: null,
      },
      {
        id: location.id,
        kind: "pickup",
        label: "Shop",
        description: "Ring twice.",
        pricing: { kind: "flat", tiers: [{ from: 0, amountMinor: 0 }], freeOverMinor: null },
        minDays: null,
        maxDays: null,
        address: expect.objectContaining({ city: "Accra", country: "GH" }),
      },
    ]);
  });

  test("have only tiers and amounts of the currency", async () => {
    await using shop = await openTestShop();
    const zone = await openZone(shop);
    const ghs = { currency: "GHS", amount: 30 };
    await openRate(shop, zone);
    await openRate(shop, zone, {
      kind: "by_price",
      tiers: [
        { from: 0, amounts: [usd(5), ghs] },
        { from: 5000, amounts: [usd(1)] },
      ],
    });
    await shop.post("/v2/pickup-locations", { name: "Till", address: accra, amounts: [usd(1)] });

    const options = await optionsIn(shop, "GH", "GHS");

    expect(options.map(({ pricing }) => pricing)).toEqual([
      { kind: "by_price", tiers: [{ from: 0, amountMinor: 3000 }], freeOverMinor: null },
    ]);
  });

  test("without a country are the pickup locations", async () => {
    await using shop = await openTestShop();
    await openRate(shop, await openZone(shop, { country: "*" }));
    await shop.post("/v2/pickup-locations", { name: "Shop", address: accra });

    const kinds = (await optionsIn(shop, null)).map(({ kind }) => kind);

    expect(kinds).toEqual(["pickup"]);
  });
});

test("goods are shipped by an option once the shop has a zone, also before it has a rate", async () => {
  await using shop = await openTestShop();
  const before = await offerIn(shop, null);

  await openZone(shop);

  expect([before.hasZones, (await offerIn(shop, null)).hasZones]).toEqual([false, true]);
});

test("an order of shipped goods to a zone without a rate is refused, and one of goods that need none is not", async () => {
  await using shop = await openTestShop({ asks: "nothing" });
  const pages = { key: await shop.createKey({ scopes: ["storefront"] }) };
  const mug = await shop.post("/v2/products", { name: "Mug", price: 5, stock: 9 });
  const price = { currency: "USD", amount: 5 };
  const unshipped = { prices: [price], requires_shipping: false, stock: 9 };
  const online = await shop.post("/v2/products", { name: "Course", variants: [unshipped] });
  const order = (product: typeof mug) =>
    shop.post(
      "/v2/orders",
      {
        line_items: [{ variant_id: product.string("/variants/0/id"), quantity: 1 }],
        shipping_address: { country: "GH", city: "Kumasi" },
      },
      pages,
    );
  const withoutZones = await order(mug);
  await openZone(shop);

  const [refused, placed] = [await order(mug), await order(online)];

  expect(withoutZones.status).toBe(201);
  expect([refused.status, refused.code]).toEqual([409, "shipping_unavailable"]);
  expect(placed.status).toBe(201);
});

describe("the scopes of shipping", () => {
  test("are apart for reading and writing, and no publishable key has them", async () => {
    await using shop = await openTestShop();
    const reader = await shop.createKey({ scopes: ["shipping:read"] });
    const storefront = await shop.createKey({ scopes: ["storefront"] });
    const zone = { name: "Home", places: [{ country: "GH" }] };

    const read = await shop.get("/v2/shipping-rates", { key: reader });
    const written = await shop.post("/v2/shipping-zones", zone, { key: reader });
    const refused = await shop.get("/v2/shipping-zones", { key: storefront });

    expect([read.status, written.status, refused.status]).toEqual([200, 403, 403]);
  });
});

test("the store keeps the weight of units without one", async () => {
  await using shop = await openTestShop();
  const before = await shop.get("/v2/store");

  const after = await shop.put("/v2/store", { default_weight_grams: 250 });
  const refused = await shop.put("/v2/store", { default_weight_grams: -1 });

  expect(before.at("/default_weight_grams")).toBeNull();
  expect(after.at("/default_weight_grams")).toBe(250);
  expect(refused.faults).toEqual(["#/default_weight_grams too_small"]);
});

test("a variant that is not sent says so, and can be changed", async () => {
  await using shop = await openTestShop();
  const made = await shop.post("/v2/products", {
    name: "Gift card",
    variants: [{ requires_shipping: false }],
  });
  const path = `/v2/products/${made.id}/variants/${made.string("/variants/0/id")}`;

  const changed = await shop.put(path, { requires_shipping: true });

  expect(made.at("/variants/0/requires_shipping")).toBe(false);
  expect(changed.at("/requires_shipping")).toBe(true);
});
