// Random histories of a shop: orders in two currencies and three channels, paid in full, in parts or
// late, refunded, cancelled in part, returned, written off, corrected and erased, with restarts and rebuilds. The
// summary must always equal the sums of the shop's own rows. Most histories have discounts, taxes and shipping rates.

import { expect, test } from "bun:test";

import fc from "fast-check";

import { rebuildAnalytics } from "#analytics/projection/project-events.ts";
import { SLOT_MS, slotAt } from "#analytics/slots.ts";
import { auditAnalytics } from "#analytics/summary/audit-analytics.ts";
import { simulatedGatewayOf } from "#sandbox/simulated-gateway/simulated.ts";

import { settle } from "../payments/scripted-shop.ts";
import { discount, must, shipTo } from "../sales/pricing/priced-shop.ts";
import { rowsBehind, tamper } from "../support/behind-the-shop.ts";
import { runs } from "../support/runs.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { type Answered, MORNING_MS, openTestShop, type TestShop } from "../support/shop.ts";
import { directFigures, figuresOf, writtenOffIn } from "./direct-summary.ts";
import { SalesBook } from "./sales-book.ts";

const RUNS = runs(2);
const MINUTE_S = 60;
const HOUR_S = 3_600;

interface World {
  readonly folder: ScratchFolder;
  shop: TestShop;
  readonly variants: readonly string[];
  /** A shipping rate; null in a shop without prices of its own. */
  readonly rider: string | null;
  readonly customers: string[];
  readonly orders: { readonly id: string; readonly currency: string }[];
  readonly payments: string[];
  readonly book: SalesBook;
}

type Take = (world: World) => Promise<void>;

interface Step {
  readonly take: Take;
  toString(): string;
}

function step(name: string, take: Take): Step {
  return { take, toString: () => name };
}

/** An element, or undefined if there is none. */
function pick<T>(from: readonly T[], at: number): T | undefined {
  return from[at % Math.max(from.length, 1)];
}

/** The shop may refuse some steps, but must never fail. */
function expectSound(answer: Answered): Answered {
  if (answer.status >= 500) throw new Error(answer.text);
  return answer;
}

const quantity = fc.integer({ min: 1, max: 3 });
const any = fc.nat({ max: 30 });

const placing = fc
  .record({
    variants: fc.array(fc.tuple(any, quantity), { minLength: 1, maxLength: 3 }),
    currency: fc.constantFrom("USD", "USD", "UGX"),
    channel: fc.constantFrom("online_store", "pos", "social"),
    payment_method: fc.constantFrom("cash_on_delivery", "bank_transfer", "mobile_money", "card"),
    customer: fc.option(any),
    shipping: fc.constantFrom(null, { label: "Rider", amount: 5 }, "rate"),
    codes: fc.uniqueArray(fc.constantFrom("TENTH", "LINES", "SHIP"), { maxLength: 3 }),
    discount: fc.constantFrom(null, null, { title: "For a friend", percent: 7 }),
  })
  .map(({ variants, customer, shipping, codes, discount: own, ...terms }) =>
    step(`place ${JSON.stringify({ shipping, codes, own, ...terms })}`, async (world) => {
      const { rider } = world;
      const option = rider === null ? null : { rate_id: rider };
      const priced =
        rider === null
          ? {}
          : {
              discount_codes: codes,
              discount: own,
              shipping_address: { line1: "1 High Street", country: "GH" },
            };
      const known = customer === null ? undefined : pick(world.customers, customer);
      const placed = expectSound(
        await world.shop.post("/v2/orders", {
          ...terms,
          ...priced,
          shipping: shipping === "rate" ? option : shipping,
          ...(known === undefined ? {} : { customer_id: known }),
          line_items: variants.map(([at, count]) => ({
            variant_id: pick(world.variants, at),
            quantity: count,
          })),
        }),
      );
      if (placed.status === 201) world.orders.push({ id: placed.id, currency: terms.currency });
    }),
  );

