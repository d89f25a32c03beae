// Placing an order: the request, the answer, and the events.

import { describe, expect, test } from "bun:test";

import { ada, kanga, kofi, mug } from "../../support/cast.ts";
import { openTestShop, sharedShop } from "../../support/shop.ts";
import { of, place, reread, stock } from "../orders/counter.ts";

const shop = sharedShop();

const DAY_MS = 86_400_000;

test("an order gets its number and prices, and reserves its stock", async () => {
  await using shop = await openTestShop();
  const [cup, cloth] = [await mug(shop), await kanga(shop)];
  const customer = await ada(shop);
  await shop.announced();

  const placed = await shop.post("/v2/orders", {
    customer_id: customer,
    line_items: [of(cup, 2), of(cloth, 1)],
    payment_method: "mobile_money",
    currency: "USD",
    metadata: { source: "website" },
  });

  expect(placed.status).toBe(201);
  expect(placed.headers.get("location")).toBe(`/v2/orders/${placed.id}`);
  expect(placed.body).toMatchObject({
    number: 1001,
    status: "open",
    payment_status: "unpaid",
    fulfillment_status: "unfulfilled",
    customer: { id: customer, email: "ada@example.com" },
    total: 45,
    total_minor: 4500,
    due: 45,
    channel: "online_store",
    metadata: { source: "website" },
  });
  expect(placed.text).toContain('"total":45.00,');
  expect(await stock(shop, cup)).toEqual([10, 2, 8]);
  expect(await shop.announced()).toMatchObject([
    { event: "inventory.low", data: { sku: "KANGA", available: 4, threshold: 5 } },
    { event: "order.placed", data: { order_id: placed.id, total: 45, currency: "USD" } },
  ]);
});

test("an order reads as it was placed", async () => {
  const placed = await place(shop, [of(await mug(shop), 3)], {
    customer: { email: "ada@example.com" },
    channel: "market_day",
    external_id: "till-4711",
    shipping: { label: "Rider", amount: 3 },
    shipping_address: { line1: "12 Ring Road", country: "GH" },
    notes: "The blue gate",
    metadata: { source: "phone" },
  });

  const found = await reread(shop, placed);

  expect(found.body).toEqual(placed.body);
  const headers = { "If-None-Match": placed.headers.get("etag") ?? "" };
  expect((await shop.get(`/v2/orders/${String(placed.at("/id"))}`, { headers })).status).toBe(304);
});

test("the event of a new order carries the fields of its payment's event", async () => {
  await using shop = await openTestShop();
  const cup = await mug(shop);
  await shop.announced();

  const placed = await place(shop, [of(cup)], {
    customer: { email: "Ada@Example.com" },
    external_id: "till-1",
    metadata: { source: "website" },
  });

  const [created, announced, ...rest] = await shop.announced();
  expect([created?.event, rest]).toEqual(["customer.created", []]);
  expect(announced).toEqual({
    event: "order.placed",
    data: {
      id: placed.id,
      order_id: placed.id,
      total: 12.5,
      total_minor: 1250,
      currency: "USD",
      channel: "online_store",
      payment_method: "gateway",
      customer: {
        id: placed.at("/customer_id"),
        email: "ada@example.com",
        phone: null,
        name: null,
      },
      shipping_address: null,
      status_url: placed.at("/status_url"),
      number: 1001,
      external_id: "till-1",
      cart_id: null,
      line_items: placed.at("/line_items"),
      discounts: [],
      tax_lines: [],
      included_tax_total: 0,
      included_tax_total_minor: 0,
      shipping_discount_total: 0,
      shipping_discount_total_minor: 0,
      metadata: { source: "website" },
    },
  });
});

test("an order with null for all that it does not say is an order with lines alone", async () => {
  const line_items = [of(await mug(shop))];
  const silent = [
    "customer_id",
    "customer",
    "payment_method",
    "currency",
    "channel",
    "external_id",
  ];
  const more = ["shipping_address", "billing_address", "shipping", "notes", "metadata"];

  const placed = await shop.post("/v2/orders", {
    line_items,
    ...Object.fromEntries([...silent, ...more].map((name) => [name, null])),
  });

  const plain = await place(shop, line_items);
  const { id, number, line_items: lines, status_url, order_token, ...terms } = Object(plain.body);
  expect([placed.status, id === placed.id, lines.length]).toEqual([201, false, 1]);
  expect(placed.at("/status_url")).not.toBe(status_url);
  expect(placed.at("/order_token")).not.toBe(order_token);
  expect(placed.body).toMatchObject(terms);
  expect(placed.at("/number")).toBe(number - 1);
});

