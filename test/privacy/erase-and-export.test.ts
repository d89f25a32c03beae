// Erasing, deleting and exporting a customer with orders and carts.

import { describe, expect, test } from "bun:test";

import { forgetCustomer } from "#customers/forget-customer.ts";
import { isId } from "#kernel/id.ts";
import { FORGET_TIMER } from "#messaging/webhooks/deliveries/delivery.ts";
import { isTimerSet } from "#platform/scheduler/timers.ts";
import { eraseNextOrders, erasureTimer } from "#privacy/erase-next-orders.ts";
import { exportCustomer } from "#privacy/export-customer.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { cancel, fulfill, of, place, reread } from "../sales/orders/counter.ts";
import { atOnce } from "../support/at-once.ts";
import { tamper } from "../support/behind-the-shop.ts";
import { ada, adaMensah, type Goods, kanga, mug } from "../support/cast.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../support/shop.ts";

/** The shop of most tests, in which nothing of Ada is left after each of them. */
const shared = sharedShop();

/** Ada's personal data, which no response or event may contain. As words: a signature can spell a name by chance. */
const traces =
  /\bada\d*@|\bAda\b(?![-_])|Mensah|Ring Road|Accra|2332012\d{5}|blue gate|birthday|sister/;
const street = {
  name: "Ada Mensah",
  line1: "12 Ring Road",
  city: "Accra",
  region: "Greater Accra Region",
  country: "GH",
  phone: "+233201234567",
};
const redactedStreet = {
  name: null,
  line1: null,
  line2: null,
  city: null,
  region: "GA",
  postal_code: null,
  country: "GH",
  phone: null,
};

