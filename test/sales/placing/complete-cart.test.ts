// Completing a cart: its order is placed once, at current prices and stock.

import { describe, expect, test } from "bun:test";

import { ada, adaMensah, kanga, kofi, mug } from "../../support/cast.ts";
import { openTestShop, sharedShop } from "../../support/shop.ts";
import { basket, cartInCheckout, complete, readCart } from "../carts/basket.ts";
import { of, standing, stock } from "../orders/counter.ts";

const shop = sharedShop({ asks: "nothing" });

test("a completed cart becomes an order and keeps its lines", async () => {
  const [cup, cloth] = [await mug(shop), await kanga(shop)];
  const customer = { ...kofi(shop), name: "Kofi" };
  const cart = await cartInCheckout(shop, [of(cup, 2), of(cloth)], {
    customer,
    payment_method: "mobile_money",
    shipping_address: { line1: "12 Ring Road", country: "GH" },
    metadata: { coupon: "none" },
  });
  await shop.announced();

  const order = await complete(shop, cart);

  expect(order.status).toBe(201);
  expect(order.headers.get("location")).toBe(`/v2/orders/${order.id}`);
  expect(order.body).toMatchObject({
    cart_id: cart.id,
    status: "open",
    channel: "online_store",
    payment_method: "mobile_money",
    customer,
    shipping_address: { line1: "12 Ring Road", country: "GH" },
    metadata: { coupon: "none" },
    total: 45,
  });
  expect(await stock(shop, cup)).toEqual([10, 2, 8]);
  await shop.put(`/v2/products/${cup.productId}`, { name: "Cup" });
  expect((await readCart(shop, cart)).body).toMatchObject({
    status: "completed",
    order_id: order.id,
    expires_at: null,
    line_items: [{ name: cup.name }, { name: cloth.name }],
    total: 45,
  });
  const names = (await shop.announcedNames()).filter((name) => !name.startsWith("product."));
  expect(names).toEqual(["customer.created", "inventory.low", "order.placed"]);
});

test("a cart that is completed again tells the link that its first answer had", async () => {
  const line_items = [of(await mug(shop))];
  const key = await shop.createKey({ kind: "publishable", scopes: null });
  const customers = [
    { email: "ada@example.com", phone: "+233201234567", name: "Ada" },
    { email: "ada@example.com" },
  ];
  for (const customer of customers) {
    const cart = await shop.post("/v2/carts", { line_items, customer }, { key });
    const order = await shop.post(`/v2/carts/${cart.id}/complete`, {}, { key });

    const again = await shop.post(`/v2/carts/${cart.id}/complete`, {}, { key });

    expect([again.status, again.code]).toEqual([409, "cart_completed"]);
    expect(again.at("/order_id")).toBe(order.id);
    expect(again.at("/status_url")).toBe(order.at("/status_url"));
  }
});

test("a cart can be completed without checkout or customer", async () => {
  const cart = await basket(shop, [of(await mug(shop))]);

  const order = await complete(shop, cart);

  expect(order.body).toMatchObject({ customer: null, payment_method: "gateway", metadata: {} });
});

test("fields of the completion replace those of the cart", async () => {
  const cart = await basket(shop, [of(await mug(shop))], {
    payment_method: "card",
    metadata: { a: 1 },
  });

  const order = await complete(shop, cart, { payment_method: "bank_transfer", metadata: { b: 2 } });

  expect(order.body).toMatchObject({ payment_method: "bank_transfer", metadata: { b: 2 } });
  expect(order.at("/metadata/a")).toBeUndefined();
});

test("the order has the prices of the catalog at completion", async () => {
  const cup = await mug(shop);
  const cart = await cartInCheckout(shop, [of(cup, 2)]);
  await shop.put(`/v2/products/${cup.productId}/variants/${cup.variantId}`, {
    prices: [{ currency: "USD", amount: 15 }],
  });

  const order = await complete(shop, cart);

  expect([order.at("/total"), (await readCart(shop, cart)).at("/total")]).toEqual([30, 30]);
});

