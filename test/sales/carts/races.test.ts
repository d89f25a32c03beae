// Concurrent requests for one cart: a customer with two windows, a button pressed twice, a timer
// that runs during a request.

import { describe, expect, test } from "bun:test";

import { auditOrders } from "#sales/history/audit-orders.ts";
import { openLinks } from "#sales/links/link-terms.ts";
import { linkTerms } from "#sales/links/tables.ts";

import { atOnce, statuses } from "../../support/at-once.ts";
import { kanga, mug } from "../../support/cast.ts";
import { openTestShop, sharedShop } from "../../support/shop.ts";
import { emptyTable, rowsOf } from "../../support/tables.ts";
import { of } from "../orders/counter.ts";
import {
  abandonedCart,
  basket,
  cartInCheckout,
  change,
  checkout,
  complete,
  HOUR_MS,
  readCart,
} from "./basket.ts";

const shop = sharedShop();

const kofi = { email: "kofi@example.com", phone: null, name: "Kofi" };

describe("a cart", () => {
  test("that is completed several times at once becomes one order", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const cart = await cartInCheckout(shop, [of(cup, 2)], { customer: kofi });
    await shop.announced();

    const answers = await atOnce(5, () => complete(shop, cart));

    const [order] = (await shop.get("/v2/orders")).list("/data").map((row) => Object(row));
    expect(statuses(answers)).toEqual([201, 409, 409, 409, 409]);
    expect(answers.find((answer) => answer.status === 409)?.body).toMatchObject({
      code: "cart_completed",
      order_id: order.id,
    });
    expect((await shop.get("/v2/orders")).list("/data")).toHaveLength(1);
    expect((await shop.announcedNames()).filter((name) => name === "order.placed")).toHaveLength(1);
    const level = await shop.get(`/v2/inventory/${cup.variantId}`);
    expect(level.at("/reserved")).toBe(2);
    expect(await Array.fromAsync(auditOrders(shop.test.database.read))).toEqual([]);
  });

  test("that is changed in several windows keeps every change", async () => {
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    const cart = await basket(shop, [of(cup)]);

    const answers = await Promise.all(
      [
        { line_items: [of(cup), of(cloth)] },
        { email: "kofi@example.com" },
        { phone: "+233209876543" },
        { payment_method: "bank_transfer" },
        { metadata: { window: "2" } },
      ].map((body) => change(shop, cart, body)),
    );

    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200]);
    const found = await readCart(shop, cart);
    expect(found.list("/line_items")).toHaveLength(2);
    expect(found.body).toMatchObject({
      customer: { email: "kofi@example.com", phone: "+233209876543" },
      payment_method: "bank_transfer",
      metadata: { window: "2" },
      version: 6,
    });
  });

  test("is changed by one of several requests for the same version", async () => {
    const cart = await basket(shop, [of(await mug(shop))]);

    const answers = await atOnce(4, (index) =>
      shop.put(
        `/v2/carts/${cart.id}`,
        { metadata: { window: `${index}` } },
        { headers: { "If-Match": '"1"' } },
      ),
    );

    expect(statuses(answers)).toEqual([200, 412, 412, 412]);
  });

  test("starts its checkout once, however often it is requested", async () => {
    const cart = await basket(shop, [of(await mug(shop))]);
    await shop.announced();

    const answers = await atOnce(5, () => checkout(shop, cart));

    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200]);
    expect(await shop.announcedNames()).toEqual(["checkout.started"]);
  });

  test("is recovered once by several checkouts", async () => {
    await using shop = await openTestShop();
    const cart = await abandonedCart(shop, [of(await mug(shop))]);
    await shop.announced();

    const answers = await atOnce(4, () => checkout(shop, cart));

    expect(statuses(answers)).toEqual([200, 200, 200, 200]);
    expect(await shop.announcedNames()).toEqual(["cart.recovered"]);
  });

  test("is deleted or completed, not both", async () => {
    const cup = await mug(shop, { stock: 20 });
    const carts = await atOnce(8, () => basket(shop, [of(cup)]));

    const [deleted, completed] = await Promise.all([
      Promise.all(carts.map(({ id }) => shop.delete(`/v2/carts/${id}`))),
      Promise.all(carts.map((cart) => complete(shop, cart))),
    ]);

    expect(completed.map((answer) => answer.status)).toEqual(
      deleted.map((answer) => (answer.status === 204 ? 404 : 201)),
    );
    expect(await Array.fromAsync(auditOrders(shop.test.database.read))).toEqual([]);
  });

  test("that is completed when its hour ends is recovered if it was announced as abandoned", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop, { stock: 20 });
    const carts = await atOnce(6, () => cartInCheckout(shop, [of(cup)]));
    await shop.announced();
    shop.clock.advance(HOUR_MS);

    const [completed] = await Promise.all([
      Promise.all(carts.map((cart) => complete(shop, cart))),
      shop.fireDue(),
    ]);

    const names = await shop.announcedNames();
    const times = (name: string) => names.filter((one) => one === name).length;
    expect(statuses(completed)).toEqual(carts.map(() => 201));
    expect(times("order.placed")).toBe(6);
    expect(times("cart.recovered")).toBe(times("cart.abandoned"));
    const found = await Promise.all(carts.map((cart) => readCart(shop, cart)));
    expect(found.map((cart) => cart.at("/status"))).toEqual(carts.map(() => "completed"));
  });
});

test("programs that open a shop at once share the secret of its links", async () => {
  await using shop = await openTestShop();
  const { database } = shop.test;
  await database.write((tx) => emptyTable(tx, linkTerms));

  await atOnce(5, () => database.write((tx) => openLinks(tx, "https://shop.example")));

  const before = await rowsOf(database.read, linkTerms);
  await atOnce(3, (index) => database.write((tx) => openLinks(tx, `https://shop${index}.example`)));
  const after = await rowsOf(database.read, linkTerms);
  expect(before).toHaveLength(1);
  expect(after.map(({ secret }) => secret)).toEqual(before.map(({ secret }) => secret));
});