const phones = ["+233551234987", "+233551234946", "+233551234000"];

/** Pays in cash or by phone, the whole amount due or a part. */
const paying = fc
  .tuple(any, fc.constantFrom("cash_on_delivery", "mobile_money"), fc.boolean(), fc.nat({ max: 2 }))
  .map(([at, method, isPart, phone]) =>
    step(
      `pay ${at} by ${method}${isPart ? " in part" : ""}`,
      async ({ shop, orders, payments }) => {
        const order = pick(orders, at);
        if (order === undefined) return;
        const initialized = expectSound(
          await shop.post("/v2/payments/initialize", {
            order_id: order.id,
            method,
            ...(method === "mobile_money" ? { phone: phones[phone], provider: "mtn" } : {}),
            ...(isPart ? { amount: 3 } : {}),
          }),
        );
        if (initialized.status !== 201) return;
        payments.push(initialized.id);
        if (method !== "cash_on_delivery") return;
        const { currency } = order;
        const amount = initialized.at("/amount");
        expectSound(
          await shop.post(`/v2/payments/${initialized.id}/confirm`, { amount, currency }),
        );
      },
    ),
  );

const refunding = fc.tuple(any, fc.boolean()).map(([at, isPart]) =>
  step(`refund ${isPart ? "a part of " : ""}${at}`, async ({ shop, orders }) => {
    const order = pick(orders, at);
    if (order === undefined) return;
    const body = isPart ? { amount: 2 } : {};
    expectSound(await shop.post(`/v2/orders/${order.id}/refunds`, body));
  }),
);

function onOrder(name: string, take: (shop: TestShop, id: string) => Promise<Answered>) {
  return any.map((at) =>
    step(`${name} ${at}`, async ({ shop, orders }) => {
      const order = pick(orders, at);
      if (order !== undefined) expectSound(await take(shop, order.id));
    }),
  );
}

const cancelling = onOrder("cancel", (shop, id) =>
  shop.put(`/v2/orders/${id}/cancel`, { reason: "customer" }),
);

/** An act on one unit of the first line of an order, with its money or without. */
function onUnit(
  name: string,
  take: (
    shop: TestShop,
    id: string,
    body: { readonly line_items: readonly object[]; readonly refund: boolean },
  ) => Promise<Answered>,
) {
  return fc.tuple(any, fc.boolean()).map(([at, refund]) =>
    step(`${name} ${at}${refund ? "" : " without money"}`, async ({ shop, orders }) => {
      const order = pick(orders, at);
      if (order === undefined) return;
      const { id } = order;
      const line = (await shop.get(`/v2/orders/${id}`)).string("/line_items/0/id");
      const line_items = [{ line_item_id: line, quantity: 1 }];
      expectSound(await take(shop, id, { line_items, refund }));
    }),
  );
}

let parts = 0;
const cancellingPart = onUnit("cancel a unit of", (shop, id, body) => {
  const headers = { "Idempotency-Key": `part-${(parts += 1)}` };
  return shop.put(`/v2/orders/${id}/cancel`, body, { headers });
});
const returning = onUnit("return a unit of", (shop, id, body) =>
  shop.post(`/v2/orders/${id}/returns`, body),
);
/** A unit of the first line and a part of the shipping, with their shares of the taxes. */
const refundingUnit = onUnit("refund a unit of", (shop, id, { line_items }) =>
  shop.post(`/v2/orders/${id}/refunds`, { line_items }),
);
const refundingShipping = onOrder("refund 1 of the shipping of", (shop, id) =>
  shop.post(`/v2/orders/${id}/refunds`, { shipping: 1 }),
);
const taxing = fc.boolean().map((isIncluded) =>
  step(`prices ${isIncluded ? "contain" : "go without"} tax`, async ({ shop }) => {
    expectSound(await shop.put("/v2/store", { prices_include_tax: isIncluded }));
  }),
);
const writingOff = onOrder("write 2 off", (shop, id) =>
  shop.post(`/v2/orders/${id}/write-off`, { amount: 2 }),
);
const correcting = fc.tuple(any, fc.constantFrom(2, 4, 20)).map(([at, amount]) =>
  step(`correct ${at} to ${amount}`, async ({ shop, payments }) => {
    const payment = pick(payments, at);
    if (payment === undefined) return;
    expectSound(await shop.post(`/v2/payments/${payment}/correct`, { amount }));
  }),
);
const fulfilling = onOrder("fulfill", (shop, id) => shop.put(`/v2/orders/${id}/fulfill`));

