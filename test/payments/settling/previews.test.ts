// What an act on an order would do is told before: by the rules of the act, and without a trace.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import fc from "fast-check";

import { runs, seedOfRun } from "../../support/runs.ts";
import type { ScriptedGateway } from "../../support/scripted-gateway.ts";
import type { Answered, TestShop } from "../../support/shop.ts";
import { auditsOf } from "../refund-counter.ts";
import { initialize, openScriptedShop, orderCounter, pass, settle } from "../scripted-shop.ts";

const QUANTITY = 4;
/** The part of 50.00 that is paid through the gateway, major units. */
const BY_GATEWAY = 30;

let shop: TestShop;
let gateway: ScriptedGateway;
let place: Awaited<ReturnType<typeof orderCounter>>;

beforeAll(async () => {
  ({ shop, gateway } = await openScriptedShop());
  place = await orderCounter(shop);
});

afterAll(() => shop[Symbol.asyncDispose]());

/** An order of four mugs: paid in part through the gateway, the rest by hand, and sent in part. */
async function paidOrder({ sent = 0 } = {}): Promise<Answered> {
  const placed = await place({ payment_method: "bank_transfer" }, QUANTITY);
  const byGateway = { order_id: placed.id, method: "mobile_money", phone: "+233551234987" };
  const first = await initialize(shop, { ...byGateway, amount: BY_GATEWAY });
  gateway.pay(first.id);
  await pass(shop, 15);
  const amount = QUANTITY * 12.5 - BY_GATEWAY;
  const second = await initialize(shop, { order_id: placed.id, method: "bank_transfer", amount });
  await shop.post(`/v2/payments/${second.id}/confirm`, { amount, currency: "USD" });
  if (sent > 0)
    await shop.put(`/v2/orders/${placed.id}/fulfill`, { line_items: units(placed, sent) });
  await settle(shop);
  return shop.get(`/v2/orders/${placed.id}`);
}

function units(order: Answered, quantity: number) {
  return [{ line_item_id: order.string("/line_items/0/id"), quantity }];
}

/** What anybody could see change. */
async function traces(order: Answered): Promise<unknown> {
  const seen = [
    `/v2/orders/${order.id}`,
    `/v2/orders/${order.id}/returns`,
    `/v2/payments?order_id=${order.id}`,
    `/v2/inventory/${order.string("/line_items/0/variant_id")}`,
    "/v2/events?limit=1",
    "/v2/refunds?limit=1",
    "/v2/audit?limit=1",
  ];
  return Promise.all(seen.map(async (path) => (await shop.get(path)).text));
}

interface Act {
  readonly name: string;
  readonly path: (order: Answered) => string;
  readonly does: (order: Answered, body: object) => Promise<Answered>;
}

const cancel: Act = {
  name: "cancel",
  path: ({ id }) => `/v2/orders/${id}/cancel/preview`,
  does: (order, body) =>
    shop.put(`/v2/orders/${order.id}/cancel`, body, {
      headers: { "If-Match": `"${order.number("/version")}"` },
    }),
};
const takeBack: Act = {
  name: "return",
  path: ({ id }) => `/v2/orders/${id}/returns/preview`,
  does: ({ id }, body) => shop.post(`/v2/orders/${id}/returns`, body),
};
const refund: Act = {
  name: "refund",
  path: ({ id }) => `/v2/orders/${id}/refunds/preview`,
  does: ({ id }, body) => shop.post(`/v2/orders/${id}/refunds`, body),
};

