// Events on demand: whoever builds a receiver gets one of each kind, of things that are not there.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { eventNames } from "#messaging/events/event.ts";

import { ada, mug } from "../support/cast.ts";
import { openReceiver } from "../support/receivers.ts";
import { type Announced, openTestShop, type TestShop } from "../support/shop.ts";
import { pass, pay } from "./paying.ts";

/** Pays at once, never, and short: magic values of test mode. */
const GOOD_CARD = "pm_card_visa";
const BAD_CARD = "pm_card_visa_chargeDeclined";
const SHORT_CARD = "pm_test_amountShort";
const HOUR_SECONDS = 3600;

/** An order of one mug for Ada. */
async function orderOf(shop: TestShop, customer: string, variant: string): Promise<string> {
  const placed = await shop.post("/v2/orders", {
    customer_id: customer,
    payment_method: "card",
    line_items: [{ variant_id: variant, quantity: 1 }],
  });
  return placed.id;
}

/** Everything that can happen in a shop, once or more. */
async function everythingHappens(shop: TestShop): Promise<void> {
  const { productId, variantId } = await mug(shop);
  const customer = await ada(shop);
  await sellings(shop, customer, variantId);
  await goods(shop, { productId, variantId });
  const passing = await shop.post("/v2/customers", { email: "kofi@example.com" });
  await shop.put(`/v2/customers/${passing.id}`, { name: "Kofi" });
  await shop.delete(`/v2/customers/${passing.id}`);
  const webhook = await shop.post("/v2/webhooks", { url: "http://127.0.0.1:9/", events: ["*"] });
  await shop.put(`/v2/webhooks/${webhook.id}`, { status: "disabled" });
  await leavings(shop, customer, variantId);
}

async function sellings(shop: TestShop, customer: string, variant: string): Promise<void> {
  const order = await orderOf(shop, customer, variant);
  await pay(shop, order, { card: BAD_CARD });
  await pay(shop, order, { card: GOOD_CARD });
  await shop.put(`/v2/orders/${order}`, { notes: "Ring twice." });
  await shop.put(`/v2/orders/${order}/fulfill`, { tracking: { carrier: "DHL" } });
  const { body } = await shop.get(`/v2/orders/${order}`);
  const lines = Object(body).line_items.map((line: { id: string }) => ({
    line_item_id: line.id,
    quantity: 1,
  }));
  await shop.post(`/v2/orders/${order}/refunds`, { line_items: lines });
  await pass(shop, 1);
  const doubtful = await orderOf(shop, customer, variant);
  await pay(shop, doubtful, { card: SHORT_CARD });
  await shop.put(`/v2/orders/${await orderOf(shop, customer, variant)}/cancel`);
}

async function goods(
  shop: TestShop,
  { productId, variantId }: { readonly productId: string; readonly variantId: string },
): Promise<void> {
  await shop.put(`/v2/products/${productId}`, { tags: ["new"] });
  await shop.put(`/v2/inventory/${variantId}`, { low_stock_threshold: 1000 });
  const unsold = await shop.post("/v2/products", { name: "Bowl", price: 5 });
  await shop.put(`/v2/products/${unsold.id}`, { status: "archived" });
  await shop.delete(`/v2/products/${unsold.id}`);
}

async function leavings(shop: TestShop, customer: string, variant: string): Promise<void> {
  const cart = await shop.post("/v2/carts", {
    customer_id: customer,
    line_items: [{ variant_id: variant, quantity: 1 }],
  });
  await shop.post(`/v2/carts/${cart.id}/checkout`);
  await pass(shop, HOUR_SECONDS + 60);
  await shop.post(`/v2/carts/${cart.id}/checkout`);
}

/** The names of members, all the way down, each with what sort of value it has; a list's first. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]));
}

/** The first shape with whatever is null or empty in either of them taken from the second. */
function filledFrom(shape: unknown, other: unknown): unknown {
  if (isOpen(shape) || isOpen(other)) return other;
  if (typeof shape !== "object" || typeof other !== "object") return shape;
  if (Array.isArray(shape)) return shape.map((one) => filledFrom(one, Object(other)[0]));
  return Object.fromEntries(
    Object.entries(Object(shape)).map(([name, one]) => [
      name,
      Object.hasOwn(Object(other), name) ? filledFrom(one, Object(other)[name]) : one,
    ]),
  );
}

function isOpen(shape: unknown): boolean {
  return shape === null || (typeof shape === "object" && Object.keys(shape).length === 0);
}

describe("a triggered event has the shape of a real one:", () => {
  let shop: TestShop;
  let real: readonly Announced[];

  beforeAll(async () => {
    shop = await openTestShop();
    await everythingHappens(shop);
    real = await shop.announced();
  });

  afterAll(() => shop[Symbol.asyncDispose]());

  test.each(eventNames)("%s", async (name) => {
    const found = real.find(({ event }) => event === name);

    const triggered = await shop.post("/v2/test/trigger", { event: name });

    const realShape = Object(shapeOf(found?.data));
    const { triggered: mark, ...shape } = Object(shapeOf(triggered.at("/data")));
    expect(Object.keys(shape)).toEqual(Object.keys(realShape));
    expect(filledFrom(shape, realShape)).toEqual(realShape);
    expect(mark).toBe("boolean");
  });
});

