// The check of a shop finds nothing, however its orders are placed, changed, cancelled, paid, shipped, taken back and
// refunded, with discounts, taxes and shipping of every kind.

import { expect, test } from "bun:test";

import fc from "fast-check";

import { auditAnalytics } from "#analytics/summary/audit-analytics.ts";
import { auditStock } from "#catalog/inventory/audit-stock.ts";
import { auditPayments } from "#payments/reconciliation/audit-payments.ts";
import { auditDiscounts } from "#pricing/discount-uses/audit-discounts.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { initialize, settle } from "../../payments/scripted-shop.ts";
import type { Goods } from "../../support/cast.ts";
import { runs, seedOfRun } from "../../support/runs.ts";
import { type Answered, openTestShop, type TestShop } from "../../support/shop.ts";
import { basket, complete } from "../carts/basket.ts";
import {
  accra,
  berlin,
  discount,
  levies,
  must,
  of,
  shipTo,
  sold,
  tax,
  usd,
} from "./priced-shop.ts";

const HOUR_MS = 3_600_000;

/** What the steps of one run need. */
interface Trade {
  readonly shop: TestShop;
  readonly goods: readonly Goods[];
  readonly riders: readonly string[];
  readonly orders: Answered[];
}

type Step = (trade: Trade) => Promise<Answered | undefined>;

const major = (minor: number) => (minor / 100).toFixed(2);
const units = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 });
const amount = fc.integer({ min: 1, max: 9_000 }).map(major);
const percent = fc.constantFrom(7, 33.3333, 100);
const codes = fc.subarray(["UNIT", "BASKET", "FREE", "ONLY"]);

const shipping = fc.oneof(
  fc.constant(() => null),
  amount.map((charge) => () => ({ label: "By hand", amount: charge })),
  fc.nat(1).map((rate) => ({ riders }: Trade) => ({ rate_id: riders[rate] })),
);

const linesOf = ({ goods }: Trade, quantities: readonly number[]) =>
  goods.flatMap((one, index) => ((quantities[index] ?? 0) > 0 ? [of(one, quantities[index])] : []));

const terms = fc.record(
  {
    discount_codes: codes,
    discount: fc.oneof(
      percent.map((part) => ({ title: "Friend", percent: part })),
      amount.map((off) => ({ title: "Friend", amount: off })),
    ),
    tax_exemption: fc.constantFrom("none", "reverse_charge", "exempt"),
    customer: fc.constantFrom({ email: "ada@example.com" }, { email: "ama@example.com" }),
    shipping_address: fc.constantFrom(accra, berlin),
    paid: fc.constantFrom({ method: "cash" }, undefined),
  },
  { requiredKeys: [] },
);

const placing = fc
  .tuple(units, terms, shipping)
  .map(([quantities, given, ship]): Step => async (trade) => {
    const { shop, orders } = trade;
    const body = { line_items: linesOf(trade, quantities), ...given, shipping: ship(trade) };
    const placed = await shop.post("/v2/orders", body);
    if (placed.status === 201) orders.push(placed);
    return placed;
  });

const completing = fc
  .tuple(units, codes, fc.nat(1))
  .map(([quantities, given, rate]): Step => async (trade) => {
    const { shop, orders, riders } = trade;
    const lines = linesOf(trade, quantities);
    if (lines.length === 0) return undefined;
    const cart = await basket(shop, lines, {
      discount_codes: given,
      shipping_address: rate === 0 ? accra : berlin,
      shipping: { rate_id: riders[rate] },
      customer: { email: "ada@example.com" },
    });
    const completed = await complete(shop, cart);
    if (completed.status === 201) orders.push(completed);
    return completed;
  });

/** A step on one of the orders, if there is any. */
function onOrder(act: (trade: Trade, order: Answered) => Promise<Answered>) {
  return (pick: number): Step =>
    async (trade) => {
      const order = trade.orders[pick % Math.max(1, trade.orders.length)];
      return order === undefined
        ? undefined
        : act(trade, must(await trade.shop.get(`/v2/orders/${order.id}`), 200));
    };
}