const erasing = any.map((at) =>
  step(`erase ${at}`, async ({ shop, customers }) => {
    const gone = pick(customers, at);
    if (gone === undefined || customers.length < 2) return;
    const erased = expectSound(await shop.post(`/v2/customers/${gone}/erase`));
    if (erased.status !== 200) return;
    customers.splice(customers.indexOf(gone), 1);
  }),
);

const waiting = fc
  .constantFrom(1, 7 * MINUTE_S, 50 * MINUTE_S, 3 * HOUR_S, 20 * HOUR_S, 40 * HOUR_S)
  .map((seconds) =>
    step(`wait ${seconds} s`, async ({ shop }) => {
      expectSound(await shop.post("/v2/test/clock/advance", { seconds }));
    }),
  );

/** The bank returns a refund after the gateway had paid it: the gateway tells of it. */
const bouncing = fc.tuple(any, fc.integer({ min: 1, max: 40 })).map(([at, hours]) =>
  step(`sell ${at}, and have a refund fail ${hours} hours later`, async (world) => {
    const { folder, shop, orders, book } = world;
    const before = orders.length;
    const line = { variant_id: pick(world.variants, at), quantity: 1 };
    const terms = { currency: "USD", channel: "pos", payment_method: "mobile_money" };
    const placed = expectSound(await shop.post("/v2/orders", { ...terms, line_items: [line] }));
    if (placed.status !== 201) return;
    orders.push({ id: placed.id, currency: "USD" });
    const payer = { method: "mobile_money", phone: "+233551234987", provider: "mtn" };
    await shop.post("/v2/payments/initialize", { order_id: placed.id, ...payer });
    await shop.post("/v2/test/clock/advance", { seconds: MINUTE_S });
    await shop.post(`/v2/orders/${placed.id}/refunds`, { amount: 2 });
    await settle(shop);
    await book.look(folder.path);
    await shop.post("/v2/test/clock/advance", { seconds: hours * HOUR_S });
    await book.look(folder.path);
    const [paid] = await rowsBehind(
      folder.path,
      "SELECT refund_id, gateway_reference FROM simulated_refunds WHERE state = 'succeeded' ORDER BY refund_id DESC LIMIT 1",
    );
    if (paid === undefined) throw new Error(`No refund after ${before} orders.`);
    await tamper(
      folder.path,
      `UPDATE simulated_refunds SET state = 'failed' WHERE refund_id = '${String(paid["refund_id"])}'`,
    );
    await simulatedGatewayOf(shop.duka.shops.test)?.pushAgain(String(paid["gateway_reference"]));
  }),
);

