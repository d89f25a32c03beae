// Lookup: compares orders with their lines, breakdowns and fulfillments, with reserved stock, with the
// order counts of customers, and with their events. Every figure is computed anew from the rows, which
// are read in pages.

import { walkLevels } from "#catalog/inventory/lookups.ts";
import { findCustomer } from "#customers/lookups.ts";
import { isObject } from "#kernel/assume.ts";
import type { Difference } from "#kernel/difference.ts";
import type { Id } from "#kernel/id.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import { eventsAfter, type LoggedEvent } from "#platform/event-log/event-log.ts";
import { findLogCursor } from "#platform/event-log/log-cursors.ts";
import { type Breakdown, discountOfLine, sumsOf, taxOfLine } from "#pricing/quote/breakdown.ts";
import { dueOf, isDone, type PaidTotals, paymentStatusOf } from "#sales/rows/balance.ts";
import { CONSUMER, findOrdersAfter, listedLinesAfter } from "#sales/rows/line-index-queries.ts";
import type { OrderStatus } from "#sales/rows/order-life.ts";
import {
  fulfillmentStatusOf,
  type Order,
  type OrderLine,
  type WholeOrder,
} from "#sales/rows/order.ts";
import {
  findWholeOrders,
  openUnitsAfter,
  orderCountsAfter,
  orderRowsAfter,
} from "#sales/rows/queries.ts";
import { creditedOf } from "#sales/rows/sale.ts";

import { breakdownFigures, expectedBreakdown, type Figure } from "./breakdown-figures.ts";

const ORDERS_AT_ONCE = 500;
/** Large, because each page reads every open order. */
const VARIANTS_AT_ONCE = 10_000;
const CUSTOMERS_AT_ONCE = 1000;

/**
 * Yields each figure of an order that does not follow from its lines, breakdown and fulfillments, each fact
 * without exactly one event, each variant whose reserved units are not the open units of its
 * orders, and each customer with a wrong order count. The Reader has to be of one instant.
 */
export async function* auditOrders(db: Reader): AsyncGenerator<Difference> {
  for await (const whole of walkOrders(db)) {
    yield* wrongFigures(whole);
    yield* wrongAnnouncements(db, whole.order);
  }
  yield* wrongReservations(db);
  yield* wrongCounts(db);
}

async function* walkOrders(db: Reader): AsyncGenerator<WholeOrder> {
  for (let id = ""; ;) {
    await nextTurn();
    const rows: Order[] = await orderRowsAfter(db, { id, rows: ORDERS_AT_ONCE });
    yield* await findWholeOrders(db, rows);
    const last = rows.at(-1);
    if (last === undefined) return;
    id = last.id;
  }
}

/** One event for each fact: placed for every order, the others once they happened. */
async function* wrongAnnouncements(db: Reader, order: Order): AsyncGenerator<Difference> {
  const facts = [
    ["order.placed", true],
    ["order.paid", order.paidAt !== null],
    ["order.fulfilled", order.fulfilledAt !== null],
    ["order.cancelled", order.cancelledAt !== null],
  ] as const;
  const name = facts.map(([fact]) => fact);
  const found = await eventsAfter(db, { after: 0, limit: 100, subject: order.id, name });
  for (const [fact, happened] of facts) {
    const times = found.filter((event) => event.name === fact).length;
    const expected = happened ? 1 : 0;
    if (times === expected) continue;
    yield { subject: order.id, what: `${fact} events`, expected, found: times };
  }
  yield* wrongSale(db, order, found);
}

/** Changes of one order that are read for what they take off its sale. */
const CHANGES_MAX = 10_000;

/** The sale is what `order.paid` announced, less what changes of the order announced to be sold no more. */
async function* wrongSale(
  db: Reader,
  { id: subject, saleTotalMinor: found }: Order,
  announced: readonly LoggedEvent[],
): AsyncGenerator<Difference> {
  const paid = announced.find((event) => event.name === "order.paid");
  const soldMinor = paid === undefined ? null : amountIn(payloadOf(paid), "total_minor");
  if (found === null || soldMinor === null || found === soldMinor) return;
  const name = ["order.updated"];
  const changes = await eventsAfter(db, { after: 0, limit: CHANGES_MAX, subject, name });
  const expected = changes.reduce(
    (left, one) => left - (amountIn(payloadOf(one)["sale_reduction"], "amount_minor") ?? 0),
    soldMinor,
  );
  if (found !== expected) yield { subject, what: "sale_total_minor", expected, found };
}

function payloadOf({ data }: LoggedEvent): Readonly<Record<string, unknown>> {
  const payload: unknown = JSON.parse(data);
  return isObject(payload) ? payload : {};
}

/** The amount of that name; null where an event of an older version has none. */
function amountIn(part: unknown, name: string): number | null {
  const amount = isObject(part) ? part[name] : undefined;
  return typeof amount === "number" ? amount : null;
}