test("whatever is triggered, nothing comes into the shop", async () => {
  await using shop = await openTestShop();
  const lists = ["products", "customers", "carts", "orders", "payments", "webhooks", "inventory"];

  const answers = await Promise.all(
    eventNames.map((event) => shop.post("/v2/test/trigger", { event })),
  );

  const pages = await Promise.all(lists.map((list) => shop.get(`/v2/${list}`)));
  expect(answers.map((answer) => answer.at("/event"))).toEqual([...eventNames]);
  expect((await shop.announcedNames()).toSorted()).toEqual([...eventNames].toSorted());
  expect(pages.flatMap((page) => page.list("/data"))).toEqual([]);
  expect((await shop.get("/v2/test/timers")).list("/data")).toEqual([]);
});

test("a triggered event is answered as the feed has it", async () => {
  await using shop = await openTestShop();

  const answer = await shop.post("/v2/test/trigger", { event: "order.paid" });

  expect((await shop.get("/v2/events")).list("/data")).toEqual([answer.body]);
  expect((await shop.get(`/v2/events/${answer.id}`)).text).toBe(answer.text);
});

test("what is triggered says so, last of all", async () => {
  await using shop = await openTestShop();

  const answer = await shop.post("/v2/test/trigger", { event: "product.created" });

  expect(answer.at("/data/triggered")).toBe(true);
  expect(answer.text).toEndWith('"triggered":true}}');
});

test("amounts are in the shop's currency, with its digits", async () => {
  await using shop = await openTestShop();
  await shop.put("/v2/store", { currency: "KWD" });

  const answer = await shop.post("/v2/test/trigger", { event: "order.paid" });

  expect(answer.at("/data/currency")).toBe("KWD");
  expect(answer.text).toMatch(/"total":\d+\.\d{3},/);
});

test("a member of the event can be said otherwise", async () => {
  await using shop = await openTestShop();
  const data = { channel: "pos", external_id: "till-7", customer: null };

  const answer = await shop.post("/v2/test/trigger", { event: "order.paid", data });

  expect(answer.at("/data")).toMatchObject({ ...data, triggered: true });
});

test("a member that the event does not have is refused with the nearest one", async () => {
  await using shop = await openTestShop();
  const data = { chanel: "pos", triggered: false, "a/b": 1 };

  const answer = await shop.post("/v2/test/trigger", { event: "order.paid", data });

  expect([answer.status, answer.faults]).toEqual([
    422,
    ["#/data/chanel unknown_field", "#/data/triggered unknown_field", "#/data/a~1b unknown_field"],
  ]);
  expect(answer.string("/errors/0/detail")).toContain("is it channel?");
  expect(await shop.announcedNames()).toEqual([]);
});

test("a name that nothing has is refused with the nearest one", async () => {
  await using shop = await openTestShop();

  const answer = await shop.post("/v2/test/trigger", { event: "order.piad" });

  expect([answer.status, answer.faults]).toEqual([422, ["#/event invalid_choice"]]);
  expect(answer.string("/errors/0/detail")).toContain("order.paid");
});

test("a repeated request triggers once", async () => {
  await using shop = await openTestShop();
  const headers = { "Idempotency-Key": "once" };

  const first = await shop.post("/v2/test/trigger", { event: "order.paid" }, { headers });
  const again = await shop.post("/v2/test/trigger", { event: "order.paid" }, { headers });

  expect(again.text).toBe(first.text);
  expect(await shop.announcedNames()).toEqual(["order.paid"]);
});

test("with a live key there is nothing to trigger", async () => {
  await using shop = await openTestShop();
  const key = await shop.createKey({ mode: "live" });

  const answer = await shop.post("/v2/test/trigger", { event: "order.paid" }, { key });

  expect([answer.status, answer.code]).toEqual([404, "not_found"]);
});

test("the way back that a sample shows leads to nothing", async () => {
  await using shop = await openTestShop();

  const answer = await shop.post("/v2/test/trigger", { event: "cart.abandoned" });

  const token = answer.string("/data/recovery_url").split("/").at(-1);
  const recovered = await shop.post("/v2/carts/recover", { token });
  expect([recovered.status, recovered.code]).toEqual([422, "recovery_link_expired"]);
});

test("a webhook gets a triggered event like any other", async () => {
  await using shop = await openTestShop();
  await using receiver = openReceiver();
  await shop.post("/v2/webhooks", { url: receiver.url, events: ["order.*"] });

  const answer = await shop.post("/v2/test/trigger", { event: "order.paid" });

  const [received] = await receiver.next();
  expect(received?.body).toBe(answer.text);
});
