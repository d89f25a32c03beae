// Carts before checkout: their lines, their current prices, and who may read them.

import { describe, expect, test } from "bun:test";

import { ada, kanga, mug } from "../../support/cast.ts";
import { openTestShop, sharedShop } from "../../support/shop.ts";
import { of, stock } from "../orders/counter.ts";
import {
  abandonedCart,
  basket,
  cartInCheckout,
  change,
  complete,
  DAY_MS,
  readCart,
} from "./basket.ts";

const shop = sharedShop();

const UNKNOWN_VARIANT = "var_01h455vb4pex5vsknk084sn02q";

test("a cart has the prices of the catalog and reserves no stock", async () => {
  const [cup, cloth] = [await mug(shop), await kanga(shop)];
  await shop.announced();

  const cart = await shop.post("/v2/carts", { line_items: [of(cup, 2), of(cloth)] });

  expect(cart.status).toBe(201);
  expect(cart.headers.get("location")).toBe(`/v2/carts/${cart.id}`);
  expect(cart.body).toMatchObject({
    status: "active",
    currency: "USD",
    total: 45,
    total_minor: 4500,
    customer: null,
    payment_method: null,
    recovery_url: null,
    order_id: null,
    checkout_started_at: null,
    expires_at: "2026-02-04T08:00:00.000Z",
    metadata: {},
    version: 1,
  });
  expect(cart.text).toContain('"total":45.00,"total_minor":4500');
  expect(cart.at("/line_items/0")).toEqual({
    id: expect.stringMatching(/^cl_/),
    metadata: {},
    product_slug: String((await shop.get(`/v2/products/${cup.productId}`)).at("/slug")),
    variant_title: null,
    options: {},
    image: null,
    variant_id: cup.variantId,
    product_id: cup.productId,
    sku: cup.sku,
    name: cup.name,
    quantity: 2,
    unit_price: 12.5,
    unit_price_minor: 1250,
    subtotal: 25,
    subtotal_minor: 2500,
    total: 25,
    total_minor: 2500,
    discount_total: 0,
    discount_total_minor: 0,
    tax_total: 0,
    tax_total_minor: 0,
    included_tax_total: 0,
    included_tax_total_minor: 0,
    available: 10,
    problem: null,
  });
  expect(await stock(shop, cup)).toEqual([10, 0, 10]);
  expect(await shop.announced()).toEqual([]);
});

test("a cart may be empty", async () => {
  const cart = await shop.post("/v2/carts");

  expect(cart.body).toMatchObject({ line_items: [], total: 0, total_minor: 0 });
});

test("a cart reads as it was created", async () => {
  const cart = await basket(shop, [of(await mug(shop))], {
    customer: { email: "Ada@Example.com", name: "Ada" },
    currency: "USD",
    payment_method: "card",
    shipping_address: { line1: "12 Ring Road", country: "GH" },
    metadata: { coupon: "none" },
  });

  const found = await readCart(shop, cart);

  expect(found.body).toEqual(cart.body);
  const headers = { "If-None-Match": cart.headers.get("etag") ?? "" };
  expect((await shop.get(`/v2/carts/${String(cart.at("/id"))}`, { headers })).status).toBe(304);
  expect(found.body).toMatchObject({
    customer: { email: "ada@example.com", phone: null, name: "Ada" },
    email: "ada@example.com",
    phone: null,
  });
});

describe("the lines of a cart", () => {
  test("follow the prices of the catalog", async () => {
    const cup = await mug(shop);
    const cart = await basket(shop, [of(cup, 3)]);
    await shop.put(`/v2/products/${cup.productId}/variants/${cup.variantId}`, {
      prices: [{ currency: "USD", amount: 9.99 }],
    });

    const found = await readCart(shop, cart);

    expect(found.body).toMatchObject({ total: 29.97, version: 1 });
    expect(found.headers.get("etag")).not.toBe(cart.headers.get("etag"));
  });

  test("have a problem and no price once the variant is not for sale", async () => {
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    const cart = await basket(shop, [of(cup), of(cloth)]);
    await shop.put(`/v2/products/${cup.productId}`, { status: "archived" });

    const found = await readCart(shop, cart);

    expect(found.body).toMatchObject({
      line_items: [
        { name: cup.name, unit_price: null, total: null, problem: "variant_not_for_sale" },
        { name: cloth.name, unit_price: 20, problem: null },
      ],
      total: 20,
    });
  });

  test("keep their names when their variant is deleted, also through a change", async () => {
    const cup = await mug(shop);
    const cart = await basket(shop, [of(cup)]);
    const sku = cart.at("/line_items/0/sku");
    await shop.delete(`/v2/products/${cup.productId}`);

    const found = await readCart(shop, cart);
    await shop.put(`/v2/carts/${cart.string("/id")}`, { notes: "By the back door" });
    const changed = await readCart(shop, cart);

    const line = {
      variant_id: cup.variantId,
      product_id: null,
      name: cup.name,
      sku,
      problem: "unknown_variant",
    };
    expect(found.at("/line_items/0")).toMatchObject(line);
    expect(changed.at("/line_items/0")).toMatchObject(line);
  });

  test.each([
    ["are short if there are fewer units", {}, { available: 10, problem: "insufficient_stock" }],
    [
      "are never short if backorders are allowed",
      { backorder: "allow" },
      { available: null, problem: null },
    ],
    [
      "are never short if stock is not tracked",
      { tracked: false },
      { available: null, problem: null },
    ],
  ])("%s", async (_, settings, expected) => {
    const cup = await mug(shop);
    await shop.put(`/v2/inventory/${cup.variantId}`, settings);

    const cart = await basket(shop, [of(cup, 11)]);

    expect(cart.at("/line_items/0")).toMatchObject({ ...expected, total: 137.5 });
  });
});