interface OpenUnits {
  readonly variantId: Id<"variant">;
  readonly units: number;
}

/** Merges inventory levels and open units, both in the order of variants. */
async function* wrongReservations(db: Reader): AsyncGenerator<Difference> {
  const demands = walkOpenUnits(db);
  let demand = await nextOf(demands);
  for await (const { variantId, reserved } of walkLevels(db)) {
    for (; demand !== null && demand.variantId < variantId; demand = await nextOf(demands)) {
      yield withoutLevel(demand);
    }
    const units: number = demand?.variantId === variantId ? demand.units : 0;
    if (units !== reserved) {
      yield {
        subject: variantId,
        what: "reserved for open orders",
        expected: units,
        found: reserved,
      };
    }
    if (demand?.variantId === variantId) demand = await nextOf(demands);
  }
  for (; demand !== null; demand = await nextOf(demands)) yield withoutLevel(demand);
}

async function* walkOpenUnits(db: Reader): AsyncGenerator<OpenUnits> {
  for (let variantId = ""; ;) {
    await nextTurn();
    const rows: OpenUnits[] = await openUnitsAfter(db, { variantId, rows: VARIANTS_AT_ONCE });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    variantId = last.variantId;
  }
}

async function nextOf(demands: AsyncGenerator<OpenUnits>): Promise<OpenUnits | null> {
  const step = await demands.next();
  return step.done === true ? null : step.value;
}

function withoutLevel({ variantId, units }: OpenUnits): Difference {
  return { subject: variantId, what: "reserved for open orders", expected: units, found: "none" };
}

async function* wrongCounts(db: Reader): AsyncGenerator<Difference> {
  for (let customerId = ""; ;) {
    await nextTurn();
    const rows = await orderCountsAfter(db, { customerId, rows: CUSTOMERS_AT_ONCE });
    for (const { customerId: subject, count: expected } of rows) {
      if (subject === null) continue;
      customerId = subject;
      const found = (await findCustomer(db, subject))?.ordersCount ?? "no customer";
      if (found !== expected) yield { subject, what: "orders_count", expected, found };
    }
    if (rows.length === 0) return;
  }
}

/** Every figure of the order that does not follow from its lines, breakdown and fulfillments. */
function wrongFigures(whole: WholeOrder): Difference[] {
  const { order, lines } = whole;
  const shipped = shippedUnits(whole);
  const breakdown = expectedBreakdown(order, lines);
  const ofLines = lines.flatMap((line) => {
    const units = shipped.get(line.id) ?? 0;
    shipped.delete(line.id);
    return differing(line.id, lineFigures(line, { units, breakdown, order }));
  });
  const unknownLines = [...shipped.keys()].flatMap((id) =>
    differing(order.id, [["line item of a fulfillment", "one of the order", id]]),
  );
  const ofOrder = [
    ...orderFigures({ ...order, breakdown }, lines),
    ...breakdownFigures(order, lines, breakdown),
  ];
  return [...differing(order.id, ofOrder), ...ofLines, ...unknownLines];
}

function differing(subject: string, figures: readonly Figure[]): Difference[] {
  return figures
    .filter(([, expected, found]) => expected !== found)
    .map(([what, expected, found]) => ({ subject, what, expected, found }));
}

function orderFigures(order: Order, lines: readonly OrderLine[]): Figure[] {
  const { shippingMinor, breakdown } = order;
  const subtotalMinor = lines.reduce((sum, line) => sum + line.subtotalMinor, 0);
  const totals = sumsOf({ subtotalMinor, shippingMinor }, breakdown);
  const fulfillmentStatus = fulfillmentStatusOf(lines);
  const creditedMinor = creditedOf(order, lines);
  return [
    ["subtotal_minor", totals.subtotalMinor, order.subtotalMinor],
    ["discount_total_minor", totals.discountMinor, order.discountMinor],
    ["tax_total_minor", totals.taxMinor, order.taxMinor],
    ["total_minor", totals.totalMinor, order.totalMinor],
    ["credited_total_minor", creditedMinor, order.creditedMinor],
    [
      "payment_status",
      paymentStatusOf({ ...order, ...totals, creditedMinor }),
      order.paymentStatus,
    ],
    ["due_minor", dueOf(order), order.dueMinor],
    ["fulfillment_status", fulfillmentStatus, order.fulfillmentStatus],
    ["status", statusOf({ ...order, ...totals, fulfillmentStatus }), order.status],
    ["placed by", placerOf(order, mayBeStrangers(order)), placerOf(order, true)],
    ["line items", "one or more", lines.length === 0 ? "none" : "one or more"],
  ];
}

