// A cart carries all that its order takes.

import { expect, test } from "bun:test";

import { kanga, mug } from "../../support/cast.ts";
import { openTestShop, sharedShop } from "../../support/shop.ts";
import { of } from "../orders/counter.ts";
import { abandonedCart, basket, change, checkout, complete, readCart } from "./basket.ts";

const shop = sharedShop({ asks: "nothing" });

const address = { line1: "12 Ring Road", city: "Accra", country: "GH" };

const carried = {
  shipping_address: address,
  billing_address: { ...address, name: "Mensah Ltd" },
  shipping: { label: "Rider", amount: 3 },
  notes: "The blue gate",
  channel: "market_day",
  external_id: "basket-4711",
  metadata: { source: "market" },
};

test("an order has what its cart carried", async () => {
  const cart = await basket(shop, [of(await mug(shop), 2)], carried);

  const order = await complete(shop, cart);

  expect(order.status).toBe(201);
  expect(order.body).toMatchObject({ ...carried, shipping_total: 3, total: 28 });
});

test("a cart shows what it carries, and what it comes to with its shipping", async () => {
  const cart = await basket(shop, [of(await mug(shop), 2)], carried);

  const found = await readCart(shop, cart);

  expect(found.body).toMatchObject({
    ...carried,
    subtotal: 25,
    shipping_total: 3,
    shipping_total_minor: 300,
    total: 28,
    total_minor: 2800,
  });
});

test("a cart of which nothing was said is of the online store, without shipping", async () => {
  const cart = await basket(shop, [of(await mug(shop))]);

  expect(cart.body).toMatchObject({
    channel: "online_store",
    billing_address: null,
    shipping: null,
    notes: null,
    external_id: null,
    shipping_total: 0,
    total: 12.5,
  });
});

test("a change of one field keeps what else a cart carries", async () => {
  const cart = await basket(shop, [of(await mug(shop))], carried);

  const changed = await change(shop, cart, { notes: null, shipping: null });

  expect(changed.body).toMatchObject({ ...carried, notes: null, shipping: null, total: 12.5 });
});

test("an abandoned cart is announced on its own channel, with its shipping in the total", async () => {
  await using shop = await openTestShop({ asks: "nothing" });
  await abandonedCart(shop, [of(await mug(shop))], carried);

  const [abandoned] = (await shop.announced()).filter(({ event }) => event === "cart.abandoned");

  expect(abandoned?.data).toMatchObject({ channel: "market_day", total: 15.5 });
});

test("a new currency needs a new charge for shipping", async () => {
  const prices = [
    { currency: "USD", amount: 12.5 },
    { currency: "GHS", amount: 150 },
  ];
  const cup = await mug(shop, {
    price: undefined,
    sku: undefined,
    stock: undefined,
    variants: [{ prices }],
  });
  const cart = await basket(shop, [of(cup)], { shipping: { label: "Rider", amount: 3 } });

  const refused = await change(shop, cart, { currency: "GHS" });
  const changed = await change(shop, cart, { currency: "GHS", shipping: { amount: 30 } });

  expect([refused.status, refused.faults]).toEqual([422, ["#/shipping required"]]);
  expect(changed.body).toMatchObject({ shipping_total: 30, total: 180, currency: "GHS" });
});

test("a charge of more digits than its currency has is refused at its pointer", async () => {
  const line_items = [of(await mug(shop))];

  const refused = await shop.post("/v2/carts", { line_items, shipping: { amount: 3.005 } });

  expect([refused.status, refused.faults]).toEqual([422, ["#/shipping/amount amount_precision"]]);
});

test.each([
  { channel: "market_day" },
  { external_id: "basket-4711" },
  { customer_id: "cus_01h455vb4pex5vsknk084sn02q" },
  { shipping: { amount: 0 } },
])("a storefront key cannot set %j of a cart", async (field) => {
  const line_items = [of(await mug(shop))];
  const key = await shop.createKey({ scopes: ["storefront"] });
  const cart = await shop.post("/v2/carts", { line_items }, { key });

  const refused = [
    await shop.post("/v2/carts", { line_items, ...field }, { key }),
    await shop.put(`/v2/carts/${cart.id}`, field, { key }),
    await shop.post(`/v2/carts/${cart.id}/checkout`, field, { key }),
  ];

  const [name] = Object.keys(field);
  const pointer = name === "shipping" ? "shipping/amount" : name;
  const fault = `#/${pointer} not_allowed_for_public_key`;
  expect(refused.map(({ status, faults }) => [status, faults])).toEqual(
    refused.map(() => [422, [fault]]),
  );
});

