// The migration 0064: a shop whose last orders lacked what a new one asks for goes on taking such orders.

import { expect, test } from "bun:test";

import { engine } from "#platform/database/engine.ts";
import { statementsOf } from "#platform/database/migrations.ts";
import { postgresMigrations } from "#platform/database/postgres/migrate.ts";
import { sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

import { DAY_MS, later } from "../sales/carts/basket.ts";
import { rowsBehind, tamper } from "../support/behind-the-shop.ts";
import { type Goods, mug } from "../support/cast.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

const migrations = engine === "postgres" ? postgresMigrations : sqliteMigrations;
const found = migrations.find(({ name }) => name === "0064_store_checkout");
const [, migration = ""] = found === undefined ? [] : statementsOf(found);

const ama = { email: "ama@shop.test", name: "Ama Owusu" };
const accra = { line1: "12 Ring Road", city: "Accra", country: "GH" };
const nothingAsked = { contact: "none", address: "never", name: false };
const whole = { customer: ama, shipping_address: accra };

/** A shop of before, with a key of its pages. */
async function openShopOfBefore() {
  const shop = await openTestShop({ asks: "nothing" });
  const goods = await mug(shop, { stock: 100 });
  const key = await shop.createKey({ scopes: ["storefront"] });
  const order = (content: object) =>
    shop.post("/v2/orders", { line_items: [line(goods)], ...content }, { key });
  return { shop, goods, order, [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose]() };
}

function line({ variantId }: Goods) {
  return { variant_id: variantId, quantity: 1 };
}

/** The settings that the migration gives the shop, which had none. */
async function assume(shop: TestShop): Promise<unknown> {
  await tamper(shop.folder.path, "UPDATE store SET checkout = '{}'", migration);
  const [row] = await rowsBehind(shop.folder.path, "SELECT checkout FROM store");
  return JSON.parse(String(row?.["checkout"]));
}

/** The same, for a shop that then goes on as before. */
async function assumed(shop: TestShop): Promise<unknown> {
  const settings = await assume(shop);
  await tamper(shop.folder.path, `UPDATE store SET checkout = '${JSON.stringify(nothingAsked)}'`);
  return settings;
}

test("a shop without orders, and one whose orders had everything, asks for what a new one does", async () => {
  await using before = await openShopOfBefore();
  const { shop, order } = before;

  expect(await assumed(shop)).toEqual({});
  const { id } = await order(whole);
  await shop.put(`/v2/orders/${id}/fulfill`);
  expect(await assumed(shop)).toEqual({});
});

test("each rule is left out by itself, and the merchant is told until they have said what holds", async () => {
  await using before = await openShopOfBefore();
  const { shop, order } = before;
  const stepOf = async () => {
    const { body } = await shop.get("/v2/checklist");
    return Object(body).checks.find(({ check }: { check: string }) => check === "checkout").state;
  };

  await order({ shipping_address: { ...accra, name: "Ama" } });
  expect(await assumed(shop)).toEqual({ contact: "none", isAssumed: true });
  await order({ ...whole, customer: { email: ama.email } });
  expect(await assumed(shop)).toEqual({ contact: "none", name: false, isAssumed: true });
  const sent = await order({ customer: ama });
  expect(await assumed(shop)).toMatchObject({ contact: "none", name: false });
  await shop.put(`/v2/orders/${sent.id}/fulfill`);
  expect(await assume(shop)).toEqual({ ...nothingAsked, isAssumed: true });
  expect((await shop.get("/v2/store")).at("/checkout")).toEqual(nothingAsked);
  expect(await stepOf()).toBe("todo");
  await shop.put("/v2/store", { checkout: { contact: "either" } });
  expect((await shop.get("/v2/store")).at("/checkout")).toEqual({
    ...nothingAsked,
    contact: "either",
  });
  expect(await stepOf()).toBe("ok");
});

test("orders of the merchant, of customers who were erased, and of three months ago decide nothing", async () => {
  await using before = await openShopOfBefore();
  const { shop, goods, order } = before;
  await order({});
  await later(shop, 91 * DAY_MS);
  const erased = await order({ ...whole, customer: { email: "kofi@shop.test", name: "Kofi" } });
  await shop.put(`/v2/orders/${erased.id}/cancel`);
  const [customer] = Object((await shop.get("/v2/customers?email=kofi@shop.test")).body).data;
  await shop.post(`/v2/customers/${customer.id}/erase`);
  await shop.post("/v2/orders", { line_items: [line(goods)] });

  expect(await assumed(shop)).toEqual({});
});