describe("a change", () => {
  test("replaces the given fields and keeps the others", async () => {
    await using shop = await openTestShop();
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    const cart = await basket(shop, [of(cup)], { email: "ada@example.com", metadata: { a: 1 } });
    shop.clock.advance(DAY_MS);

    const changed = await change(shop, cart, {
      line_items: [of(cloth, 2)],
      phone: "+233201234567",
    });

    expect(changed.body).toMatchObject({
      customer: { email: "ada@example.com", phone: "+233201234567" },
      line_items: [{ sku: "KANGA", quantity: 2 }],
      metadata: { a: 1 },
      version: 2,
      expires_at: "2026-02-05T08:00:00.000Z",
    });
  });

  test("clears the fields that are given as null", async () => {
    const customer = await ada(shop);
    const cart = await basket(shop, [], {
      customer_id: customer,
      customer: { email: "ada@example.com", phone: "+233201234567", name: "Ada" },
      payment_method: "card",
      shipping_address: { country: "GH" },
    });

    const changed = await change(shop, cart, {
      customer_id: null,
      customer: null,
      payment_method: null,
      shipping_address: null,
    });

    expect(changed.body).toMatchObject({
      customer_id: null,
      customer: null,
      email: null,
      payment_method: null,
      shipping_address: null,
    });
  });

  test("of the currency prices every line anew", async () => {
    const cup = await mug(shop);
    const prices = [
      { currency: "USD", amount: 12.5 },
      { currency: "UGX", amount: 45_000 },
    ];
    await shop.put(`/v2/products/${cup.productId}/variants/${cup.variantId}`, { prices });
    const cart = await basket(shop, [of(cup, 2)]);

    const changed = await change(shop, cart, { currency: "UGX" });

    expect(changed.text).toContain('"total":90000,"total_minor":90000');
  });

  test("of an older version is refused", async () => {
    const cart = await basket(shop, []);
    const headers = { "If-Match": cart.headers.get("etag") ?? "" };
    await change(shop, cart, { email: "ada@example.com" });

    const refused = [
      await shop.put(`/v2/carts/${cart.id}`, {}, { headers }),
      await shop.delete(`/v2/carts/${cart.id}`, { headers }),
      await shop.post(`/v2/carts/${cart.id}/checkout`, {}, { headers }),
      await shop.post(`/v2/carts/${cart.id}/complete`, {}, { headers }),
    ];

    expect(refused.map(({ status, code }) => `${status} ${code}`)).toEqual(
      Array.from({ length: 4 }, () => "412 stale_version"),
    );
  });
});

describe("a cart is refused", () => {
  test.each<[string, object, string]>([
    [
      "for an unknown variant",
      { line_items: [{ variant_id: UNKNOWN_VARIANT, quantity: 1 }] },
      "#/line_items/0/variant_id unknown_variant",
    ],
    [
      "for an unknown customer",
      { customer_id: "cus_01h455vb4pex5vsknk084sn02q" },
      "#/customer_id unknown_customer",
    ],
    [
      "for a contact given twice",
      { customer: { email: "a@example.com" }, email: "b@example.com" },
      "#/customer conflicting_fields",
    ],
    [
      "for a quantity of zero",
      { line_items: [{ variant_id: UNKNOWN_VARIANT, quantity: 0 }] },
      "#/line_items/0/quantity too_small",
    ],
    ["for an invalid phone", { phone: "0201234567" }, "#/phone invalid_format"],
    ["for a total in the request", { total: 1 }, "#/total unknown_field"],
    [
      "for an unknown payment method",
      { payment_method: "shells" },
      "#/payment_method invalid_choice",
    ],
  ])("%s", async (_, body, fault) => {
    const cart = await basket(shop, []);

    const refused = [
      await shop.post("/v2/carts", body),
      await change(shop, cart, body),
      await shop.post(`/v2/carts/${cart.id}/checkout`, body),
    ];

    expect(refused.map((one) => [one.status, one.code, one.faults])).toEqual(
      Array.from({ length: 3 }, () => [422, "validation_failed", [fault]]),
    );
    expect((await readCart(shop, cart)).body).toEqual(cart.body);
  });

  test("for a variant that is not for sale or has no price in the currency", async () => {
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    await shop.put(`/v2/products/${cup.productId}`, { status: "draft" });

    const notSold = await shop.post("/v2/carts", { line_items: [of(cloth), of(cup)] });
    const noPrice = await shop.post("/v2/carts", { line_items: [of(cloth)], currency: "KES" });

    expect([notSold.code, notSold.faults]).toEqual([
      "variant_not_for_sale",
      ["#/line_items/1/variant_id variant_not_for_sale"],
    ]);
    expect([noPrice.code, noPrice.faults]).toEqual([
      "price_missing",
      ["#/line_items/0/variant_id price_missing"],
    ]);
  });

  test("if it does not exist", async () => {
    const paths = ["", "/checkout", "/complete"].map(
      (path) => `/v2/carts/cart_01h455vb4pex5vsknk084sn02q${path}`,
    );

    const refused = [
      await shop.get(paths[0] ?? ""),
      await shop.delete(paths[0] ?? ""),
      ...(await Promise.all(paths.slice(1).map((path) => shop.post(path)))),
    ];

    expect(refused.map(({ status, code }) => `${status} ${code}`)).toEqual(
      Array.from({ length: 4 }, () => "404 cart_not_found"),
    );
  });
});

