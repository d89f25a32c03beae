// Sales of which a part was written off, with units that go back and money that comes and goes in any order: revenue is
// always what the customer keeps, as far as it is paid for or written off, and of a sale without goods no tax is left.

import { expect, test } from "bun:test";

import fc from "fast-check";

import { auditAnalytics } from "#analytics/summary/audit-analytics.ts";

import { auditsOf } from "../payments/refund-counter.ts";
import {
  inMajor,
  must,
  openTaxedShop,
  pay,
  refund,
  sellFor,
  stocked,
  takeBack,
} from "../payments/refunds/taxed-sales.ts";
import { initialize, settle } from "../payments/scripted-shop.ts";
import { runs } from "../support/runs.ts";
import type { Answered, TestShop } from "../support/shop.ts";
import { summary } from "./counter.ts";

const rates = [
  { name: "VAT", rate: 15 },
  { name: "Levy", rate: 2.5 },
  { name: "VAT", rate: 7.3333, tax_class: "books" },
];

/** Hands over what waits for a person. */
async function handOver(shop: TestShop): Promise<void> {
  await settle(shop);
  const waiting = must(await shop.get("/v2/refunds?status=needs_attention"), 200);
  for (const [index] of waiting.list("/data").entries()) {
    must(await shop.post(`/v2/refunds/${waiting.string(`/data/${index}/id`)}/close`), 200);
  }
}

async function revenueOf(shop: TestShop): Promise<number> {
  return (await summary(shop)).number("/currencies/0/revenue/total_minor");
}

/** What the customer keeps with what is kept of their money, and how much of it is paid or written off. */
async function figuresOf(shop: TestShop, { id }: Answered) {
  const order = must(await shop.get(`/v2/orders/${id}`), 200);
  const minor = (name: string) => order.number(`/${name}_total_minor`);
  const keptMinor = order.number("/total_minor") - minor("credited") + minor("kept");
  const coveredMinor = minor("paid") - minor("refunding") + minor("written_off");
  return { keptMinor, coveredMinor };
}

/** The taxes that are not refunded. */
async function taxesOf(shop: TestShop): Promise<number[]> {
  const taxes = (await summary(shop)).list("/currencies/0/taxes").map(Object);
  return taxes.flatMap((one) => [
    one.tax_minor - one.refunded_minor,
    one.taxable_minor - one.refunded_taxable_minor,
  ]);
}

const few = fc.integer({ min: 0, max: 2 });
const anyUnits = fc.tuple(few, few);
const money = (most: number) => fc.integer({ min: 1, max: most }).map(inMajor);
const piece = fc.oneof(
  fc.record({ act: fc.constant("refund"), units: anyUnits }),
  fc.record({ act: fc.constant("refund"), units: anyUnits, amount: money(9_000) }),
  fc.record({ act: fc.constant("refund"), amount: money(9_000) }),
  fc.record({ act: fc.constant("refund"), shipping: money(600) }),
  fc.record({ act: fc.constant("return"), units: anyUnits, refund: fc.boolean() }),
  fc.record({ act: fc.constant("cancel"), units: anyUnits, refund: fc.boolean() }),
  fc.record({ act: fc.constant("late"), amount: money(6_000) }),
);

let cancelled = 0;

interface Sale {
  readonly order: Answered;
  readonly late: Answered;
}

/** Does what the piece says, if the shop lets it. */
function take(
  shop: TestShop,
  { order, late }: Sale,
  { act, ...asked }: { readonly act: string; readonly [field: string]: unknown },
): Promise<Answered> {
  if (act === "late") return shop.post(`/v2/payments/${late.id}/confirm`, asked);
  if (act === "refund") return refund(shop, order, asked);
  if (act === "return") return takeBack(shop, order, asked);
  const { units, ...terms } = asked;
  const line_items = order
    .list("/line_items")
    .map((line, index) => ({ line_item_id: Object(line).id, quantity: Object(units)[index] }))
    .filter(({ quantity }) => quantity > 0);
  const headers = { "Idempotency-Key": `cancel-${(cancelled += 1)}` };
  return shop.put(`/v2/orders/${order.id}/cancel`, { line_items, ...terms }, { headers });
}

