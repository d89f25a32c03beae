// The migration 0065: the ways by hand that web pages sold by before go on being offered there.

import { expect, test } from "bun:test";

import { engine } from "#platform/database/engine.ts";
import { statementsOf } from "#platform/database/migrations.ts";
import { postgresMigrations } from "#platform/database/postgres/migrate.ts";
import { sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

import { rowsBehind, tamper } from "../support/behind-the-shop.ts";
import { mug } from "../support/cast.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

const migrations = engine === "postgres" ? postgresMigrations : sqliteMigrations;
const found = migrations.find(({ name }) => name === "0065_storefront_ways");
const statements = found === undefined ? [] : statementsOf(found);

/** The settings of a shop of before that had these, once it is migrated. */
async function migrated(shop: TestShop, settings: object): Promise<unknown> {
  const text = JSON.stringify(settings);
  await tamper(shop.folder.path, `UPDATE store SET payment_methods = '${text}'`, ...statements);
  const [row] = await rowsBehind(shop.folder.path, "SELECT payment_methods FROM store");
  return JSON.parse(String(row?.["payment_methods"]));
}

/** A shop whose pages and whose merchant placed orders in these methods. */
async function openShop(byPages: readonly string[], byMerchant: readonly string[] = []) {
  const shop = await openTestShop({ asks: "nothing", gateways: [] });
  const { variantId } = await mug(shop, { stock: 100 });
  const on = { storefront: true };
  const payment_methods = { mobile_money: on, card: on, gateway: on };
  await shop.put("/v2/store", { payment_methods });
  const pages = await shop.createKey({ scopes: ["storefront"] });
  const keys = [...byPages.map(() => pages), ...byMerchant.map(() => shop.key)];
  const line_items = [{ variant_id: variantId, quantity: 1 }];
  for (const [at, payment_method] of [...byPages, ...byMerchant].entries()) {
    await shop.post("/v2/orders", { line_items, payment_method }, { key: keys[at] ?? pages });
  }
  return shop;
}

const on = { storefront: true };

test("a shop without orders of its pages goes on with what its merchant said", async () => {
  await using shop = await openShop([], ["cash_on_delivery", "bank_transfer"]);

  expect(await migrated(shop, {})).toEqual({});
  expect(await migrated(shop, { card: { enabled: false } })).toEqual({ card: { enabled: false } });
});

test("the ways by hand that pages sold by are offered there, but what says nothing is not", async () => {
  await using shop = await openShop([
    "mobile_money",
    "card",
    "gateway",
    "cash_on_delivery",
    "bank_transfer",
  ]);

  expect(await migrated(shop, {})).toEqual({
    mobile_money: on,
    cash_on_delivery: on,
    bank_transfer: on,
  });
});

test("the merchant's own settings stay", async () => {
  await using shop = await openShop(["cash_on_delivery", "bank_transfer", "mobile_money"]);
  const transfer = { label: "Transfer", storefront: null };

  const ways = await migrated(shop, {
    cash_on_delivery: { storefront: false },
    bank_transfer: transfer,
    mobile_money: { by: "hand", expiresMinutes: 90 },
  });

  expect(ways).toEqual({
    cash_on_delivery: { storefront: false },
    bank_transfer: { ...transfer, ...on },
    mobile_money: { by: "hand", expiresMinutes: 90, ...on },
  });
});

test("what a gateway takes needs no setting, unless the merchant takes it by hand", async () => {
  await using shop = await openTestShop({ asks: "nothing" });
  const { variantId } = await mug(shop);
  const key = await shop.createKey({ scopes: ["storefront"] });
  const line_items = [{ variant_id: variantId, quantity: 1 }];
  await shop.post("/v2/orders", { line_items, payment_method: "mobile_money" }, { key });

  expect(await migrated(shop, {})).toEqual({});
  expect(await migrated(shop, { mobile_money: { by: "hand" } })).toEqual({
    mobile_money: { by: "hand", ...on },
  });
});