test("a cart whose total is no longer the expected one stays open, and the refusal says the total", async () => {
  const cup = await mug(shop, { price: 10 });
  const cart = await cartInCheckout(shop, [of(cup)]);
  await shop.put(`/v2/products/${cup.productId}`, { price: 15 });
  const before = await standing(shop);

  const refused = await shop.post(`/v2/carts/${cart.id}/complete`, { expected_total: 10 });

  expect([refused.status, refused.code]).toEqual([409, "total_changed"]);
  expect(refused.body).toMatchObject({ total: 15, total_minor: 1500, currency: "USD" });
  expect(refused.text).toContain('"total":15.00');
  expect(await standing(shop)).toEqual(before);
  const completed = await shop.post(`/v2/carts/${cart.id}/complete`, { expected_total: "15.00" });
  expect([completed.status, completed.at("/total")]).toEqual([201, 15]);
});

describe("the customer of the order", () => {
  test("is the one the cart names by id, whatever its contact", async () => {
    const { id, email } = await adaMensah(shop);
    const cart = await basket(shop, [of(await mug(shop))], {
      customer_id: id,
      email: "work@example.com",
    });

    const order = await complete(shop, cart);

    expect(order.body).toMatchObject({ customer: { id, email } });
  });

  test("is in the order as the cart names them, and their record gets what it lacked", async () => {
    const known = await shop.post("/v2/customers", { email: "kofi@example.com" });
    const cart = await basket(shop, [of(await mug(shop))], {
      customer: { email: "kofi@example.com", phone: "+233500000000", name: "Kofi" },
    });

    const order = await complete(shop, cart);

    const customer = { email: "kofi@example.com", phone: "+233500000000", name: "Kofi" };
    expect(order.at("/customer")).toEqual({ id: known.id, ...customer });
    expect((await shop.get(`/v2/customers/${known.id}`)).body).toMatchObject(customer);
  });

  test("is null if the cart has only a name", async () => {
    const cart = await basket(shop, [of(await mug(shop))], { customer: { name: "Ada" } });

    expect((await complete(shop, cart)).at("/customer")).toBeNull();
  });

  test("is shown to a storefront only as far as it sent it", async () => {
    const cup = await mug(shop);
    const { email, phone } = await adaMensah(shop);
    const key = await shop.createKey({ scopes: ["storefront"] });
    const cart = await shop.post(
      "/v2/carts",
      { line_items: [of(cup)], email: email.toUpperCase() },
      { key },
    );

    const order = await shop.post(`/v2/carts/${cart.id}/complete`, {}, { key });

    expect(order.status).toBe(201);
    expect(order.at("/customer")).toMatchObject({ email, name: null });
    expect(order.text).not.toContain("Mensah");
    expect(order.text).not.toContain(phone.slice(1));
  });
});

describe("a cart stays unchanged", () => {
  test("if stock is short, and is completed once there is enough", async () => {
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    const cart = await cartInCheckout(shop, [of(cloth, 2), of(cup, 11)], {
      customer: { email: "new@example.com" },
    });
    const before = [(await readCart(shop, cart)).body, await standing(shop)];

    const refused = await complete(shop, cart);

    expect([refused.status, refused.code]).toEqual([409, "insufficient_stock"]);
    expect(refused.at("/items")).toEqual([
      { variant_id: cup.variantId, requested: 11, available: 10 },
    ]);
    expect([(await readCart(shop, cart)).body, await standing(shop)]).toEqual(before);
    await shop.put(`/v2/inventory/${cup.variantId}`, { on_hand: 11 });
    expect((await complete(shop, cart)).status).toBe(201);
  });

  test("if a variant is no longer sold, which is named", async () => {
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    const cart = await cartInCheckout(shop, [of(cloth), of(cup)]);
    await shop.put(`/v2/products/${cup.productId}`, { status: "archived" });

    const refused = await complete(shop, cart);

    expect([refused.status, refused.code, refused.faults]).toEqual([
      422,
      "variant_not_for_sale",
      ["#/line_items/1/variant_id variant_not_for_sale"],
    ]);
    expect((await readCart(shop, cart)).at("/status")).toBe("checkout");
  });

  test("if it has no line items", async () => {
    const cart = await basket(shop, []);

    const refused = await complete(shop, cart);

    expect([refused.status, refused.code]).toEqual([409, "cart_empty"]);
  });

  test.each<[object, string]>([
    [{ payment_method: "shells" }, "#/payment_method invalid_choice"],
    [{ email: "ada@example.com" }, "#/email unknown_field"],
  ])("if it is completed with %j", async (body, fault) => {
    const cart = await basket(shop, [of(await mug(shop))]);

    expect((await complete(shop, cart, body)).faults).toEqual([fault]);
    expect((await readCart(shop, cart)).body).toEqual(cart.body);
  });
});

