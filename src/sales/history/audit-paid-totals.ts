// Lookup: compares the paid totals of all orders with those that payments compute. Rows are read in
// pages.

import type { Difference } from "#kernel/difference.ts";
import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";
import type { PaidTotals } from "#sales/balance/paid-totals.ts";
import type { Order } from "#sales/orders/order.ts";
import { orderRowsAfter } from "#sales/orders/queries.ts";

const PAGE_ROWS = 500;

const namesOfTotals: readonly (readonly [keyof PaidTotals, string])[] = [
  ["paidMinor", "paid_total"],
  ["refundingMinor", "refunding_total"],
  ["refundedMinor", "refunded_total"],
  ["openAttempts", "open attempts"],
  ["paymentsInReview", "payments in review"],
];

/** Yields each paid total of an order that differs from `expectedOf`. */
export async function* auditPaidTotals(
  db: Reader,
  expectedOf: (id: Id<"order">) => Promise<PaidTotals>,
): AsyncGenerator<Difference> {
  for (let after = ""; ;) {
    const orders = await orderRowsAfter(db, { id: after, rows: PAGE_ROWS });
    for (const order of orders) yield* compare(order, await expectedOf(order.id));
    after = orders.at(-1)?.id ?? after;
    if (orders.length < PAGE_ROWS) return;
  }
}

function* compare(order: Order, expected: PaidTotals): Generator<Difference> {
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