test("a storefront key cannot take away the charge that the merchant named", async () => {
  const line_items = [of(await mug(shop))];
  const key = await shop.createKey({ scopes: ["storefront"] });
  const cart = await shop.post("/v2/carts", { line_items, shipping: { amount: 5 } });

  const refused = await shop.put(`/v2/carts/${cart.id}`, { shipping: null }, { key });

  expect([refused.status, refused.faults]).toEqual([
    422,
    ["#/shipping not_allowed_for_public_key"],
  ]);
  expect((await shop.get(`/v2/carts/${cart.id}`)).at("/shipping_total")).toBe(5);
});

test("a storefront key carries the addresses and the notes of a cart", async () => {
  const key = await shop.createKey({ scopes: ["storefront"] });
  const { channel: _channel, external_id: _externalId, shipping: _shipping, ...fields } = carried;
  const line_items = [of(await mug(shop))];

  const cart = await shop.post("/v2/carts", { line_items, ...fields }, { key });

  expect(cart.status).toBe(201);
  expect(cart.body).toMatchObject(fields);
});

test("a cart keeps the shipping that a secret key has set, while a storefront key changes it", async () => {
  const key = await shop.createKey({ scopes: ["storefront"] });
  const cart = await shop.post("/v2/carts", { line_items: [of(await mug(shop))] }, { key });
  await change(shop, cart, { shipping: { label: "Rider", amount: 3 } });

  await shop.put(`/v2/carts/${cart.id}`, { notes: "The blue gate" }, { key });
  const order = await shop.post(`/v2/carts/${cart.id}/complete`, {}, { key });

  expect(order.body).toMatchObject({ shipping: { label: "Rider", amount: 3 }, total: 15.5 });
});

test("a storefront key replaces its own names in a cart's metadata and keeps the others", async () => {
  const key = await shop.createKey({ scopes: ["storefront"] });
  const first = { line_items: [of(await mug(shop))], metadata: { source: "page", public_a: 1 } };
  const cart = await shop.post("/v2/carts", first, { key });
  await change(shop, cart, { metadata: { source: "page", public_a: 1, margin: 4 } });

  const changed = await shop.put(`/v2/carts/${cart.id}`, { metadata: { public_b: 2 } }, { key });
  const completed = { metadata: { public_c: 3 } };
  const order = await shop.post(`/v2/carts/${cart.id}/complete`, completed, { key });

  expect(changed.at("/metadata")).toEqual({ public_b: 2 });
  expect(order.at("/metadata")).toEqual({ public_c: 3 });
  expect((await shop.get(`/v2/orders/${order.id}`)).at("/metadata")).toEqual({
    margin: 4,
    public_c: 3,
  });
});

test("a cart whose external id has an order is refused, and stays open", async () => {
  const [cup, cloth] = [await mug(shop), await kanga(shop)];
  const terms = { ...carried, external_id: "basket-4712" };
  const first = await complete(shop, await basket(shop, [of(cup)], terms));
  const second = await basket(shop, [of(cloth)], terms);
  await checkout(shop, second);

  const refused = await complete(shop, second);

  expect(refused.body).toMatchObject({ code: "external_id_taken", existing_id: first.id });
  expect((await readCart(shop, second)).at("/status")).toBe("checkout");
});

test("erasing a customer removes the billing address and the notes of their carts", async () => {
  const ada = await shop.post("/v2/customers", { email: "ada@example.com" });
  const cart = await basket(shop, [of(await mug(shop))], { ...carried, customer_id: ada.id });

  await shop.post(`/v2/customers/${ada.id}/erase`);

  expect((await readCart(shop, cart)).body).toMatchObject({ billing_address: null, notes: null });
});
