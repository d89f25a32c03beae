// What the checks of the shop find: each step ticks as it is done.

import { expect, test } from "bun:test";

import { openTestShop, type TestShop } from "../support/shop.ts";

/** The states of the shop's rows by their names. */
async function statesOf(shop: TestShop): Promise<Record<string, string>> {
  const { body } = await shop.get("/v2/checklist?area=shop");
  const rows: unknown = Reflect.get(Object(body), "checks");
  return Object.fromEntries(
    (Array.isArray(rows) ? rows : []).map((row) => [
      String(Reflect.get(row, "check")),
      String(Reflect.get(row, "state")),
    ]),
  );
}

async function deliveryOf(shop: TestShop): Promise<unknown> {
  const rows = (await shop.get("/v2/checklist?area=shop")).list("/checks");
  return rows.find((row) => Object(row).check === "delivery");
}

test("a new shop lacks all but a way to pay, which test mode has", async () => {
  await using shop = await openTestShop();

  expect(await statesOf(shop)).toEqual({
    owner: "todo",
    name: "todo",
    country: "todo",
    product: "todo",
    picture: "todo",
    way_to_pay: "ok",
    checkout: "ok",
    delivery: "ok",
    contact: "todo",
    tax: "todo",
    told: "todo",
    first_order: "todo",
  });
});

test("the steps tick as the shop is set up", async () => {
  await using shop = await openTestShop();
  await shop.put("/v2/store", { name: "Akwaaba Crafts", country: "GH" });
  const product = await shop.post("/v2/products", { name: "Mug", price: "10.00", stock: 3 });
  const toSend = await statesOf(shop);
  const zone = await shop.post("/v2/shipping-zones", {
    name: "Ghana",
    places: [{ country: "GH" }],
  });
  await shop.post("/v2/shipping-rates", {
    zone_id: zone.id,
    name: "Courier",
    kind: "flat",
    tiers: [{ from: 0, amounts: [{ currency: "USD", amount: "3.00" }] }],
  });
  await shop.post("/v2/tax-rates", { name: "VAT", country: "GH", rate: "15" });
  await shop.post("/v2/orders", {
    line_items: [{ variant_id: product.string("/variants/0/id"), quantity: 1 }],
    paid: { method: "cash" },
  });

  expect(toSend).toMatchObject({ name: "ok", country: "ok", product: "ok", delivery: "todo" });
  expect(await statesOf(shop)).toMatchObject({ delivery: "ok", tax: "ok", first_order: "ok" });
});

test("a shop that closed every way to pay is told so", async () => {
  await using shop = await openTestShop();
  const methods = ["mobile_money", "card", "gateway", "cash_on_delivery", "bank_transfer", "cash"];
  await shop.put("/v2/store", {
    payment_methods: Object.fromEntries(methods.map((method) => [method, { enabled: false }])),
  });

  expect(await statesOf(shop)).toMatchObject({ way_to_pay: "todo" });
});

test("a shop that charges no tax by decision misses no rates", async () => {
  await using shop = await openTestShop();
  await shop.put("/v2/store", { no_taxes: true });

  expect(await statesOf(shop)).toMatchObject({ tax: "ok" });
});

test("a shop that sends nothing needs no rate for it", async () => {
  await using shop = await openTestShop();
  await shop.post("/v2/products", {
    name: "Course",
    variants: [{ prices: [{ currency: "USD", amount: "10.00" }], requires_shipping: false }],
  });

  expect(await statesOf(shop)).toMatchObject({ product: "ok", delivery: "ok" });
});

test("a zone without an active rate is named, beside one that has a price", async () => {
  await using shop = await openTestShop();
  const zoneOf = async (name: string, country: string) =>
    (await shop.post("/v2/shipping-zones", { name, places: [{ country }] })).id;
  const rateOf = (zone: string, active: boolean) =>
    shop.post("/v2/shipping-rates", {
      zone_id: zone,
      name: "Courier",
      kind: "flat",
      active,
      tiers: [{ from: 0, amounts: [{ currency: "USD", amount: "3.00" }] }],
    });
  await rateOf(await zoneOf("Ghana", "GH"), true);
  const togo = await zoneOf("Togo", "TG");
  await rateOf(togo, false);

  const before = await deliveryOf(shop);
  await rateOf(togo, true);

  expect(before).toMatchObject({ state: "todo", found: "Customers cannot order to Togo yet." });
  expect(await deliveryOf(shop)).toMatchObject({ state: "ok" });
});