describe("a cart is completed once", () => {
  test("by concurrent requests: one gets the order, the others its id", async () => {
    const cup = await mug(shop);
    const cart = await cartInCheckout(shop, [of(cup)]);

    const answers = await Promise.all(Array.from({ length: 8 }, () => complete(shop, cart)));

    const placed = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 409);
    expect([placed.length, refused.length]).toEqual([1, 7]);
    expect(new Set(refused.map((one) => `${one.code} ${one.string("/order_id")}`))).toEqual(
      new Set([`cart_completed ${placed[0]?.id}`]),
    );
    expect(await stock(shop, cup)).toEqual([10, 1, 9]);
  });

  test("by a retry under the same key, which gets the same order", async () => {
    const cart = await basket(shop, [of(await mug(shop))]);
    const headers = { "Idempotency-Key": "done-1" };
    const path = `/v2/carts/${cart.id}/complete`;

    const [first, again] = [
      await shop.post(path, {}, { headers }),
      await shop.post(path, {}, { headers }),
    ];

    expect([again.status, again.text]).toEqual([201, first.text]);
  });

  test("and can then neither be changed nor checked out", async () => {
    const cart = await basket(shop, [of(await mug(shop))]);
    const order = await complete(shop, cart);

    const refused = [
      await shop.put(`/v2/carts/${cart.id}`, { email: "ada@example.com" }),
      await shop.post(`/v2/carts/${cart.id}/checkout`),
    ];

    expect(refused.map(({ status, body }) => [status, body])).toMatchObject(
      Array.from({ length: 2 }, () => [409, { code: "cart_completed", order_id: order.id }]),
    );
  });
});

test("the carts of a customer are exported, and redacted when the customer is erased", async () => {
  await using shop = await openTestShop({ asks: "nothing" });
  const [cup, customer] = [await mug(shop), await ada(shop)];
  const headers = { "Idempotency-Key": "ada-1" };
  const named = await shop.post(
    "/v2/carts",
    { line_items: [of(cup)], customer: { email: "ada@example.com", name: "Ada Mensah" } },
    { headers },
  );
  await cartInCheckout(shop, [of(cup)], {
    customer_id: customer,
    phone: "+233501112233",
    shipping_address: { line1: "12 Ring Road" },
    metadata: { note: "Ada's" },
  });
  const other = await basket(shop, [], { email: "kofi@example.com" });
  shop.clock.advance(3_600_000);
  await shop.fireDue();
  const exported = await shop.get(`/v2/customers/${customer}/export`);

  await shop.post(`/v2/customers/${customer}/erase`);

  const list = await shop.get("/v2/carts");
  const replayed = await shop.post(
    "/v2/carts",
    { line_items: [of(cup)], customer: { email: "ada@example.com", name: "Ada Mensah" } },
    { headers },
  );
  const events = JSON.stringify(await shop.events());
  expect(exported.list("/carts")).toHaveLength(2);
  expect(list.text + replayed.text + events).not.toMatch(
    /Mensah|ada@|Ring Road|233501112233|Ada's/,
  );
  expect(replayed.id).toBe(named.id);
  expect((await readCart(shop, other)).at("/email")).toBe("kofi@example.com");
});