/** One of these takes the units of a line that are left. */
const rests = [
  [2, 0],
  [1, 0],
  [0, 3],
  [0, 2],
  [0, 1],
] as const;

const sale = fc.record({
  isShipped: fc.boolean(),
  isIncluded: fc.boolean(),
  prices: fc.tuple(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: 1, max: 9_999 })),
  /** In percent. */
  givenUp: fc.integer({ min: 1, max: 99 }),
  pieces: fc.array(piece, { minLength: 1, maxLength: 6 }),
});

type Sold = typeof sale extends fc.Arbitrary<infer Given> ? Given : never;
type Piece = Sold["pieces"][number];

/** Sells two cups and three novels, of which a part is written off. Money may still come by the other payment. */
async function sellShort(shop: TestShop, { isShipped, prices, givenUp }: Sold) {
  const cup = await stocked(shop, "Cup", { price: inMajor(prices[0]) });
  const novel = await stocked(shop, "Novel", { price: inMajor(prices[1]), tax_class: "books" });
  const lines = [
    [cup, 2],
    [novel, 3],
  ] as const;
  // The way of what was shipped stays sold.
  const shipping = isShipped ? null : { label: "Courier", amount: "5.00" };
  const order = await sellFor(shop, lines, { amounts: [], ...(shipping && { shipping }) });
  const totalMinor = order.number("/total_minor");
  const givenUpMinor = Math.min(totalMinor - 1, Math.ceil((totalMinor * givenUp) / 100));
  const late = await initialize(shop, { order_id: order.id, method: "cash" });
  await pay(shop, order, inMajor(totalMinor - givenUpMinor));
  const amount = inMajor(givenUpMinor);
  must(await shop.post(`/v2/orders/${order.id}/write-off`, { amount }), 200);
  if (isShipped) must(await shop.put(`/v2/orders/${order.id}/fulfill`), 200);
  return { order, late };
}

/**
 * Whether the books tell it: money after a refund of more than was credited is no sale again, and what a refund names
 * is of the sale though more was paid than it.
 */
function isTold(one: Piece, { keptMinor, coveredMinor }: Awaited<ReturnType<typeof figuresOf>>) {
  if (one.act === "late") return coveredMinor >= keptMinor;
  const isNamed = "shipping" in one || ("units" in one && "amount" in one);
  return !isNamed || coveredMinor <= keptMinor;
}

test("revenue and taxes are what is sold in the end, whatever becomes of goods and money", async () => {
  await fc.assert(
    fc.asyncProperty(sale, async (sold) => {
      const store = { prices_include_tax: sold.isIncluded, shipping_tax: "standard" };
      await using shop = await openTaxedShop({ rates, store });
      const { order, late } = await sellShort(shop, sold);

      for (const one of sold.pieces) {
        if (!isTold(one, await figuresOf(shop, order))) continue;
        const done = await take(shop, { order, late }, one);
        expect([200, 201, 409, 422]).toContain(done.status);
        await handOver(shop);
        const { keptMinor, coveredMinor } = await figuresOf(shop, order);
        expect(await revenueOf(shop)).toBe(Math.min(keptMinor, coveredMinor));
        expect(await auditsOf(shop)).toEqual([]);
      }

      const act = sold.isShipped ? "return" : "cancel";
      for (const units of rests) await take(shop, { order, late }, { act, units });
      await refund(shop, order);
      await handOver(shop);
      const isTaxed = (await taxesOf(shop)).some((minor) => minor !== 0);
      expect([await revenueOf(shop), isTaxed]).toEqual([0, false]);
      expect(await auditsOf(shop)).toEqual([]);
      expect(await Array.fromAsync(auditAnalytics(shop.test.database.read))).toEqual([]);
    }),
    { numRuns: runs(8) },
  );
}, 120_000);
