// Two people act on one order at the same moment: one of two acts that contradict each other wins, the other gets
// a stable code, and stock, money and events stay sound. Each pair is tried in both orders of arrival.

import { describe, expect, test } from "bun:test";

import { auditStock } from "#catalog/inventory/audit-stock.ts";

import { fulfill, reread } from "../sales/orders/counter.ts";
import { atOnce } from "../support/at-once.ts";
import { type Answered, openTestShop, type TestShop } from "../support/shop.ts";
import { auditsOf, dayPasses, handedOver } from "./refund-counter.ts";
import {
  initialize,
  openScriptedShop,
  orderCounter,
  paidAtGateway,
  settle,
  sharedScriptedShop,
} from "./scripted-shop.ts";

const shared = sharedScriptedShop();

const PAIRS = 6;
const failure = { kind: "failed", gatewayCode: "declined", gatewayRefundId: null } as const;

type Act = (order: Answered) => Promise<Answered>;

/** Orders of so many mugs at 12.50 in the shop; `isPaid` by their gateway, and shipped if asked. */
async function ordersOf(
  quantity: number,
  { isPaid = true, isShipped = false, scripted = shared } = {},
) {
  const { shop } = scripted;
  const order = await orderCounter(shop);
  const orders = await atOnce(PAIRS, () => order({}, quantity));
  if (isPaid) {
    for (const { id } of orders) {
      await paidAtGateway(scripted, (await initialize(shop, { order_id: id })).id);
    }
  }
  if (isShipped) await Promise.all(orders.map((one) => fulfill(shop, one)));
  return { ...scripted, order, orders };
}

/** Both acts on each order at once; every second order hears the other act first. */
function race(orders: readonly Answered[], one: Act, other: Act): Promise<string[]> {
  return Promise.all(
    orders.map(async (order, index) => {
      const acts = index % 2 === 0 ? [one, other] : [other, one];
      const answers = await Promise.all(acts.map((act) => act(order)));
      return (index % 2 === 0 ? answers : answers.toReversed()).map(nameOf).join(" / ");
    }),
  );
}

/** What became of an act: done, or the code of its refusal or of its first fault. */
function nameOf(answer: Answered): string {
  if (answer.status < 300) return "done";
  return answer.status === 422 ? answer.string("/errors/0/code") : answer.code;
}

/** Which act arrives first is left to chance, so any of the outcomes may happen, and no other. */
function expectAmong(outcomes: readonly string[], allowed: readonly string[]): void {
  expect(outcomes.filter((outcome) => !allowed.includes(outcome))).toEqual([]);
}

async function expectSound(shop: TestShop, orders: readonly Answered[]): Promise<void> {
  await settle(shop);
  expect(await auditsOf(shop)).toEqual([]);
  expect(await Array.fromAsync(auditStock(shop.test.database.read))).toEqual([]);
  const paid = (await shop.events()).filter(({ name }) => name === "order.paid");
  expect(new Set(paid.map(({ subject }) => subject)).size).toBe(paid.length);
  for (const order of await Promise.all(orders.map((one) => reread(shop, one)))) {
    const shipped = order.number("/line_items/0/fulfilled_quantity");
    const cancelled = order.number("/line_items/0/cancelled_quantity");
    expect(shipped + cancelled).toBeLessThanOrEqual(order.number("/line_items/0/quantity"));
    expect(order.number("/refunding_total_minor")).toBeLessThanOrEqual(
      order.number("/paid_total_minor"),
    );
  }
}

const units = (order: Answered, quantity: number, more: object = {}) => ({
  line_items: [{ line_item_id: order.string("/line_items/0/id"), quantity, ...more }],
});

const shipping =
  (shop: TestShop, quantity: number): Act =>
  (order) =>
    fulfill(shop, order, units(order, quantity));

const refunding =
  (shop: TestShop, bodyOf: (order: Answered) => object): Act =>
  (order) =>
    shop.post(`/v2/orders/${order.id}/refunds`, bodyOf(order));

const cancelling =
  (shop: TestShop, quantity: number, refund = true): Act =>
  (order) =>
    shop.put(
      `/v2/orders/${order.id}/cancel`,
      { ...units(order, quantity), refund },
      { headers: { "Idempotency-Key": `cancel-${order.id}` } },
    );

const returning =
  (shop: TestShop, quantity: number, refund = true): Act =>
  (order) =>
    shop.post(`/v2/orders/${order.id}/returns`, { ...units(order, quantity), refund });