const editing = fc
  .tuple(fc.nat(), units, fc.option(shipping, { nil: undefined }))
  .map(([pick, quantities, ship]) =>
    onOrder((trade, { id }) =>
      trade.shop.put(`/v2/orders/${id}`, {
        line_items: linesOf(trade, quantities),
        ...(ship !== undefined && { shipping: ship(trade) }),
      }),
    )(pick),
  );

/** Units of the order's lines, at most those that are left to ship or to take back. */
function unitsOf(order: Answered, quantities: readonly number[], kind: "open" | "shipped") {
  return order.list("/line_items").flatMap((_, index) => {
    const count = (name: string) => order.number(`/line_items/${index}/${name}`);
    const shipped = count("fulfilled_quantity");
    const left =
      kind === "open"
        ? count("quantity") - count("cancelled_quantity") - shipped
        : shipped - count("returned_quantity");
    const quantity = Math.min(quantities[index] ?? 0, left);
    const line_item_id = order.string(`/line_items/${index}/id`);
    return quantity === 0 ? [] : [{ line_item_id, quantity }];
  });
}

const money = fc.oneof(fc.boolean(), amount);

const cancelling = fc.tuple(fc.nat(), fc.option(units), money).map(([pick, quantities, refund]) =>
  onOrder(({ shop }, order) => {
    const part = quantities === null ? {} : { line_items: unitsOf(order, quantities, "open") };
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    return shop.put(`/v2/orders/${order.id}/cancel`, { ...part, refund }, { headers });
  })(pick),
);

const shippingUnits = fc
  .tuple(fc.nat(), fc.option(units))
  .map(([pick, quantities]) =>
    onOrder(({ shop }, order) =>
      shop.put(
        `/v2/orders/${order.id}/fulfill`,
        quantities === null ? {} : { line_items: unitsOf(order, quantities, "open") },
      ),
    )(pick),
  );

const takingBack = fc.tuple(fc.nat(), units, money).map(([pick, quantities, refund]) =>
  onOrder(({ shop }, order) =>
    shop.post(`/v2/orders/${order.id}/returns`, {
      line_items: unitsOf(order, quantities, "shipped"),
      refund,
    }),
  )(pick),
);

const paying = fc.tuple(fc.nat(), fc.option(amount)).map(([pick, part]) =>
  onOrder(async ({ shop }, order) => {
    const asked = { order_id: order.id, method: "bank_transfer" };
    const payment = await initialize(shop, asked);
    if (payment.status !== 201) return payment;
    const came = { amount: part ?? payment.at("/amount"), currency: "USD" };
    return shop.post(`/v2/payments/${payment.id}/confirm`, came);
  })(pick),
);

const refunding = fc
  .tuple(fc.nat(), fc.oneof(units, amount, fc.constant(null)), fc.option(amount))
  .map(([pick, what, shippingBack]) =>
    onOrder(({ shop }, order) => {
      const named = Array.isArray(what) ? { line_items: unitsOf(order, what, "open") } : {};
      const by = typeof what === "string" ? { amount: what } : named;
      const back =
        shippingBack === null || typeof what === "string" ? {} : { shipping: shippingBack };
      return shop.post(`/v2/orders/${order.id}/refunds`, { ...by, ...back });
    })(pick),
  );

const waiting = fc.constant<Step>(async ({ shop }) => {
  shop.clock.advance(17 * HOUR_MS);
  await settle(shop);
  return undefined;
});

const steps = {
  placing,
  completing,
  editing,
  cancelling,
  shipping: shippingUnits,
  takingBack,
  paying,
  refunding,
  waiting,
};
const often: readonly string[] = ["placing", "editing", "paying", "refunding"];
const step = fc.oneof(
  ...Object.entries(steps).map(([name, one]) => ({
    weight: often.includes(name) ? 2 : 1,
    arbitrary: one.map((run) => ({ name, run })),
  })),
);