/** A part of what is due is written off, and some of the goods are not wanted then. */
const sellingShort = fc.tuple(any, quantity, fc.nat({ max: 3 })).map(([at, count, gone]) =>
  step(`sell ${count} of ${at} for 2 less, of which ${gone} go back`, async (world) => {
    const { shop, variants, orders, payments } = world;
    const line_items = [{ variant_id: pick(variants, at), quantity: count }];
    const terms = { channel: "pos", payment_method: "cash_on_delivery" };
    const placed = expectSound(await shop.post("/v2/orders", { ...terms, line_items }));
    if (placed.status !== 201) return;
    orders.push({ id: placed.id, currency: "USD" });
    const amount = (placed.number("/total_minor") - 200) / 100;
    const cash = { order_id: placed.id, method: "cash_on_delivery", amount };
    const { id } = await shop.post("/v2/payments/initialize", cash);
    payments.push(id);
    must(await shop.post(`/v2/payments/${id}/confirm`, { amount }), 200);
    must(await shop.post(`/v2/orders/${placed.id}/write-off`, { amount: 2 }), 200);
    await world.book.look(world.folder.path);
    const line_item_id = placed.string("/line_items/0/id");
    const body = { line_items: [{ line_item_id, quantity: Math.min(gone, count) }] };
    const headers = { "Idempotency-Key": `short-${placed.id}` };
    if (gone > 0) must(await shop.put(`/v2/orders/${placed.id}/cancel`, body, { headers }), 200);
  }),
);

const restarting = step("restart", async (world) => {
  await world.shop[Symbol.asyncDispose]();
  world.shop = await openTestShop({ folder: world.folder });
});
const rebuilding = step("rebuild", async ({ shop }) => {
  await rebuildAnalytics(shop.test.database);
});
const looking = step("look", (world) => expectAgreement(world, { from: 0, length: 400 }));

const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: placing },
    { weight: 6, arbitrary: paying },
    { weight: 2, arbitrary: refunding },
    { weight: 1, arbitrary: cancelling },
    { weight: 2, arbitrary: cancellingPart },
    { weight: 2, arbitrary: returning },
    { weight: 2, arbitrary: fc.oneof(refundingUnit, refundingShipping) },
    { weight: 1, arbitrary: bouncing },
    { weight: 1, arbitrary: taxing },
    { weight: 2, arbitrary: writingOff },
    { weight: 2, arbitrary: sellingShort },
    { weight: 1, arbitrary: correcting },
    { weight: 2, arbitrary: fulfilling },
    { weight: 1, arbitrary: erasing },
    { weight: 4, arbitrary: waiting },
    { weight: 1, arbitrary: fc.constantFrom(restarting, rebuilding, looking) },
  ),
  { minLength: 10, maxLength: 30, size: "max" },
);

/** In slots from the start of the history. */
const ranges = fc.array(
  fc.record({ from: fc.integer({ min: -50, max: 500 }), length: fc.integer({ min: 1, max: 400 }) }),
  { minLength: 3, maxLength: 3 },
);

const somePrices = fc.constantFrom(true, true, true, false);

async function expectAgreement(
  { shop, folder, book }: World,
  { from, length }: { readonly from: number; readonly length: number },
): Promise<void> {
  const start = (slotAt(MORNING_MS) + from) * SLOT_MS;
  const range = { from: start, to: start + length * SLOT_MS };
  const span = `from=${new Date(range.from).toISOString()}&to=${new Date(range.to).toISOString()}`;
  const timezones = ["UTC", "Asia/Kathmandu", "America/New_York"];
  for (const [at, channel] of [undefined, "pos", "online_store"].entries()) {
    for (const currency of ["USD", "UGX"]) {
      const query = `currency=${currency}&timezone=${timezones[at]}&interval=hour`;
      const only = channel === undefined ? "" : `&channel=${channel}`;
      const answer = await shop.get(`/v2/analytics/summary?${span}&${query}${only}`);
      expect(figuresOf(answer.at("/currencies/0"))).toEqual(
        await directFigures(folder.path, book, { ...range, currency, channel }),
      );
      expectSeriesToAddUp(answer);
    }
  }
}

/** Over the whole history: rows do not tell when an amount was written off. */
async function expectWriteOffs({ shop, folder }: World): Promise<void> {
  for (const currency of ["USD", "UGX"]) {
    for (const channel of [undefined, "pos"]) {
      const only = channel === undefined ? "" : `&channel=${channel}`;
      const span = "from=2026-01-01&to=2026-12-01&interval=month";
      const answer = await shop.get(`/v2/analytics/summary?${span}&currency=${currency}${only}`);
      expect(answer.at("/currencies/0/revenue/written_off_minor")).toBe(
        await writtenOffIn(folder.path, { currency, channel }),
      );
    }
  }
}

