// Initializing payments: what is sent to the gateway, what is returned, what is refused before that.

import { describe, expect, test } from "bun:test";

import { eq } from "drizzle-orm";

import type { Reader } from "#platform/database/database.ts";
import { prepared } from "#platform/database/prepared.ts";
import { events, storedAnswers } from "#platform/database/tables.ts";

import { of, place } from "../../sales/orders/counter.ts";
import { mug } from "../../support/cast.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { notSent } from "../../support/scripted-gateway.ts";
import { openTestShop } from "../../support/shop.ts";
import {
  endLeases,
  eventCounts,
  initialize,
  openScriptedShop,
  orderCounter,
  paidAtGateway,
  pass,
  sharedScriptedShop,
} from "../scripted-shop.ts";

const shared = sharedScriptedShop();

const successes = prepared()((db) =>
  db.select({ name: events.name }).from(events).where(eq(events.name, "payment.succeeded")),
);
const keys = prepared()((db) => db.select({ key: storedAnswers.key }).from(storedAnswers));

/** The names of the events that tell of a success, and the keys that have an answer. */
async function succeededAndAnswered(db: Reader): Promise<string[]> {
  const names = (await successes(db, {})).map(({ name }) => name);
  return [...names, ...(await keys(db, {})).map(({ key }) => key)];
}

describe("an attempt", () => {
  test("charges what is due, by the order's method", async () => {
    const { shop, gateway } = shared;
    const placed = await (await orderCounter(shop))({}, 2);
    await shop.announced();

    const payment = await initialize(shop, { order_id: placed.id, metadata: { scripted: 4 } });

    expect(payment.status).toBe(201);
    expect(payment.headers.get("location")).toBe(`/v2/payments/${payment.id}`);
    const url = `https://pay.example/${gateway.referenceOf(payment.id)}`;
    expect(payment.body).toMatchObject({
      reference: payment.id,
      status: "requires_action",
      amount: 25,
      currency: "USD",
      order_id: placed.id,
      method: "gateway",
      authorization_url: url,
      next_action: { type: "redirect", url, expires_at: "2026-01-05T09:00:00.000Z" },
      failure_code: null,
      metadata: { scripted: 4 },
    });
    expect(await shop.announced()).toMatchObject([
      {
        event: "payment.initialized",
        data: {
          reference: payment.id,
          order_id: placed.id,
          amount: 25,
          customer: { email: "ada@example.com" },
        },
      },
    ]);
    const order = await shop.get(`/v2/orders/${placed.id}`);
    expect(order.at("/payment_status")).toBe("pending");
  });

  test("by card without a token opens the gateway's page, one for the order", async () => {
    const { shop, gateway } = shared;
    const placed = await (await orderCounter(shop))();

    const first = await initialize(shop, { order_id: placed.id, method: "card" });
    const again = await initialize(shop, { order_id: placed.id, method: "card" });

    const url = `https://pay.example/${gateway.referenceOf(first.id)}`;
    expect(first.body).toMatchObject({
      status: "requires_action",
      method: "card",
      authorization_url: url,
      next_action: { type: "redirect", url },
    });
    expect([first.status, again.status, again.id]).toEqual([201, 200, first.id]);
  });

  // Without its page the customer cannot have paid: the same key must still be able to open another.
  test.each([
    ["a hosted page", { method: "gateway" }, "pending"],
    ["a card without a token", { method: "card" }, "pending"],
    ["a card with a token", { method: "card", card_token: "tok_visa" }, "processing"],
  ])(
    "by %s that the gateway never answered stays or goes on when it is polled",
    async (...terms) => {
      const [, by, status] = terms;
      const scripted = await openScriptedShop();
      await using shop = scripted.shop;
      const placed = await (await orderCounter(shop))();
      scripted.gateway.nextAnswer = async () => ({ kind: "unknown" });
      const payment = await initialize(shop, { order_id: placed.id, ...by });

      await pass(shop, 60);

      const found = await shop.get(`/v2/payments/${payment.id}`);
      expect([payment.at("/status"), found.at("/status")]).toEqual(["pending", status]);
    },
  );

  test("by a card token alone is by card, though the order was placed for another method", async () => {
    const { shop } = shared;
    const placed = await (await orderCounter(shop))();

    const payment = await initialize(shop, { order_id: placed.id, card_token: "tok_visa" });

    expect(placed.at("/payment_method")).toBe("gateway");
    expect(payment.at("/method")).toBe("card");
  });

  test("that is open is returned again, and nothing is sent", async () => {
    const { shop, gateway } = shared;
    const placed = await (await orderCounter(shop))();
    const first = await initialize(shop, { order_id: placed.id });

    const again = await initialize(shop, { order_id: placed.id });

    expect([again.status, again.id]).toEqual([200, first.id]);
    expect(gateway.charges.size).toBe(1);
  });

  test("may be a payment link without an order", async () => {
    const { shop } = shared;

    const link = await initialize(shop, { amount: "49.50", currency: "GHS", reference: "INV-1" });
    await paidAtGateway(shared, link.id);

    expect([link.status, link.at("/reference"), link.at("/order_id")]).toEqual([
      201,
      "INV-1",
      null,
    ]);
    expect((await shop.get("/v2/payments/INV-1")).at("/status")).toBe("succeeded");
  });

  test("that the gateway declines is created as failed", async () => {
    const { shop, gateway } = shared;
    const placed = await (await orderCounter(shop))();
    gateway.nextAnswer = async () => ({
      kind: "declined",
      failureCode: "insufficient_funds",
      gatewayCode: "51",
      names: [],
    });

    const declined = await initialize(shop, { order_id: placed.id });

    expect([declined.status, declined.at("/status"), declined.at("/failure_code")]).toEqual([
      201,
      "failed",
      "insufficient_funds",
    ]);
    const order = await shop.get(`/v2/orders/${placed.id}`);
    expect(order.at("/payment_status")).toBe("unpaid");
    expect((await eventCounts(shop, placed.id))["payment.failed"]).toBe(1);
  });

  test("in cash needs no gateway, and is confirmed once", async () => {
    await using shop = await openTestShop({ gateways: [] });
    const placed = await (await orderCounter(shop))({ payment_method: "cash_on_delivery" });
    const cash = await initialize(shop, { order_id: placed.id });

    const right = await shop.post(`/v2/payments/${cash.id}/confirm`, {
      amount: "12.50",
      currency: "USD",
    });
    const again = await shop.post(`/v2/payments/${cash.id}/confirm`, {
      amount: "12.50",
      currency: "USD",
    });

    expect([cash.status, cash.at("/status")]).toEqual([201, "pending"]);
    expect([right.status, right.at("/status")]).toEqual([200, "succeeded"]);
    expect(again.body).toEqual(right.body);
    expect((await eventCounts(shop, placed.id))["order.paid"]).toBe(1);
  });
});