const trading = fc.record({
  isIncluded: fc.boolean(),
  shippingTax: fc.constantFrom("standard", "as_goods", "none"),
  prices: fc.array(fc.integer({ min: 1, max: 9_999 }), { minLength: 4, maxLength: 4 }),
  first: fc.array(placing, { minLength: 1, maxLength: 2 }),
  later: fc.array(step, { minLength: 14, maxLength: 24 }),
});

/** Rates of three classes, one of which changes at midnight, and discounts of every kind. */
async function openTrade({
  isIncluded,
  shippingTax,
  prices,
}: {
  readonly isIncluded: boolean;
  readonly shippingTax: string;
  readonly prices: readonly number[];
}): Promise<Trade> {
  const shop = await openTestShop();
  const next = "2026-01-06";
  const rates = [
    ...levies,
    { name: "VAT", rate: 5, tax_class: "food" },
    { country: "DE", name: "USt", rate: 19 },
    { country: "DE", name: "USt", rate: 0, tax_class: "food" },
    { country: "DE", name: "USt", rate: 25, tax_class: "luxury" },
  ];
  await tax(shop, "GH", { rates, prices_include_tax: isIncluded, shipping_tax: shippingTax });
  const listed = (await shop.get("/v2/tax-rates?limit=100"))
    .list("/data")
    .map((one) => Object(one));
  const { id } = listed.find(({ rate }) => rate === 5);
  must(await shop.put(`/v2/tax-rates/${id}`, { valid_until: next }), 200);
  const higher = { country: "GH", name: "VAT", rate: 7.5, tax_class: "food", valid_from: next };
  must(await shop.post("/v2/tax-rates", higher), 201);
  await discount(shop, { title: "All", percent: 3.3333, stackable: true });
  const unit = { codes: ["UNIT"], stackable: true, usage_limit: 5, target: "lines" };
  await discount(shop, { title: "Unit", amounts: usd("1.01"), per: "unit", ...unit });
  const minimum = { amounts: usd(10) };
  const whole = { codes: ["BASKET"], stackable: true, per_customer_limit: 3 };
  await discount(shop, { title: "Basket", amounts: usd("9.99"), per: "basket", minimum, ...whole });
  await discount(shop, { title: "Free", codes: ["FREE"], target: "shipping", percent: 100 });
  await discount(shop, { title: "Only", codes: ["ONLY"], percent: 100, minimum: { quantity: 4 } });
  const classes = ["standard", "food", "exempt", "luxury"];
  const goods = await Promise.all(
    classes.map((tax_class, index) => sold(shop, major(prices[index] ?? 1), { tax_class })),
  );
  const riders = [
    await shipTo(shop, ["GH"], { free_over: usd(150) }),
    await shipTo(shop, ["DE"], { tiers: [{ from: 0, amounts: usd("7.77") }] }),
  ];
  return { shop, goods, riders, orders: [] };
}

/** What the check says of the whole shop. */
async function differences({ shop }: Trade): Promise<unknown[]> {
  return shop.test.database.readTogether(async (read) => {
    const audits = [auditStock, auditDiscounts, auditOrders, auditPayments, auditAnalytics];
    return (await Promise.all(audits.map((audit) => Array.fromAsync(audit(read))))).flat();
  });
}

test("a shop used through its stories has no difference, whatever it sells and takes back", async () => {
  const done = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(trading, async ({ first, later, ...settings }) => {
      const trade = await openTrade(settings);
      await using _ = trade.shop;
      const all = [...first.map((run) => ({ name: "placing", run })), ...later];
      for (const { name, run } of all) {
        const answered = await run(trade);
        expect([200, 201, 409, 422, undefined]).toContain(answered?.status);
        if (name === "waiting" || (answered?.status ?? 409) < 300)
          done.set(name, (done.get(name) ?? 0) + 1);
      }
      await settle(trade.shop);

      expect(await differences(trade)).toEqual([]);
    }),
    { numRuns: runs(8), seed: seedOfRun(), endOnFailure: true },
  );

  expect([...done.keys()].toSorted()).toEqual(Object.keys(steps).toSorted());
}, 120_000);