const someUnits = fc.integer({ min: 1, max: QUANTITY + 1 });
const moneyBack = fc.constantFrom(true, false, 5, 12.5, 40);
const acting = fc.oneof(
  fc.tuple(someUnits, moneyBack).map(([quantity, back]) => ({
    act: cancel,
    bodyOf: (order: Answered) => ({
      reason: "customer",
      refund: back,
      line_items: units(order, quantity),
    }),
    toString: () => `cancel ${quantity}, refund ${back}`,
  })),
  fc.tuple(someUnits, moneyBack, fc.boolean()).map(([quantity, back, restock]) => ({
    act: takeBack,
    bodyOf: (order: Answered) => ({ restock, refund: back, line_items: units(order, quantity) }),
    toString: () => `return ${quantity}, refund ${back}, restock ${restock}`,
  })),
  fc.constantFrom({}, { amount: 25 }, { amount: 45.5 }, { amount: 50.01 }).map((body) => ({
    act: refund,
    bodyOf: () => body,
    toString: () => `refund ${JSON.stringify(body)}`,
  })),
  someUnits.map((quantity) => ({
    act: refund,
    bodyOf: (order: Answered) => ({ line_items: units(order, quantity) }),
    toString: () => `refund ${quantity} units`,
  })),
);

/** The money and the units of an order, without what only a commit gives it. */
function factsOf(order: Answered, at: string): unknown[] {
  const members = ["status", "fulfillment_status", "refunding_total", "kept_total", "due"];
  const ofLine = ["cancelled_quantity", "returned_quantity", "fulfilled_quantity"];
  return [
    ...members.map((member) => order.at(`${at}/${member}`)),
    ...ofLine.map((member) => order.at(`${at}/line_items/0/${member}`)),
  ];
}

test("every act does what its preview said, to the last unit and cent, or is refused alike", async () => {
  const property = fc.asyncProperty(acting, fc.nat({ max: QUANTITY }), async (one, sent) => {
    const order = await paidOrder({ sent });
    const body = one.bodyOf(order);
    const before = await traces(order);

    const preview = await shop.post(one.act.path(order), body);
    const unchanged = await traces(order);
    const done = await one.act.does(order, body);
    await settle(shop);

    expect(unchanged).toEqual(before);
    if (preview.status !== 200) {
      expect([preview.status, preview.code, preview.at("/errors")]).toEqual([
        done.status,
        done.code,
        done.at("/errors"),
      ]);
      return;
    }
    const after = await shop.get(`/v2/orders/${order.id}`);
    expect(factsOf(preview, "/order")).toEqual(factsOf(after, ""));
    const refunds = await shop.get(`/v2/refunds?order_id=${order.id}`);
    expect(amountsIn(preview, "/refunds")).toEqual(amountsIn(refunds, "/data"));
  });
  await fc.assert(property, { numRuns: runs(12), seed: seedOfRun() });
  expect(await auditsOf(shop)).toEqual([]);
});

/** What goes back of which payment. */
function amountsIn(answer: Answered, at: string): string[] {
  const amounts = answer.list(at).map((_, index) => {
    const [payment, amount] = ["payment_id", "amount"].map((name) =>
      answer.at(`${at}/${index}/${name}`),
    );
    return `${String(payment)} ${String(amount)}`;
  });
  return amounts.toSorted();
}

describe("the preview of a cancellation", () => {
  test("names what goes back of each payment, and which of it a person hands back", async () => {
    const order = await paidOrder();

    const preview = await shop.post(`/v2/orders/${order.id}/cancel/preview`, {
      reason: "customer",
    });

    expect(preview.at("/refunds")).toMatchObject([
      { method: "mobile_money", gateway: "scripted", amount: 30, currency: "USD", by_hand: false },
      { method: "bank_transfer", gateway: null, amount: 20, currency: "USD", by_hand: true },
    ]);
    expect(preview.at("/order/status")).toBe("cancelled");
  });

  test("is refused for another version than the order has", async () => {
    const order = await paidOrder();

    const refused = await shop.post(
      `/v2/orders/${order.id}/cancel/preview`,
      { reason: "customer" },
      { headers: { "If-Match": '"1"' } },
    );

    expect([refused.status, refused.code]).toEqual([412, "stale_version"]);
  });

  test("needs the scope of the act", async () => {
    const order = await paidOrder();
    const key = await shop.createKey({ scopes: ["orders:read"] });

    const refused = await shop.post(`/v2/orders/${order.id}/cancel/preview`, {}, { key });

    expect([refused.status, refused.code]).toEqual([403, "scope_missing"]);
  });
});