describe("an erased customer", () => {
  test("keeps the lines, totals and tax location of an order", async () => {
    const { customer, order } = await personalOrder(shared, await mug(shared));
    const cancelled = await cancel(shared, order);

    await shared.post(`/v2/customers/${customer}/erase`);

    const left = await reread(shared, order);
    expect(left.body).toMatchObject({
      customer_id: customer,
      customer: { id: customer, email: null, phone: null, name: null },
      shipping_address: redactedStreet,
      billing_address: null,
      notes: null,
      metadata: {},
      version: 3,
    });
    expect(left.at("/line_items")).toEqual(cancelled.at("/line_items"));
    expect([left.at("/number"), left.at("/total_minor")]).toEqual([order.at("/number"), 2500]);
    expect(left.text).not.toMatch(traces);
  });

  test("is redacted in the events of orders, whose amounts keep their digits", async () => {
    const { customer, order } = await personalOrder(shared, await mug(shared));
    await cancel(shared, order, { note: "Ada's sister called" });
    const before = await shared.events();

    await shared.post(`/v2/customers/${customer}/erase`);

    const after = await shared.events();
    expect(JSON.stringify(after)).not.toMatch(traces);
    expect(after.map(({ sequence, name }) => [sequence, name])).toEqual([
      ...before.map(({ sequence, name }) => [sequence, name]),
      [before.length + 1, "customer.deleted"],
    ]);
    expect(after.findLast(({ name }) => name === "order.placed")?.data).toContain('"total":25.00,');
  });

  test("is redacted in what the merchant called a discount and the shipping of one order", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    await shop.post("/v2/discounts", {
      title: "Summer",
      target: "order",
      percent: 5,
      stackable: true,
    });
    const headers = { "Idempotency-Key": "order-1" };
    const body = {
      line_items: [of(cup)],
      customer: { email: "ada@example.com" },
      discount: { title: "For Ada's birthday", amount: 1 },
      shipping: { label: "To Ada's sister", amount: 2 },
    };
    const order = await shop.post("/v2/orders", body, { headers });
    await cancel(shop, order);

    await shop.post(`/v2/customers/${order.string("/customer_id")}/erase`);

    const left = await reread(shop, order);
    const replayed = await shop.post("/v2/orders", body, { headers });
    expect(order.text).toMatch(traces);
    for (const seen of [left, replayed]) {
      expect(seen.list("/discounts")).toMatchObject([{ title: "Summer" }, { title: "Discount" }]);
      expect(seen.at("/shipping")).toMatchObject({ label: null, amount: 2 });
      expect(seen.text).not.toMatch(traces);
    }
    expect(JSON.stringify(await shop.events())).not.toMatch(traces);
    expect(await Array.fromAsync(auditOrders(shop.test.database.read))).toEqual([]);
  });

  test("is redacted in the notes of refunds, also in stored answers", async () => {
    const { customer, order } = await personalOrder(shared, await mug(shared));
    const asked = { order_id: order.id, method: "bank_transfer" };
    const payment = await shared.post("/v2/payments/initialize", asked);
    const whole = { amount: payment.at("/amount"), currency: payment.at("/currency") };
    await shared.post(`/v2/payments/${payment.id}/confirm`, whole);
    await shared.put(`/v2/orders/${order.id}/cancel`);
    await shared.fireDue();
    const refund = (await shared.get(`/v2/refunds?order_id=${order.id}`)).string("/data/0/id");
    const headers = { "Idempotency-Key": "close-1" };
    const close = () =>
      shared.post(`/v2/refunds/${refund}/close`, { note: "To Ada's sister" }, { headers });
    const closed = await close();

    await shared.post(`/v2/customers/${customer}/erase`);

    const replayed = await close();
    expect(closed.text).toMatch(traces);
    expect([replayed.status, replayed.at("/close_note")]).toEqual([200, null]);
    expect((await shared.get(`/v2/refunds/${refund}`)).text).not.toMatch(traces);
    expect(JSON.stringify(await shared.events())).not.toMatch(traces);
  });

  test("is redacted in the notes of returns", async () => {
    const { customer, order } = await personalOrder(shared, await mug(shared));
    await shared.put(`/v2/orders/${order.id}/fulfill`);
    const line_items = [{ line_item_id: order.string("/line_items/0/id"), quantity: 2 }];
    await shared.post(`/v2/orders/${order.id}/returns`, { line_items, note: "Ada's sister came" });

    await shared.post(`/v2/customers/${customer}/erase`);

    const returns = await shared.get(`/v2/orders/${order.id}/returns`);
    expect(returns.at("/data/0/note")).toBe(null);
    expect(returns.text).not.toMatch(traces);
    expect(JSON.stringify(await shared.events())).not.toMatch(traces);
  });

  test("whose returns kept their notes in an earlier version loses them when erased again", async () => {
    await using shop = await openTestShop();
    const { customer, order } = await personalOrder(shop, await mug(shop));
    await shop.put(`/v2/orders/${order.id}/fulfill`);
    const line_items = [{ line_item_id: order.string("/line_items/0/id"), quantity: 2 }];
    await shop.post(`/v2/orders/${order.id}/returns`, { line_items });
    const erased = await shop.post(`/v2/customers/${customer}/erase`);
    await tamper(shop.folder.path, "UPDATE order_returns SET note = 'Ada''s sister came'");

    const again = await shop.post(`/v2/customers/${customer}/erase`);

    expect(again.body).toEqual(erased.body);
    const returns = await shop.get(`/v2/orders/${order.id}/returns`);
    expect(returns.at("/data/0/note")).toBe(null);
  });

  test("is redacted in stored answers about orders", async () => {
    const cup = await mug(shared);
    const headers = { "Idempotency-Key": "order-1" };
    const { customer, order } = await personalOrder(shared, cup, headers);
    const path = `/v2/orders/${order.id}/cancel`;
    const note = { note: "Ada's sister called" };
    await shared.put(path, note, { headers: { "Idempotency-Key": "cancel-1" } });
    await shared.post(`/v2/customers/${customer}/erase`);

    const replayed = await personalOrder(shared, cup, headers);
    const cancelled = await shared.put(path, note, { headers: { "Idempotency-Key": "cancel-1" } });

    expect([replayed.order.status, replayed.order.id]).toEqual([201, order.id]);
    expect(replayed.order.text).not.toMatch(traces);
    expect(cancelled.headers.get("idempotent-replayed")).toBe("true");
    expect(cancelled.text).not.toMatch(traces);
  });

  test("is redacted in stored answers about every cart that names the email", async () => {
    const { id: customer, email } = await adaMensah(shared);
    const line_items = [of(await mug(shared))];
    const asked = [1, 2, 3].map((count) => ({
      body: { line_items, email, notes: `The blue gate, ${count}` },
      headers: { "Idempotency-Key": `cart-${count}` },
    }));
    for (const { body, headers } of asked) await shared.post("/v2/carts", body, { headers });

    await shared.post(`/v2/customers/${customer}/erase`);

    for (const { body, headers } of asked) {
      const replayed = await shared.post("/v2/carts", body, { headers });
      expect(replayed.headers.get("idempotent-replayed")).toBe("true");
      expect(replayed.text).not.toMatch(traces);
    }
  });

  test("is no longer found by a search of orders", async () => {
    const { customer, order } = await personalOrder(shared, await mug(shared));
    await cancel(shared, order);

    await shared.post(`/v2/customers/${customer}/erase`);

    expect((await shared.get("/v2/orders?q=mensah")).list("/data")).toEqual([]);
    expect((await shared.get(`/v2/orders?customer_id=${customer}`)).list("/data")).toHaveLength(1);
  });

  test("is redacted in more orders than fit one page", async () => {
    const cup = await mug(shared, { stock: 1000 });
    const customer = await ada(shared);
    await Promise.all(
      Array.from({ length: 105 }, async () =>
        cancel(shared, await place(shared, [of(cup)], { customer_id: customer })),
      ),
    );

    await shared.post(`/v2/customers/${customer}/erase`);

    const found = await shared.get(`/v2/customers/${customer}/export`);
    expect(found.list("/orders")).toHaveLength(105);
    expect(found.text).not.toMatch(traces);
    expect(await isTimerSet(shared.test.database.read, erasureTimer, customer)).toBe(false);
  });

  test("is redacted in the other orders, too, if the program ended after the first ones", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop, { stock: 1000 });
    const customer = await ada(shop);
    if (!isId("customer", customer)) throw new Error(customer);
    const notes = "The blue gate";
    const placed = await atOnce(55, () => place(shop, [of(cup)], { customer_id: customer, notes }));

    await shop.test.database.write(async (tx) => {
      await forgetCustomer(tx, customer, null);
      await eraseNextOrders(tx, customer, { after: null, alsoForget: async () => {} });
    });
    const before = await Promise.all(placed.map((order) => reread(shop, order)));
    const body = JSON.stringify({ customer });
    await fetch(`${shop.url}/hooks/test/inbox/shop`, { method: "POST", body });
    const told = await shop.get("/v2/test/inbox");
    shop.clock.advance(120_000);
    await shop.fireDue();
    const after = await Promise.all(placed.map((order) => reread(shop, order)));

    expect(before.filter((order) => order.at("/notes") === notes)).toHaveLength(5);
    expect(after.filter((order) => order.at("/notes") === notes)).toEqual([]);
    expect(await isTimerSet(shop.test.database.read, erasureTimer, customer)).toBe(false);
    // What receivers of webhooks were told and answered in between is forgotten, too.
    expect(told.list("/data")).toHaveLength(1);
    expect((await shop.get("/v2/test/inbox")).list("/data")).toEqual([]);
    // The program may have fired the timer before the test did.
    const timers = await shop.duka.timers.test.status();
    expect(timers.find(({ name }) => name === FORGET_TIMER)?.lastRunAt).toBe(shop.clock.now());
  });

  test("leaves the orders of others unchanged", async () => {
    const cup = await mug(shared);
    const other = await place(shared, [of(cup)], { customer: { email: "grace@example.com" } });
    const { customer, order } = await personalOrder(shared, cup);
    await cancel(shared, order);

    await shared.post(`/v2/customers/${customer}/erase`);

    expect((await reread(shared, other)).body).toEqual(other.body);
  });

  test("erased twice changes an order once", async () => {
    const { customer, order } = await personalOrder(shared, await mug(shared));
    await cancel(shared, order);
    await shared.post(`/v2/customers/${customer}/erase`);

    await shared.post(`/v2/customers/${customer}/erase`);

    expect((await reread(shared, order)).at("/version")).toBe(3);
  });

  test("of an outdated version is refused, and its orders are unchanged", async () => {
    await using shop = await openTestShop();
    const { customer, order } = await personalOrder(shop, await mug(shop));

    const refused = await shop.post(`/v2/customers/${customer}/erase`, undefined, {
      headers: { "If-Match": '"7"' },
    });

    expect([refused.status, refused.code]).toEqual([412, "stale_version"]);
    expect((await reread(shop, order)).body).toEqual(order.body);
  });
});