describe("one idempotency key", () => {
  test("asks for another page if the program stopped before it answered, in the same payment", async () => {
    using folder = openScratchFolder();
    const settings = { DUKA_SHUTDOWN_SECONDS: "1" };
    const scripted = await openScriptedShop({ folder, settings });
    const placed = await (await orderCounter(scripted.shop))();
    const never = Promise.withResolvers<never>();
    const called = Promise.withResolvers<void>();
    scripted.gateway.nextAnswer = () => {
      called.resolve();
      return never.promise;
    };
    const body = { order_id: placed.id };
    const lost = initialize(scripted.shop, body, "basket-1").catch(() => null);
    await called.promise;
    await scripted.shop[Symbol.asyncDispose]();
    expect(await lost).toBeNull();
    await endLeases(folder.path);

    await using shop = await openTestShop({ folder, gateways: [scripted.gateway] });
    const { key } = scripted.shop;
    const headers = { "Idempotency-Key": "basket-1" };
    const first = await shop.post("/v2/payments/initialize", body, { key, headers });
    const second = await shop.post("/v2/payments/initialize", body, { key, headers });

    expect([first.status, second.status, second.id]).toEqual([201, 201, first.id]);
    expect(first.at("/authorization_url")).toBe(
      `https://pay.example/${first.id.replace("_", "-")}-2`,
    );
    expect(scripted.gateway.initiations).toBe(2);
    const list = await shop.get("/v2/payments", { key });
    expect(list.list("/data")).toHaveLength(1);
  }, 20_000);

  test("makes a payment for each API key that uses it", async () => {
    const { shop } = shared;
    const key = await shop.createKey({ name: "Other" });
    const headers = { "Idempotency-Key": "link-1" };
    const link = { amount: 5, currency: "USD" };

    const one = await shop.post("/v2/payments/initialize", link, { headers });
    const other = await shop.post("/v2/payments/initialize", link, { headers, key });

    expect([one.status, other.status]).toEqual([201, 201]);
    expect(other.id).not.toBe(one.id);
  });

  test("continues after the gateway could not be reached", async () => {
    const { shop, gateway } = shared;
    const placed = await (await orderCounter(shop))();
    gateway.nextAnswer = async () => notSent;
    const body = { order_id: placed.id };

    const first = await initialize(shop, body, "basket-2");
    const second = await initialize(shop, body, "basket-2");

    expect([first.status, first.code, first.headers.get("retry-after")]).toEqual([
      503,
      "gateway_unavailable",
      "5",
    ]);
    expect([second.status, second.at("/status")]).toEqual([201, "requires_action"]);
    const list = await shop.get(`/v2/payments?order_id=${placed.id}`);
    expect(list.list("/data")).toHaveLength(1);
  });

  test("has its answer in the commit that says how the payment ended", async () => {
    await using shop = await openTestShop();
    const placed = await (await orderCounter(shop))();
    const told = Promise.withResolvers<string[]>();
    shop.test.database.onAnnounced(() => {
      void shop.test.database.readTogether(succeededAndAnswered).then((names) => {
        if (names.includes("payment.succeeded")) told.resolve(names);
      });
    });

    await initialize(shop, { order_id: placed.id, card_token: "tok_visa", method: "card" }, "b-4");

    // PostgreSQL may announce a commit after its request was answered.
    expect(await told.promise).toEqual(["payment.succeeded", "b-4"]);
  });

  test("is refused for another body, also before the first answer", async () => {
    const { shop, gateway } = shared;
    const placed = await (await orderCounter(shop))();
    gateway.nextAnswer = async () => notSent;
    await initialize(shop, { order_id: placed.id }, "basket-3");

    const other = await initialize(shop, { order_id: placed.id, amount: 5 }, "basket-3");

    expect([other.status, other.code]).toEqual([422, "idempotency_key_reused"]);
  });
});

