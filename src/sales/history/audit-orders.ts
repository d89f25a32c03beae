// Lookup: whether orders agree with themselves, with the stock they reserve, with the customers who
// placed them, and with what was announced. Rows are read in pages, never all at once.

import { walkLevels } from "#catalog/inventory/lookups.ts";
import { findCustomer } from "#customers/lookups.ts";
import type { Difference } from "#kernel/difference.ts";
import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";
import { eventsAfter } from "#platform/event-log/event-log.ts";
import type { Order, WholeOrder } from "#sales/orders/order.ts";
import {
  findFulfillments,
  findLines,
  openUnitsAfter,
  orderCountsAfter,
  orderRowsAfter,
} from "#sales/orders/queries.ts";

import { wrongFigures } from "./wrong-figures.ts";

const ORDERS_AT_ONCE = 500;
/** Each page costs a look at every open order, so there are few. */
const VARIANTS_AT_ONCE = 10_000;
const CUSTOMERS_AT_ONCE = 1000;

/**
 * Every figure of an order that does not follow from its lines and fulfillments, every fact about
 * one that was not announced exactly once, every variant of which not exactly the open units are
 * reserved, and every customer whose orders are miscounted. Give it a Reader of one instant.
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
    const rows: Order[] = await orderRowsAfter(db, { id, rows: ORDERS_AT_ONCE });
    const ids = rows.map((order) => order.id);
    const lines = Map.groupBy(await findLines(db, ids), (line) => line.orderId);
    const fulfillments = Map.groupBy(await findFulfillments(db, ids), (one) => one.orderId);
    for (const order of rows) {
      yield {
        order,
        lines: lines.get(order.id) ?? [],
        fulfillments: fulfillments.get(order.id) ?? [],
      };
    }
    const last = ids.at(-1);
    if (last === undefined) return;
    id = last;
  }
}

/** One event per fact: placed always, the others once they happened. */
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
}

interface OpenUnits {
  readonly variantId: Id<"variant">;
  readonly units: number;
}

/** Walks levels and open units side by side; both come in the order of variants. */
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