describe("units of an order", () => {
  test("are cancelled or shipped, never both", async () => {
    const { shop, orders } = await ordersOf(3);

    const outcomes = await race(orders, cancelling(shop, 2), shipping(shop, 2));

    expectAmong(outcomes, ["done / more_than_open", "more_than_open / done"]);
    await expectSound(shop, orders);
  });

  test("are refunded as open ones or shipped, never both", async () => {
    const { shop, orders } = await ordersOf(3);

    const open = refunding(shop, (order) => units(order, 2, { from: "open" }));
    const outcomes = await race(orders, open, shipping(shop, 2));

    expectAmong(outcomes, ["done / more_than_open", "more_than_open / done"]);
    await expectSound(shop, orders);
  });

  test("come back once, as a return or as a refund of shipped units", async () => {
    const { shop, orders } = await ordersOf(2, { isShipped: true });

    const shipped = refunding(shop, (order) => units(order, 2, { from: "shipped" }));
    const outcomes = await race(orders, returning(shop, 2), shipped);

    expectAmong(outcomes, ["done / more_than_shipped", "more_than_shipped / done"]);
    await expectSound(shop, orders);
  });

  test("are shipped before a refund of everything, or not at all", async () => {
    const { shop, orders } = await ordersOf(2);

    const outcomes = await race(
      orders,
      refunding(shop, () => ({})),
      (one) => fulfill(shop, one),
    );

    expectAmong(outcomes, ["done / done", "done / invalid_transition"]);
    await expectSound(shop, orders);
  });
});

describe("money of an order", () => {
  test("is refunded by one of two refunds that want more than there is together", async () => {
    const { shop, orders } = await ordersOf(2);

    const part = refunding(shop, () => ({ amount: 15 }));
    const outcomes = await race(orders, part, part);

    expectAmong(outcomes, ["done / refund_exceeds_captured", "refund_exceeds_captured / done"]);
    await expectSound(shop, orders);
  });

  test("goes back once if its units come back while everything is refunded", async () => {
    const { shop, orders } = await ordersOf(2, { isShipped: true });

    const outcomes = await race(
      orders,
      returning(shop, 2),
      refunding(shop, () => ({})),
    );

    // Nothing is left to be refunded where the refund that the return promised was made before.
    expectAmong(outcomes, ["done / done", "done / refund_exceeds_captured"]);
    await expectSound(shop, orders);
    const after = await Promise.all(orders.map((one) => reread(shop, one)));
    expect(after.map((one) => [one.at("/refunded_total"), one.at("/due")])).toEqual(
      orders.map(() => [25, 0]),
    );
  });

  test("that a return promised goes back, even if a cancellation keeps what was paid", async () => {
    const { shop, orders } = await ordersOf(2);
    await Promise.all(orders.map(shipping(shop, 1)));

    const outcomes = await race(orders, returning(shop, 1), cancelling(shop, 1, false));

    expectAmong(outcomes, ["done / done"]);
    await expectSound(shop, orders);
    const after = await Promise.all(orders.map((one) => reread(shop, one)));
    expect(after.map((one) => [one.at("/refunded_total"), one.at("/kept_total")])).toEqual(
      orders.map(() => [12.5, 12.5]),
    );
  });

  test("that a return promised is not kept by a refund of other units", async () => {
    const { shop, orders } = await ordersOf(2);
    await Promise.all(orders.map(shipping(shop, 1)));

    const open = refunding(shop, (order) => units(order, 1, { from: "open" }));
    const outcomes = await race(orders, returning(shop, 1), open);

    expectAmong(outcomes, ["done / done"]);
    await expectSound(shop, orders);
    const after = await Promise.all(orders.map((one) => reread(shop, one)));
    expect(after.map((one) => [one.at("/refunded_total"), one.at("/kept_total")])).toEqual(
      orders.map(() => [25, 0]),
    );
  });

  test("that is corrected is not refunded beyond what came", async () => {
    const { shop, order } = await ordersOf(2, { isPaid: false });
    const sales = await atOnce(PAIRS, () => handedOver(shop, { amount: 25, quantity: 2, order }));
    const paymentOf = new Map(sales.map(({ placed, payment }) => [placed.id, payment.id]));
    const orders = sales.map(({ placed }) => placed);

    const correct: Act = ({ id }) =>
      shop.post(`/v2/payments/${paymentOf.get(id)}/correct`, { amount: 10 });
    const outcomes = await race(
      orders,
      correct,
      refunding(shop, () => ({ amount: 20 })),
    );

    expectAmong(outcomes, ["done / refund_exceeds_captured", "less_than_refunded / done"]);
    await expectSound(shop, orders);
  });

  test("that arrives takes back what is written off at the same moment", async () => {
    const { shop, order } = await ordersOf(1, { isPaid: false });
    const orders = await atOnce(PAIRS, () => order({ payment_method: "cash_on_delivery" }));
    await Promise.all(orders.map((one) => fulfill(shop, one)));
    const confirm = await confirming(shop, orders, 12.5);

    const outcomes = await race(
      orders,
      ({ id }) => shop.post(`/v2/orders/${id}/write-off`, { amount: 12.5 }),
      confirm,
    );

    expectAmong(outcomes, ["done / done", "invalid_transition / done"]);
    await expectSound(shop, orders);
    const after = await Promise.all(orders.map((one) => reread(shop, one)));
    expect(after.map((one) => [one.at("/paid_total"), one.at("/written_off_total")])).toEqual(
      orders.map(() => [12.5, 0]),
    );
  });

  test("that is handed over while its order is cancelled is to be handed back", async () => {
    const { shop, order } = await ordersOf(1, { isPaid: false });
    const orders = await atOnce(PAIRS, () => order({ payment_method: "bank_transfer" }));
    const confirm = await confirming(shop, orders, 12.5);

    const outcomes = await race(orders, ({ id }) => shop.put(`/v2/orders/${id}/cancel`), confirm);

    expectAmong(outcomes, ["done / done"]);
    await expectSound(shop, orders);
    const after = await Promise.all(orders.map((one) => reread(shop, one)));
    expect(after.map((one) => one.at("/status"))).toEqual(orders.map(() => "cancelled"));
    expect(after.map((one) => [one.at("/paid_total"), one.at("/refunded_total")])).toEqual(
      orders.map(() => [12.5, 0]),
    );
  });

  test("that is paid while lines are edited pays for the lines before or after", async () => {
    await using shop = await openTestShop();
    const order = await orderCounter(shop);
    const orders = await atOnce(PAIRS, () => order());

    const editing: Act = (one) => {
      const variant_id = one.string("/line_items/0/variant_id");
      return shop.put(`/v2/orders/${one.id}`, { line_items: [{ variant_id, quantity: 3 }] });
    };
    const paying: Act = ({ id }) =>
      initialize(shop, { order_id: id, method: "card", card_token: "tok_visa" });
    const outcomes = await race(orders, editing, paying);

    expectAmong(outcomes, ["done / done", "invalid_transition / done"]);
    await expectSound(shop, orders);
    const after = await Promise.all(orders.map((one) => reread(shop, one)));
    expect(after.map((one) => [one.at("/payment_status"), one.at("/paid_total")])).toEqual(
      after.map((one) => ["paid", one.at("/total")]),
    );
  });
});