describe("a reference", () => {
  test("names one payment forever", async () => {
    const { shop } = shared;
    const terms = { amount: 5, currency: "USD", reference: "INV-7" };
    const first = await initialize(shop, terms);

    const same = await initialize(shop, terms);
    const other = await initialize(shop, { ...terms, amount: 6 });

    expect([same.status, same.id]).toEqual([200, first.id]);
    expect([other.status, other.code]).toEqual([409, "reference_taken"]);
  });

  test("is taken for the same phone at another network", async () => {
    const { shop } = shared;
    const phone = { method: "mobile_money", phone: "+233551234987" };
    const terms = { amount: 5, currency: "GHS", reference: "INV-8", ...phone };
    const first = await initialize(shop, { ...terms, provider: "mtn" });

    const same = await initialize(shop, terms);
    const other = await initialize(shop, { ...terms, provider: "telecel" });

    expect([same.status, same.id]).toEqual([200, first.id]);
    expect([other.status, other.code]).toEqual([409, "reference_taken"]);
  });

  test("of another key's payment is taken, for a key that does not see all payments", async () => {
    const { shop } = shared;
    const placed = await (await orderCounter(shop))();
    const scopes = ["payments:use", "orders:read"];
    const [key, other] = [await shop.createKey({ scopes }), await shop.createKey({ scopes })];
    const pay = (by: string) =>
      shop.post(
        "/v2/payments/initialize",
        { order_id: placed.id, method: "gateway", reference: "TILL-7" },
        { key: by },
      );
    const first = await pay(key);

    const own = await pay(key);
    const taken = await pay(other);

    expect([own.status, own.id]).toEqual([200, first.id]);
    expect([taken.status, taken.code]).toEqual([409, "reference_taken"]);
    expect(taken.text).not.toContain(first.id);
  });
});