describe("an order with lines alone", () => {
  test("has no customer and the shop's currency", async () => {
    await using shop = await openTestShop();
    await shop.put("/v2/store", { currency: "GHS" });
    const cup = await mug(shop);
    await shop.announced();

    const placed = await place(shop, [of(cup)]);

    expect(placed.body).toMatchObject({
      customer_id: null,
      customer: null,
      currency: "GHS",
      channel: "online_store",
      payment_method: "gateway",
      external_id: null,
      cart_id: null,
      shipping_address: null,
      shipping: null,
      notes: null,
      fulfillments: [],
      metadata: {},
      version: 1,
    });
    expect(await shop.announced()).toMatchObject([
      { event: "order.placed", data: { customer: { id: null, email: null }, currency: "GHS" } },
    ]);
  });

  test("keeps the names of its variants as they were", async () => {
    const cup = await mug(shop);
    const placed = await place(shop, [of(cup, 2)]);
    await shop.put(`/v2/products/${cup.productId}`, { name: "Cup" });

    const found = await reread(shop, placed);

    expect(found.at("/line_items")).toEqual([
      {
        id: placed.string("/line_items/0/id"),
        variant_id: cup.variantId,
        product_id: cup.productId,
        tax_class: null,
        product_slug: expect.any(String),
        sku: cup.sku,
        name: cup.name,
        variant_title: null,
        options: {},
        image: null,
        quantity: 2,
        cancelled_quantity: 0,
        fulfilled_quantity: 0,
        returned_quantity: 0,
        metadata: {},
        unit_price: 12.5,
        unit_price_minor: 1250,
        subtotal: 25,
        subtotal_minor: 2500,
        discount_total: 0,
        discount_total_minor: 0,
        tax_total: 0,
        tax_total_minor: 0,
        included_tax_total: 0,
        included_tax_total_minor: 0,
        total: 25,
        total_minor: 2500,
      },
    ]);
  });
});

describe("amounts", () => {
  test("in UGX have no decimals", async () => {
    const cup = await mug(shop, { currency: "UGX", price: 49_500 });

    const placed = await place(shop, [of(cup)], { currency: "UGX" });

    expect(placed.text).toContain('"total":49500,"total_minor":49500');
  });

  test("in KWD have three decimals", async () => {
    const cup = await mug(shop, { currency: "KWD", price: "12.345" });

    const placed = await place(shop, [of(cup)], { currency: "KWD" });

    expect(placed.text).toContain('"total":12.345,"total_minor":12345');
  });

  test("for shipping are part of the total and of no line", async () => {
    const cup = await mug(shop);

    const placed = await place(shop, [of(cup, 2)], {
      shipping: { label: "Rider", amount: "2.05" },
    });

    expect(placed.body).toMatchObject({
      shipping: { label: "Rider", amount: 2.05, amount_minor: 205 },
      subtotal_minor: 2500,
      shipping_total_minor: 205,
      total_minor: 2705,
      due_minor: 2705,
    });
  });

  test("of zero make a paid order, which is announced", async () => {
    const cup = await mug(shop, { price: 0 });
    await shop.announced();

    const placed = await place(shop, [of(cup)]);

    expect(placed.body).toMatchObject({
      payment_status: "paid",
      status: "open",
      paid_at: "2026-01-05T08:00:00.000Z",
      expires_at: null,
    });
    expect(await shop.announcedNames()).toEqual(["order.placed", "order.paid"]);
  });
});

describe("an unpaid order", () => {
  test.each(["mobile_money", "card", "gateway"])(
    "that is paid by %s expires after a day",
    async (payment_method) => {
      await using shop = await openTestShop();

      const placed = await place(shop, [of(await mug(shop))], { payment_method });

      expect(placed.at("/expires_at")).toBe(new Date(shop.clock.now() + DAY_MS).toISOString());
    },
  );

  test.each(["cash_on_delivery", "cash"])(
    "that is paid by %s never expires",
    async (payment_method) => {
      const placed = await place(shop, [of(await mug(shop))], { payment_method });

      expect(placed.at("/expires_at")).toBeNull();
    },
  );

  test("never expires if the shop's settings turn expiry off", async () => {
    await using shop = await openTestShop();
    await shop.put("/v2/store", { order_expiry_minutes: null });

    const placed = await place(shop, [of(await mug(shop))]);

    expect(placed.at("/expires_at")).toBeNull();
  });
});

describe("numbers", () => {
  test("have no gaps, even if orders are refused", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop, { stock: 3 });
    const requests = [1, 9, 1, 9, 9, 1].map((quantity) =>
      shop.post("/v2/orders", { line_items: [of(cup, quantity)] }),
    );

    const answers = await Promise.all(requests);

    const placed = answers.filter((answer) => answer.status === 201);
    const numbers = placed.map((answer) => answer.number("/number"));
    expect(new Set(numbers)).toEqual(new Set([1001, 1002, 1003]));
  });
});

describe("a retry", () => {
  test("of an order returns the same bytes and reserves no more stock", async () => {
    const cup = await mug(shop);
    await shop.announced();
    const body = { line_items: [of(cup)], customer: { email: kofi(shop).email } };
    const options = { headers: { "Idempotency-Key": "cart-77" } };

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => shop.post("/v2/orders", body, options)),
    );

    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers.filter((one) => one.headers.has("idempotent-replayed"))).toHaveLength(19);
    expect(await shop.announcedNames()).toEqual(["customer.created", "order.placed"]);
    expect(await stock(shop, cup)).toEqual([10, 1, 9]);
  });

  test("of a refused order is refused again, even if there is stock now", async () => {
    const cup = await mug(shop, { stock: 0 });
    const body = { line_items: [of(cup)] };
    const options = { headers: { "Idempotency-Key": "cart-78" } };
    const refused = await shop.post("/v2/orders", body, options);
    await shop.put(`/v2/inventory/${cup.variantId}`, { on_hand: 5 });

    const again = await shop.post("/v2/orders", body, options);

    expect([again.status, again.text]).toEqual([409, refused.text]);
  });
});