function placerOf({ isStrangers }: Pick<Order, "isStrangers">, mayBe: boolean): string {
  return isStrangers && mayBe ? "a stranger" : "no stranger";
}

/** Only publishable keys place orders of strangers, and the first payment ends it. */
function mayBeStrangers({ isFromPublicKey, paidMinor }: Order): boolean {
  return isFromPublicKey && paidMinor === 0;
}

/**
 * Only a command cancels an order; every other order is completed if it is done, else open. One that was completed
 * stays so if a payment is corrected to less.
 */
function statusOf(order: Order): OrderStatus {
  if (order.status === "cancelled") return "cancelled";
  if (isDone(order)) return "completed";
  const isShort = order.paidAt !== null && order.fulfillmentStatus === "fulfilled";
  return isShort ? order.status : "open";
}

interface Behind {
  readonly order: Order;
  /** Units that the fulfillments list. */
  readonly units: number;
  readonly breakdown: Breakdown | null;
}

function lineFigures(
  line: OrderLine,
  { units: shippedUnitsOfLine, breakdown, order }: Behind,
): Figure[] {
  const subtotalMinor = line.unitPriceMinor * line.quantity;
  const discountMinor = discountOfLine(breakdown, line.position);
  const taxMinor = taxOfLine(breakdown, line.position);
  return [
    ["subtotal_minor", subtotalMinor, line.subtotalMinor],
    ["discount_total_minor", discountMinor, line.discountMinor],
    ["tax_total_minor", taxMinor, line.taxMinor],
    ["total_minor", subtotalMinor - discountMinor + taxMinor, line.totalMinor],
    ["fulfilled_quantity", shippedUnitsOfLine, line.fulfilledQuantity],
    ["held by", placerOf(order, true), placerOf(line, true)],
  ];
}

/** The units of each line, by its id, that the fulfillments list. */
function shippedUnits({ fulfillments }: WholeOrder): Map<string, number> {
  const units = new Map<string, number>();
  for (const { lineItemId, quantity } of fulfillments.flatMap(({ lines }) => lines)) {
    units.set(lineItemId, (units.get(lineItemId) ?? 0) + quantity);
  }
  return units;
}

const PAGE_ROWS = 500;

/** The sums of the payments and refunds of an order. */
export type MoneyTotals = PaidTotals & Pick<Order, "saleRefundingMinor" | "keptRefundingMinor">;

const namesOfTotals: readonly (readonly [keyof MoneyTotals, string])[] = [
  ["paidMinor", "paid_total"],
  ["refundingMinor", "refunding_total"],
  ["refundedMinor", "refunded_total"],
  ["openAttempts", "open attempts"],
  ["paymentsInReview", "payments in review"],
  ["saleRefundingMinor", "refunds of the sale"],
  ["keptRefundingMinor", "refunds of what was kept before it"],
];

/** Yields each paid total of an order that differs from `expectedOf`. */
export async function* auditPaidTotals(
  db: Reader,
  expectedOf: (id: Id<"order">) => Promise<MoneyTotals>,
): AsyncGenerator<Difference> {
  for (let after = ""; ;) {
    await nextTurn();
    const orders = await orderRowsAfter(db, { id: after, rows: PAGE_ROWS });
    for (const order of orders) yield* compare(order, await expectedOf(order.id));
    after = orders.at(-1)?.id ?? after;
    if (orders.length < PAGE_ROWS) return;
  }
}

function* compare(order: Order, expected: MoneyTotals): Generator<Difference> {
  for (const [field, what] of namesOfTotals) {
    if (order[field] === expected[field]) continue;
    yield {
      subject: order.id,
      what,
      expected: expected[field],
      found: order[field],
    };
  }
}

const LINES_AT_ONCE = 1_000;

/**
 * Yields each product or SKU of a line by which its order is not found, of the orders that the index writer has passed.
 * A term without a line is no fault: lists look at the lines. Needs a Reader of one snapshot.
 */
export async function* auditLineIndex(db: Reader): AsyncGenerator<Difference> {
  const waiting = await findOrdersAfter(db, await findLogCursor(db, CONSUMER));
  for (let place = { orderId: "", position: 0 }; ;) {
    await nextTurn();
    const lines = await listedLinesAfter(db, { ...place, rows: LINES_AT_ONCE });
    for (const { orderId, productId, sku, listedProduct, listedSku } of lines) {
      if (waiting.has(orderId)) continue;
      if (productId !== listedProduct) yield missing(orderId, "product", productId);
      if (sku !== listedSku) yield missing(orderId, "SKU", sku);
    }
    const last = lines.at(-1);
    if (last === undefined) return;
    place = last;
  }
}

function missing(subject: string, kind: string, expected: string | null): Difference {
  return {
    subject,
    what: `${kind} that finds the order`,
    expected: expected ?? "none",
    found: "none",
  };
}