describe("refused is", () => {
  test("a method left to a gateway in live mode without one, before any other validation", async () => {
    await using shop = await openTestShop();
    const key = await shop.createKey({ mode: "live" });
    await shop.put("/v2/store", { payment_methods: { mobile_money: { by: "gateway" } } }, { key });

    const refused = await shop.post(
      "/v2/payments/initialize",
      { amount: 5, currency: "USD", method: "mobile_money" },
      { key },
    );

    expect([refused.status, refused.code, refused.at("/retryable")]).toEqual([
      409,
      "gateway_not_configured",
      false,
    ]);
  });

  test.each([
    [{}, ["#/amount required", "#/currency required"]],
    [{ amount: 5 }, ["#/currency required"]],
    [{ amount: 0, currency: "USD" }, ["#/amount amount_too_small"]],
    [{ amount: 0.5, currency: "USD" }, ["#/amount amount_too_small"]],
    [{ amount: 1.005, currency: "USD" }, ["#/amount amount_precision"]],
    [{ amount: 5, currency: "USD", method: "mobile_money" }, ["#/phone required"]],
    [{ order_id: "ord_01h455vb4pex5vsknk084sn02q" }, ["#/order_id unknown_order"]],
  ])("%j: %j", async (body, faults) => {
    const { shop, gateway } = shared;

    const refused = await initialize(shop, body);

    expect([refused.status, refused.faults]).toEqual([422, faults]);
    expect(await shop.announcedNames()).toEqual([]);
    expect(gateway.charges.size).toBe(0);
  });

  test.each(["gateway", "mobile_money", "bank_transfer"])(
    "a card token with the method %s, which would ignore it",
    async (method) => {
      const { shop, gateway } = shared;

      const refused = await initialize(shop, {
        amount: 5,
        currency: "USD",
        method,
        phone: "+233551234987",
        card_token: "tok_visa",
      });

      expect([refused.status, refused.faults]).toEqual([422, ["#/card_token conflicting_fields"]]);
      expect(gateway.charges.size).toBe(0);
    },
  );

  test.each([
    [{ phone: "0551234987" }, "#/phone"],
    [{ provider: "carrier_pigeon" }, "#/provider"],
    [{ reference: "no spaces" }, "#/reference"],
    [{ return_url: "javascript:alert(1)" }, "#/return_url"],
  ])("%j at its place", async (body, pointer) => {
    const { shop } = shared;

    const key = `key-${shop.nextNumber()}`;
    const refused = await initialize(shop, { amount: 5, currency: "USD", ...body }, key);

    expect(refused.status).toBe(422);
    expect(refused.faults.map((fault) => fault.split(" ")[0])).toContain(pointer);
    // Longer than the port number, which the response contains.
    expect(refused.text).not.toMatch(/4242 ?4242/);
  });

  test("more than is due, and another currency than the order's", async () => {
    const { shop } = shared;
    const placed = await (await orderCounter(shop))();

    const more = await initialize(shop, { order_id: placed.id, amount: 12.51 });
    const other = await initialize(shop, { order_id: placed.id, amount: 5, currency: "GHS" });

    expect(more.faults).toEqual(["#/amount amount_exceeds_due"]);
    expect(other.faults).toEqual(["#/currency currency_mismatch"]);
  });

  test("an order that is paid or cancelled", async () => {
    const { shop } = shared;
    const order = await orderCounter(shop);
    const [paid, cancelled] = [await order(), await order()];
    const payment = await initialize(shop, { order_id: paid.id });
    await paidAtGateway(shared, payment.id);
    await shop.put(`/v2/orders/${cancelled.id}/cancel`);

    const twice = await initialize(shop, { order_id: paid.id });
    const late = await initialize(shop, { order_id: cancelled.id });

    expect([twice.status, twice.code]).toEqual([409, "order_paid"]);
    expect([late.status, late.code, late.at("/from")]).toEqual([
      409,
      "invalid_transition",
      "cancelled",
    ]);
  });

  test("changing the lines while an attempt is open", async () => {
    const { shop } = shared;
    const placed = await (await orderCounter(shop))();
    await initialize(shop, { order_id: placed.id });

    const line = { variant_id: placed.string("/line_items/0/variant_id"), quantity: 3 };
    const refused = await shop.put(`/v2/orders/${placed.id}`, { line_items: [line] });

    expect([refused.status, refused.code]).toEqual([409, "invalid_transition"]);
  });
});

test("a storefront key initializes, reads and cancels a payment, and cannot list any", async () => {
  const { shop } = shared;
  const key = await shop.createKey({ scopes: ["storefront"] });
  const order = await place(shop, [of(await mug(shop))]);
  const made = await shop.post("/v2/payments/initialize", { order_id: order.id }, { key });

  const read = await shop.get(`/v2/payments/${made.id}`, { key });
  const listed = await shop.get("/v2/payments", { key });
  const cancelled = await shop.post(`/v2/payments/${made.id}/cancel`, {}, { key });
  const confirmed = await shop.post(`/v2/payments/${made.id}/confirm`, {}, { key });

  expect([made.status, read.status, listed.status]).toEqual([201, 200, 403]);
  expect([cancelled.status, cancelled.at("/status")]).toEqual([200, "cancelled"]);
  expect(confirmed.status).toBe(403);
});
