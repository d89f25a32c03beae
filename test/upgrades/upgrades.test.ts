// The data of former releases, kept here as their own programs left it: this program goes on with it.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { indexProductsJob } from "#catalog/routes/jobs.ts";
import { document } from "#interface.ts";
import { modes } from "#platform/database/shop.ts";

import { openTestShop, type TestShop } from "../support/shop.ts";
import { releases } from "./former-program.ts";
import { differencesIn, type KeptShop, openKeptShop } from "./kept-shop.ts";
import { objectOf, OldShop } from "./old-shop.ts";
import { lost, readAgain } from "./read-shop.ts";
import { cash } from "./trade.ts";

describe.each(releases)("what $version left", ({ version }) => {
  let old: KeptShop;
  let shop: TestShop;

  beforeAll(async () => {
    old = await openKeptShop(version);
    const { folder, settings, kept } = old;
    shop = await openTestShop({ folder, settings, key: kept.keys.test, now: kept.readAt });
    // In the first minute: facets tell until then that they are not complete.
    await indexProductsJob([shop.test, shop.live]).run();
  }, 60_000);

  afterAll(async () => {
    // Its events lack members that the document of today names.
    await shop.duka.stop();
    await old[Symbol.asyncDispose]();
  });

  test.each(modes)("is answered as before in %s mode", async (mode) => {
    const before = old.kept.answers[mode];
    const key = old.kept.keys[mode];

    const after = await readAgain(new OldShop({ url: shop.url, key, document: {} }), before);

    expect(Object.keys(before).length).toBeGreaterThan(20);
    expect(lost(before, after)).toEqual([]);
  });

  test("has the answer of a payment that is asked for once more", async () => {
    const payments = await shop.get("/v2/payments?method=cash&limit=100");
    const deposit = payments
      .list("/data")
      .map(objectOf)
      .find(({ amount }) => amount === 40);
    const asked = new OldShop({ url: shop.url, key: shop.key, document: objectOf(document()) });
    const body = cash(String(deposit?.["order_id"]), "40.00");

    const again = await asked.act("POST /v2/payments/initialize", body);

    expect(again.id).toBe(String(deposit?.["id"]));
    expect((await shop.get("/v2/payments?method=cash&limit=100")).text).toBe(payments.text);
  });

  test("agrees, and goes on to be sold and refunded", async () => {
    expect(await differencesIn(old)).toEqual([]);
    const found = await shop.get("/v2/products?sku=MUG-WHITE");

    const placed = await shop.post("/v2/orders", {
      line_items: [{ variant_id: found.string("/data/0/variants/1/id"), quantity: 2 }],
      customer: { email: "ama@example.com" },
      payment_method: "card",
    });
    const terms = { order_id: placed.id, method: "card", card_token: "pm_card_visa" };
    const paid = await shop.post("/v2/payments/initialize", terms);
    const lines = [{ line_item_id: placed.string("/line_items/0/id"), quantity: 1 }];
    const refunded = await shop.post(`/v2/orders/${placed.id}/refunds`, { line_items: lines });
    await shop.fireDue();

    expect(paid.at("/status")).toBe("succeeded");
    expect(refunded.status).toBe(201);
    const order = await shop.get(`/v2/orders/${placed.id}`);
    expect(order.at("/payment_status")).toBe("partially_refunded");
    expect(await differencesIn(old)).toEqual([]);
  });
});

test("what happened to keys before there was an audit log is in it", async () => {
  await using old = await openKeptShop("0.1.0+g81ab7c24");
  const { folder, settings, kept } = old;
  await using opened = new AsyncDisposableStack();
  const shop = await openTestShop({ folder, settings, key: kept.keys.test, now: kept.readAt });
  opened.defer(() => shop.duka.stop());
  const keys = await shop.get("/v2/keys");
  const [till, page, first] = [0, 1, 2].map((row) => keys.string(`/data/${row}/id`));
  const byFirst = { type: "api_key", id: first, name: "First key" };

  const log = await shop.get("/v2/audit");

  expect(log.list("/data")).toMatchObject([
    { action: "revokeKey", subject: { id: till }, actor: byFirst },
    { action: "createKey", subject: { id: till }, actor: byFirst },
    { action: "createKey", subject: { id: page }, actor: byFirst },
    { action: "createFirstKey", subject: { id: first }, actor: { type: "system" } },
  ]);
  const times = log.list("/data").map((_, row) => log.at(`/data/${row}/created_at`));
  const made = [0, 1, 2].map((row) => keys.at(`/data/${row}/created_at`));
  expect(times).toEqual([keys.at("/data/0/revoked_at"), ...made]);
});

test("what is gone or another is told, and what is new is not", () => {
  const before = { "/v2/orders": [{ id: "a", total: 5, notes: null }], "/v2/store": { name: "A" } };
  const rows = [{ id: "a", total: 6, weight: 2 }];

  expect(lost(before, { "/v2/orders": rows, "/v2/store": "Error: 404" })).toEqual([
    "/v2/orders/0/total: 5 -> 6",
    "/v2/orders/0/notes: null -> nothing",
    '/v2/store: {"name":"A"} -> "Error: 404"',
  ]);
  expect(lost(before, { ...before, "/v2/orders": [] })).toEqual(["/v2/orders: 1 -> 0 rows"]);
  expect(lost(before, { ...before, "/v2/taxes": [] })).toEqual([]);
});