describe("a customer with open orders", () => {
  test("is not erased, and the refusal names the orders", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const { customer, order } = await personalOrder(shop, cup);
    await cancel(shop, await place(shop, [of(cup)], { customer_id: customer }));
    shop.clock.advance(1);
    const second = await place(shop, [of(cup)], { customer_id: customer });

    const refused = await shop.post(`/v2/customers/${customer}/erase`);

    expect([refused.status, refused.code]).toEqual([409, "open_orders"]);
    expect(refused.at("/order_ids")).toEqual([second.id, order.id]);
    expect((await reread(shop, order)).body).toEqual(order.body);
  });

  test("is erased once each is shipped and paid, or cancelled", async () => {
    const free = await mug(shared, { price: 0 });
    const { customer, order } = await personalOrder(shared, free);
    const other = await place(shared, [of(free)], { customer_id: customer });

    await fulfill(shared, order);
    await cancel(shared, other);
    const erased = await shared.post(`/v2/customers/${customer}/erase`);

    expect([erased.status, erased.at("/email")]).toEqual([200, null]);
  });
});

describe("a deleted customer", () => {
  test("is redacted in carts and their events", async () => {
    const { id: customer, email, name } = await adaMensah(shared);
    const lines = [of(await mug(shared))];
    const own = await shared.post("/v2/carts", { line_items: lines, customer_id: customer });
    const typed = await shared.post("/v2/carts", {
      line_items: lines,
      customer: { email, name },
      shipping_address: { ...street, region: "GA" },
    });
    await shared.post(`/v2/carts/${typed.id}/checkout`);

    const gone = await shared.delete(`/v2/customers/${customer}`);

    const carts = await Promise.all([own, typed].map(({ id }) => shared.get(`/v2/carts/${id}`)));
    expect(gone.status).toBe(204);
    expect(carts.map((cart) => cart.at("/customer_id"))).toEqual([null, null]);
    expect(carts.map(({ text }) => text).join()).not.toMatch(traces);
    expect(JSON.stringify(await shared.events())).not.toMatch(traces);
  });

  test("with orders is refused, and its carts are unchanged", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const { customer } = await personalOrder(shop, cup);
    const cart = await shop.post("/v2/carts", { line_items: [of(cup)], email: "ada@example.com" });

    const refused = await shop.delete(`/v2/customers/${customer}`);

    expect(refused.code).toBe("customer_has_orders");
    expect((await shop.get(`/v2/carts/${cart.id}`)).body).toEqual(cart.body);
  });
});

