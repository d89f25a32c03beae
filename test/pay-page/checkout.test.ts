// The checkout of a cart: a page that anybody who has the cart can open, within the bounds of publishable keys.

import { beforeAll, describe, expect, test } from "bun:test";

import { as, tokenOf } from "../accounts/sign-in.ts";
import { basket, change, DAY_MS, later, readCart } from "../sales/carts/basket.ts";
import { stock } from "../sales/orders/counter.ts";
import { accra, of, sold } from "../sales/pricing/priced-shop.ts";
import { mug } from "../support/cast.ts";
import { openTestShop, sharedShop, type TestShop } from "../support/shop.ts";
import { delivering, look, send } from "./delivery-shop.ts";

/** The test mode has the bounds of live mode, and its visitors come by a proxy on this machine. */
const settings = { DUKA_TRUSTED_PROXIES: "127.0.0.1" };
const shared = sharedShop({ asks: "nothing", settings });
let key = "";
beforeAll(async () => {
  await shared.put("/v2/store", { enforce_limits: true });
  key = await shared.createKey({ scopes: ["storefront"] });
});

const pay = { method: "bank_transfer" };

/** A cart with one cup, and the address of its checkout. */
async function filled(shop: TestShop, terms: Readonly<Record<string, unknown>> = {}) {
  const cart = await basket(shop, [of(await sold(shop, 20))], terms);
  return { cart, url: cart.string("/checkout_url") };
}

describe("the address of a checkout", () => {
  test("is told with every open cart, to publishable keys, too", async () => {
    const { cart, url } = await filled(shared);

    const read = await shared.get(`/v2/carts/${cart.id}`, { key });

    expect(url).toStartWith(`${shared.url}/checkout/${cart.id}.`);
    expect(read.at("/checkout_url")).toBe(url);
  });

  test("is none once the cart was ordered", async () => {
    const { cart, url } = await filled(shared);

    await send(url, pay);

    expect((await readCart(shared, cart)).body).toMatchObject({
      status: "completed",
      checkout_url: null,
    });
  });

  test("that was given away opens the cart after it changed", async () => {
    const { cart, url } = await filled(shared);

    await change(shared, cart, { notes: "Ring twice." });

    expect((await look(url)).status).toBe(200);
  });

  test("opens nothing after thirty days without a change", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const { url } = await filled(shop);

    await later(shop, 31 * DAY_MS);

    expect((await look(url)).status).toBe(410);
  });

  test("is no recovery link, and a recovery link is no checkout", async () => {
    const { url } = await filled(shared);
    const recovery = url.replace("/checkout/", "/recover/");

    const pages = [await look(recovery), await look(recovery.replace("/recover/", "/o/"))];

    expect(pages.map(({ status }) => status)).toEqual([404, 404]);
  });
});

describe("a checkout", () => {
  test("asks what the shop asks, sells, and leads to the page of the order", async () => {
    await using shop = await openTestShop();
    const { rider, cup } = await delivering(shop);
    const cart = await basket(shop, [of(cup)]);
    const url = cart.string("/checkout_url");
    const address = { line1: "12 Ring Road", city: "Accra", country: "GH" };

    const said = await send(url, {
      say: "details",
      name: "Ama Owusu",
      email: "ama@shop.test",
      ...address,
    });
    const chosen = await send(url, { choose: "delivery", shipping: rider });
    const bought = await send(url, { ...pay, shipping: rider, amount: "USD 25.00" });
    const order = await fetch(url, { redirect: "manual" });

    expect([said.status, chosen.status, bought.status]).toEqual([303, 303, 303]);
    expect((await readCart(shop, cart)).at("/status")).toBe("completed");
    expect(order.headers.get("location")).toStartWith(`${shop.url}/o/ord_`);
  });

  test("shows nothing of the customer, nor does the order that it leads to: links are passed on", async () => {
    const customer = { email: "ada@example.com", name: "Ada Mensah", phone: "+233201234567" };
    const { url } = await filled(shared, { customer, shipping_address: accra });

    const before = await look(url);
    await send(url, pay);
    const after = await look(url);

    for (const page of [before, after]) {
      expect(page.status).toBe(200);
      expect(page.text).not.toMatch(/ada@example|Mensah|201234567|Ring Road/);
    }
  });

  test("places one order, however often its button is pressed", async () => {
    const { cart, url } = await filled(shared);

    const answers = await Promise.all([send(url, pay), send(url, pay), send(url, pay)]);

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    const order = (await readCart(shared, cart)).string("/order_id");
    const payments = await shared.get(`/v2/payments?order_id=${order}`);
    expect(payments.list("/data")).toHaveLength(1);
  });

  test("offers only ways to pay that are set up for strangers", async () => {
    const { url } = await filled(shared);

    const page = await look(url);

    expect(page.text).not.toContain("Cash\n");
    expect(page.text).toContain("How do you want to pay?");
  });

  test("orders nothing with the contact of a customer whose session has the cart", async () => {
    const token = await tokenOf(shared, { email: `ama${shared.nextNumber()}@example.com` });
    const lines = { line_items: [of(await sold(shared, 20))] };
    const cart = await shared.post("/v2/carts", lines, { key, ...as(token) });

    await send(cart.string("/checkout_url"), pay);

    const id = (await readCart(shared, cart)).string("/order_id");
    expect((await shared.get(`/v2/orders/${id}`)).at("/customer")).toBeNull();
  });
});

describe("the bounds of strangers", () => {
  test("hold for their stock: the shelf that others hold says so, and the cart stays", async () => {
    const goods = await mug(shared, { stock: 100 });
    for (const quantity of [20, 20, 10]) {
      await shared.post(
        "/v2/orders",
        { line_items: [of(goods, quantity)], payment_method: "bank_transfer" },
        { key },
      );
    }
    const cart = await basket(shared, [of(goods)]);

    const refused = await send(cart.string("/checkout_url"), pay);

    expect(refused.status).toBe(409);
    expect(refused.text).toContain("Others hold most of what is left and have not paid yet.");
    expect((await readCart(shared, cart)).at("/status")).toBe("active");
    expect(await stock(shared, goods)).toEqual([100, 50, 50]);
  });

  test("hold for their orders: twenty of an address in ten minutes", async () => {
    const headers = { "X-Forwarded-For": "203.0.113.7" };
    const goods = await sold(shared, 20);
    const statuses: number[] = [];

    for (let order = 0; order < 21; order += 1) {
      const cart = await basket(shared, [of(goods)]);
      const body = new URLSearchParams(pay);
      const url = cart.string("/checkout_url");
      statuses.push(
        (await fetch(url, { method: "POST", redirect: "manual", headers, body })).status,
      );
    }

    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 303), 429]);
  });

  test("hold for their pages: each is a read of its address", async () => {
    const tight = { ...settings, DUKA_ADDRESS_READS_PER_MINUTE: "2" };
    await using shop = await openTestShop({ asks: "nothing", settings: tight });
    await shop.put("/v2/store", { enforce_limits: true });
    const { url } = await filled(shop);
    const headers = { "X-Forwarded-For": "203.0.113.8" };
    const open = async () => (await fetch(url, { headers })).status;

    const statuses = [await open(), await open(), await open()];

    expect(statuses).toEqual([200, 200, 429]);
  });
});