describe("deleting a cart", () => {
  test("ends its timers and emits no event", async () => {
    await using shop = await openTestShop();
    const cart = await cartInCheckout(shop, [of(await mug(shop))]);
    await shop.announced();

    const gone = await shop.delete(`/v2/carts/${cart.id}`);
    shop.clock.advance(60 * DAY_MS);

    expect(gone.status).toBe(204);
    expect((await readCart(shop, cart)).status).toBe(404);
    const fired = await shop.fireDue();
    expect(fired.map(({ name }) => name).filter((name) => name !== "alerts.summary")).toEqual([]);
    expect(await shop.announced()).toEqual([]);
  });

  test("is refused once it is completed", async () => {
    const cart = await basket(shop, [of(await mug(shop))]);
    const order = await complete(shop, cart);

    const refused = await shop.delete(`/v2/carts/${cart.id}`);

    expect(refused.body).toMatchObject({
      status: 409,
      code: "cart_completed",
      order_id: order.id,
    });
  });

  test("is not part of deleting its customer, whose id it loses", async () => {
    const customer = await ada(shop);
    const cart = await basket(shop, [], { customer_id: customer });

    await shop.delete(`/v2/customers/${customer}`);

    expect((await readCart(shop, cart)).at("/customer_id")).toBeNull();
  });
});

test("carts are listed, newest first, by status, customer and age", async () => {
  await using shop = await openTestShop();
  const [cup, customer] = [await mug(shop), await ada(shop)];
  const abandoned = await abandonedCart(shop, [of(cup)], { customer_id: customer });
  shop.clock.advance(DAY_MS);
  const paying = await cartInCheckout(shop, [of(cup)]);
  shop.clock.advance(1000);
  const fresh = await basket(shop, [of(cup)], { customer_id: customer });

  const found = async (query: string) => {
    const page = await shop.get(`/v2/carts?${query}`);
    return page.list("/data").map((_, index) => page.string(`/data/${index}/id`));
  };

  expect(await found("")).toEqual([fresh.id, paying.id, abandoned.id]);
  expect(await found("status=abandoned,checkout")).toEqual([paying.id, abandoned.id]);
  expect(await found(`customer_id=${customer}`)).toEqual([fresh.id, abandoned.id]);
  expect(await found("created_at[gte]=2026-01-06T00:00:00Z")).toEqual([fresh.id, paying.id]);
  expect(await found(`customer_id=${customer}&status=active`)).toEqual([fresh.id]);
});

describe("a storefront", () => {
  test("creates, reads, changes and deletes a cart whose id it has", async () => {
    const cup = await mug(shop);
    const key = await shop.createKey({ scopes: ["storefront"] });
    const cart = await shop.post("/v2/carts", { line_items: [of(cup)] }, { key });
    const path = `/v2/carts/${cart.id}`;

    const answers = [
      await shop.get(path, { key }),
      await shop.put(path, { email: "ada@example.com" }, { key }),
      await shop.post(`${path}/checkout`, {}, { key }),
      await shop.delete(path, { key }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 204]);
  });

  test("cannot list carts", async () => {
    await using shop = await openTestShop();
    const key = await shop.createKey({ scopes: ["storefront"] });

    expect(await shop.get("/v2/carts", { key })).toMatchObject({ code: "scope_missing" });
  });

  test("gets neither the contact nor the id of the customer whom the merchant has named", async () => {
    const key = await shop.createKey({ scopes: ["storefront"] });
    const made = await shop.post("/v2/carts", { customer_id: await ada(shop) });

    const cart = await shop.get(`/v2/carts/${made.id}`, { key });

    expect(cart.body).toMatchObject({ customer_id: null, customer: null, email: null });
  });
});

test("a retry makes one cart", async () => {
  await using shop = await openTestShop();
  const headers = { "Idempotency-Key": "basket-1" };

  const answers = await Promise.all(
    Array.from({ length: 5 }, () => shop.post("/v2/carts", {}, { headers })),
  );

  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect((await shop.get("/v2/carts")).list("/data")).toHaveLength(1);
});
