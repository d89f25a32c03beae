// The migration `ready`: where a shop sent goods without a price, a rate of 0 says so.

import { expect, test } from "bun:test";

import { engine } from "#platform/database/engine.ts";
import { statementsOf } from "#platform/database/migrations.ts";
import { postgresMigrations } from "#platform/database/postgres/migrate.ts";
import { sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

import { tamper } from "../support/behind-the-shop.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

const migrations = engine === "postgres" ? postgresMigrations : sqliteMigrations;
const found = migrations.find(({ name }) => name.endsWith("_ready"));
const statements = found === undefined ? [] : statementsOf(found).slice(-1);

/** A shop of before with two zones and prices in two currencies. */
async function openShop() {
  const shop = await openTestShop();
  const prices = [
    { currency: "USD", amount: 5 },
    { currency: "GHS", amount: 60 },
  ];
  const mug = await shop.post("/v2/products", {
    name: "Mug",
    variants: [{ prices, stock: 9 }],
  });
  const zoneOf = async (name: string, country: string) =>
    (await shop.post("/v2/shipping-zones", { name, places: [{ country }] })).id;
  const zones = [await zoneOf("Ghana", "GH"), await zoneOf("Togo", "TG")] as const;
  const migrate = () => tamper(shop.folder.path, ...statements);
  return { shop, zones, migrate, variant: mug.string("/variants/0/id") };
}

/** What the checklist says of delivery. */
async function deliveryOf(shop: TestShop) {
  const rows = (await shop.get("/v2/checklist?area=shop")).list("/checks");
  return Object(rows.find((row) => Object(row).check === "delivery"));
}

test("each zone of a shop without rates gets one that costs nothing in all currencies of its prices", async () => {
  const { shop, migrate, variant } = await openShop();
  await using _ = shop;

  await migrate();

  const { data } = Object((await shop.get("/v2/shipping-rates")).body);
  const [rate] = data;
  const [tier] = rate.tiers;
  const delivery = await deliveryOf(shop);
  const order = await shop.post("/v2/orders", {
    line_items: [{ variant_id: variant, quantity: 1 }],
    shipping_address: { country: "GH", city: "Kumasi" },
    shipping: { rate_id: data[1].id },
  });
  expect(data).toHaveLength(2);
  expect(rate).toMatchObject({ name: "Delivery", kind: "flat", active: true });
  expect(new Set(tier.amounts.map(Object))).toEqual(
    new Set([
      { currency: "GHS", amount: 0, amount_minor: 0 },
      { currency: "USD", amount: 0, amount_minor: 0 },
    ]),
  );
  expect(delivery).toMatchObject({ state: "todo" });
  expect(delivery.found).toStartWith("Delivery to ");
  expect([order.status, order.at("/shipping_total_minor")]).toEqual([201, 0]);
});

test("a written rate that someone changed is no longer asked about", async () => {
  const { shop, migrate } = await openShop();
  await using _ = shop;
  await migrate();
  const [ghana, togo] = (await shop.get("/v2/shipping-rates")).list("/data").map(Object);

  await shop.put(`/v2/shipping-rates/${ghana.id}`, { name: "Free delivery" });
  const { found: foundOfOne } = await deliveryOf(shop);
  await shop.put(`/v2/shipping-rates/${togo.id}`, { name: "Free delivery" });

  expect(foundOfOne).toMatch(/^Delivery to (?:Ghana|Togo) is free: /);
  expect((await deliveryOf(shop)).state).toBe("ok");
});

test("a shop with an active rate is left as it is", async () => {
  const { shop, zones, migrate } = await openShop();
  await using _ = shop;
  await shop.post("/v2/shipping-rates", {
    zone_id: zones[0],
    name: "Rider",
    kind: "flat",
    tiers: [{ from: 0, amounts: [{ currency: "USD", amount: 5 }] }],
  });

  await migrate();

  expect((await shop.get("/v2/shipping-rates")).list("/data")).toHaveLength(1);
});
