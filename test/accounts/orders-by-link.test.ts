// An order as the bearer of its link reads it by the API: on any device, without an account.

import { describe, expect, test } from "bun:test";

import { DAY_MS, later } from "../sales/carts/basket.ts";
import { of } from "../sales/orders/counter.ts";
import { mug } from "../support/cast.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../support/shop.ts";

const BY_LINK = "/v2/orders/by-link";
const accra = { line1: "12 Ring Road", city: "Accra", country: "GH" };
const ama = { email: "ama@shop.test", phone: "+233201234567", name: "Ama Owusu" };
const delivery = { customer: ama, shipping_address: accra };

const shared = sharedShop();

/** An order that a storefront placed, and the key of it. */
async function openOrder(shop: TestShop, terms: object = delivery) {
  const goods = await mug(shop);
  const key = await shop.createKey({ scopes: ["storefront"] });
  const body = { line_items: [of(goods)], payment_method: "cash_on_delivery", ...terms };
  const placed = await shop.post("/v2/orders", body, { key });
  const read = (token: string, headers: object = {}) =>
    shop.get(BY_LINK, { key, headers: { "Order-Token": token, ...headers } });
  return { placed, key, read, token: placed.string("/order_token") };
}

const toldOf = (order: Answered) => [
  order.at("/email"),
  order.at("/shipping_address"),
  order.at("/details_hidden"),
];

describe("the token of an order", () => {
  test("is that of its link, in every answer that has the link", async () => {
    const { placed, token } = await openOrder(shared);

    const found = await shared.get(`/v2/orders/${placed.id}`);

    expect(placed.string("/status_url")).toBe(`${shared.url}/o/${token}`);
    expect(found.string("/order_token")).toBe(
      new URL(found.string("/status_url")).pathname.slice(3),
    );
  });

  test("reads the order as its customer does, with payments and refunds, by a storefront's key", async () => {
    const { placed, key, read, token } = await openOrder(shared);
    const sale = { order_id: placed.id, method: "card", card_token: "pm_card_visa" };
    await shared.post("/v2/payments/initialize", sale, { key });
    await shared.post(`/v2/orders/${placed.id}/refunds`, { amount: "2.50" });

    const order = await read(token);

    expect(order.status).toBe(200);
    expect(order.body).toMatchObject({
      id: placed.id,
      email: ama.email,
      phone: ama.phone,
      shipping_address: accra,
      payments: [{ method: "card", status: "partially_refunded", amount: 12.5, next_action: null }],
      refunds: [{ amount: 2.5, currency: "USD" }],
      details_hidden: false,
      order_token: token,
    });
    expect(order.at("/customer_id")).toBeUndefined();
    const tag = order.headers.get("etag") ?? "";
    expect((await read(token, { "If-None-Match": tag })).status).toBe(304);
  });

  test("of a link without contact tells none", async () => {
    const known = { ...ama, email: "kofi@shop.test", phone: "+233201234999" };
    await shared.post("/v2/customers", known);
    const { read, token } = await openOrder(shared, {
      customer: { email: known.email, name: "Kofi" },
      shipping_address: accra,
    });

    expect(toldOf(await read(token))).toEqual([null, expect.objectContaining(accra), false]);
  });

  test("shows nothing of the customer 30 days after the last change", async () => {
    await using shop = await openTestShop();
    const { placed, read, token } = await openOrder(shop);
    const tracking = { carrier: "DHL", number: "JD014600003" };
    await shop.put(`/v2/orders/${placed.id}/fulfill`, { tracking });
    const before = await read(token);

    await later(shop, 31 * DAY_MS);
    const after = await read(token);

    expect(before.at("/fulfillments/0/tracking")).toMatchObject(tracking);
    expect(toldOf(after)).toEqual([null, null, true]);
    expect(after.at("/fulfillments/0/tracking")).toBeNull();
    expect(after.at("/line_items/0/quantity")).toBe(1);
  });

  test("shows nothing of a customer who was erased", async () => {
    const erased = { ...ama, email: "esi@shop.test", phone: "+233201234888" };
    const { placed, read, token } = await openOrder(shared, { ...delivery, customer: erased });
    await shared.put(`/v2/orders/${placed.id}/cancel`);
    const customer = (await shared.get(`/v2/orders/${placed.id}`)).string("/customer/id");
    await shared.post(`/v2/customers/${customer}/erase`);

    expect(toldOf(await read(token))).toEqual([null, null, true]);
  });
});

describe("is refused", () => {
  test("no token with 400, and one that was changed with 422", async () => {
    const { key, read, token } = await openOrder(shared);

    const missing = await shared.get(BY_LINK, { key });
    const changed = await read(token.replace(/.$/, (last) => (last === "A" ? "B" : "A")));

    expect([missing.status, missing.code]).toEqual([400, "order_token_required"]);
    expect([changed.status, changed.code]).toEqual([422, "recovery_link_invalid"]);
  });

  test("a token of two years ago, and one of another shop's mode", async () => {
    await using shop = await openTestShop();
    const { read, token } = await openOrder(shop);
    const live = await shop.createKey({ mode: "live" });

    const elsewhere = await shop.get(BY_LINK, { key: live, headers: { "Order-Token": token } });
    await later(shop, 2 * 366 * DAY_MS);

    expect(elsewhere.code).toBe("recovery_link_invalid");
    expect((await read(token)).code).toBe("recovery_link_expired");
  });

  test("who asks more than 120 times a minute from one address", async () => {
    const settings = { DUKA_TRUSTED_PROXIES: "127.0.0.1" };
    await using shop = await openTestShop({ settings });
    await shop.put("/v2/store", { enforce_limits: true });
    const { read, token } = await openOrder(shop);
    const from = (address: string) => read(token, { "X-Forwarded-For": address });

    const answers = await Promise.all(Array.from({ length: 121 }, () => from("203.0.113.7")));
    const elsewhere = await from("203.0.113.8");

    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(120);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect(elsewhere.status).toBe(200);
  });
});

describe("a shop with a page of its own for orders", () => {
  test("has its address in answers, events and emails, and the page of the server stays", async () => {
    await using shop = await openTestShop();
    const template = "https://shop.example/orders/{token}?from=duka";
    await shop.put("/v2/store", { order_url_template: template });
    await shop.announced();
    const { placed, token } = await openOrder(shop);
    const [event] = (await shop.announced()).filter(({ event: name }) => name === "order.placed");

    const url = `https://shop.example/orders/${token}?from=duka`;
    expect(placed.string("/status_url")).toBe(url);
    expect(event?.data).toMatchObject({
      status_url: expect.stringContaining("https://shop.example/"),
    });
    expect((await fetch(`${shop.url}/o/${token}`)).status).toBe(200);
    await shop.put("/v2/store", { order_url_template: null });
    expect((await shop.get(`/v2/orders/${placed.id}`)).string("/status_url")).toStartWith(shop.url);
  });

  test.each(["http://shop.example/o", "ftp://shop.example", "https://", "javascript:alert(1)"])(
    "names no address such as %s, which would carry the token in the clear or nowhere",
    async (order_url_template) => {
      const refused = await shared.put("/v2/store", { order_url_template });

      expect(refused.faults).toEqual(["#/order_url_template invalid_format"]);
    },
  );
});