function expectSeriesToAddUp(answer: Answered): void {
  const points = answer.list("/currencies/0/series").map(Object);
  const sum = (name: string) => points.reduce((total, point) => total + Number(point[name]), 0);
  expect([sum("placed"), sum("orders"), sum("net_minor"), sum("total_minor")]).toEqual(
    ["orders/placed", "orders/paid", "revenue/net_minor", "revenue/total_minor"].map((name) =>
      answer.number(`/currencies/0/${name}`),
    ),
  );
}

/** Prices in both currencies. */
const both = (usd: number) => [
  { currency: "USD", amount: usd },
  { currency: "UGX", amount: usd * 3_600 },
];

/** Gives the shop rates, discounts and a way to ship; returns its id. */
async function openPrices(shop: TestShop, food: string | undefined): Promise<string> {
  await shop.put("/v2/store", { country: "GH", shipping_tax: "as_goods" });
  for (const [name, tax_class, rate] of [
    ["VAT", "standard", 15],
    ["Levy", "standard", 2.5],
    ["VAT", "food", 7.3333],
  ]) {
    must(await shop.post("/v2/tax-rates", { country: "GH", name, tax_class, rate }), 201);
  }
  must(await shop.put(`/v2/products/${food}`, { tax_class: "food" }), 200);
  const tiers = [{ from: 0, amounts: both(4.5) }];
  const rider = await shipTo(shop, ["GH"], { tiers, free_over: both(60) });
  const stackable = { stackable: true };
  await discount(shop, { codes: ["TENTH"], ...stackable });
  await discount(shop, {
    codes: ["LINES"],
    target: "lines",
    amounts: both(1.33),
    per: "unit",
    ...stackable,
  });
  await discount(shop, { codes: ["SHIP"], target: "shipping", percent: 30 });
  return rider;
}

async function openWorld(folder: ScratchFolder, hasPrices: boolean): Promise<World> {
  const shop = await openTestShop({ folder });
  const variants: string[] = [];
  let food: string | undefined;
  for (const name of ["Mug", "Kanga", "Basket"]) {
    const prices = [
      { currency: "USD", amount: 12.5 },
      { currency: "UGX", amount: 45_000 },
    ];
    const variant = { sku: name.toUpperCase(), prices, stock: 1_000 };
    const made = await shop.post("/v2/products", { name, variants: [variant] });
    food = made.id;
    variants.push(made.string("/variants/0/id"));
  }
  const customers: string[] = [];
  for (const email of ["ada@example.com", "esi@example.com", "kofi@example.com"]) {
    customers.push((await shop.post("/v2/customers", { email })).id);
  }
  const rider = hasPrices ? await openPrices(shop, food) : null;
  const book = new SalesBook();
  return { folder, shop, variants, rider, customers, orders: [], payments: [], book };
}

test("a summary equals the sums of the shop's own rows after any history", async () => {
  await fc.assert(
    fc.asyncProperty(steps, ranges, somePrices, async (taken, spans, hasPrices) => {
      using folder = openScratchFolder();
      const world = await openWorld(folder, hasPrices);
      try {
        for (const { take } of taken) {
          await take(world);
          // A refund that a step left to a timer comes before the look, not after it.
          await settle(world.shop);
          await world.book.look(folder.path);
        }
        for (const range of spans) await expectAgreement(world, range);
        await expectAgreement(world, { from: -100, length: 3_000 });
        await expectWriteOffs(world);
        const { database } = world.shop.test;
        expect(await Array.fromAsync(auditAnalytics(database.read))).toEqual([]);
        await rebuildAnalytics(database);
        await expectWriteOffs(world);
        for (const range of spans) await expectAgreement(world, range);
      } finally {
        await world.shop[Symbol.asyncDispose]();
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
}, 120_000);