describe("an export", () => {
  test("has every order, newest first", async () => {
    await using shop = await openTestShop();
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    const customer = await ada(shop);
    const first = await place(shop, [of(cup)], { customer_id: customer });
    shop.clock.advance(1);
    const second = await place(shop, [of(cloth)], { customer_id: customer });
    await place(shop, [of(cup)]);

    const found = await shop.get(`/v2/customers/${customer}/export`);

    expect(found.at("/orders")).toEqual([second.body, first.body]);
    expect(found.at("/customer/orders_count")).toBe(2);
  });

  test("has every return, newest first", async () => {
    await using shop = await openTestShop();
    const { customer, order } = await personalOrder(shop, await mug(shop));
    await shop.put(`/v2/orders/${order.id}/fulfill`);
    const line_items = [{ line_item_id: order.string("/line_items/0/id"), quantity: 1 }];
    await shop.post(`/v2/orders/${order.id}/returns`, { line_items, note: "Ada's sister came" });
    await shop.post(`/v2/orders/${order.id}/returns`, { line_items });

    const found = await shop.get(`/v2/customers/${customer}/export`);

    const returns = await shop.get(`/v2/orders/${order.id}/returns`);
    expect(found.at("/returns")).toEqual(returns.at("/data"));
    expect(found.at("/returns/1/note")).toBe("Ada's sister came");
  });
});

/** Places an order of two mugs for Ada with personal data in every field that can hold any. */
async function personalOrder(
  shop: TestShop,
  goods: Goods,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ customer: string; order: Answered }> {
  const order = await shop.post(
    "/v2/orders",
    {
      line_items: [of(goods, 2)],
      customer: { email: "ada@example.com", phone: "+233201234567", name: "Ada Mensah" },
      shipping_address: { ...street, region: "GA" },
      notes: "The blue gate",
      metadata: { occasion: "birthday" },
    },
    { headers },
  );
  return { customer: order.string("/customer_id"), order };
}

// Regression: nothing else was answered while the orders of a customer who has thousands were read.
test("other work has its turn while a customer of many orders is exported", async () => {
  await using shop = await openTestShop();
  const { variantId } = await mug(shop, { stock: 200 });
  const id = await ada(shop);
  if (!isId("customer", id)) throw new Error(id);
  const body = { customer_id: id, line_items: [{ variant_id: variantId, quantity: 1 }] };
  await atOnce(101, () => shop.post("/v2/orders", body));
  let turns = 0;
  let timer = setImmediate(function next() {
    turns += 1;
    timer = setImmediate(next);
  });

  const exported = await exportCustomer(shop.test, id);
  clearImmediate(timer);

  expect(exported.orders).toHaveLength(101);
  expect(turns).toBeGreaterThan(1);
});