/** Asks for a transfer of each order; the act confirms that it came. */
async function confirming(
  shop: TestShop,
  orders: readonly Answered[],
  amount: number,
): Promise<Act> {
  const paymentOf = new Map<string, string>();
  for (const { id } of orders) {
    const asked = await initialize(shop, { order_id: id, method: "bank_transfer" });
    paymentOf.set(id, asked.id);
  }
  return ({ id }) =>
    shop.post(`/v2/payments/${paymentOf.get(id)}/confirm`, { amount, currency: "USD" });
}

describe("a refund that failed", () => {
  /** The orders of a shop with their refunds, all of which failed. */
  async function failedRefunds(scripted = shared) {
    const { shop, gateway, orders } = await ordersOf(1, { scripted });
    const refundOf = new Map<string, string>();
    for (const { id } of orders) {
      gateway.nextRefund = failure;
      const made = await shop.post(`/v2/orders/${id}/refunds`, { amount: 5 });
      refundOf.set(id, made.string("/refunds/0/id"));
    }
    const act =
      (name: "retry" | "close"): Act =>
      ({ id }) =>
        shop.post(`/v2/refunds/${refundOf.get(id)}/${name}`, {});
    return { shop, gateway, orders, act };
  }

  test("is retried or closed, never both", async () => {
    const { shop, gateway, orders, act } = await failedRefunds(await openScriptedShop());
    await using _ = shop;

    const outcomes = await race(orders, act("retry"), act("close"));

    expectAmong(outcomes, ["done / invalid_transition", "invalid_transition / done"]);
    await dayPasses(shop);
    await expectSound(shop, orders);
    const retried = outcomes.filter((outcome) => outcome.startsWith("done")).length;
    expect(gateway.refunds.size).toBe(retried);
  });

  test("is closed once by two people", async () => {
    const { shop, orders, act } = await failedRefunds();

    const outcomes = await race(orders, act("close"), act("close"));

    // Who closes it again with the same note is told that it is closed.
    expectAmong(outcomes, ["done / done"]);
    await expectSound(shop, orders);
    const after = await Promise.all(orders.map((one) => reread(shop, one)));
    expect(after.map((one) => one.at("/refunded_total"))).toEqual(orders.map(() => 5));
  });

  test("is sent to its gateway once by two people who retry it", async () => {
    const { shop, gateway, orders, act } = await failedRefunds();

    const outcomes = await race(orders, act("retry"), act("retry"));

    expectAmong(outcomes, ["done / invalid_transition", "invalid_transition / done"]);
    await expectSound(shop, orders);
    expect(gateway.refunds.size).toBe(PAIRS);
  });
});
