// The orders of some days as a file for the accounts.

import { firstIdAt, type Id } from "#kernel/id.ts";
import { dayStartMs } from "#kernel/time.ts";
import { listAttempts, listRefundsOfOrder } from "#payments/rows/lookups.ts";
import { isReturned, type Refund } from "#payments/rows/refund.ts";
import type { Reader } from "#platform/database/database.ts";
import { listOrders } from "#sales/history/list-orders.ts";
import type { Order } from "#sales/rows/order.ts";
import { getStore } from "#shop/store/lookups.ts";

import { rowsOfOrder } from "./order-rows.ts";
import type { CellsByColumn, SheetPage } from "./sheet.ts";

/** Days of the shop, such as `2026-01-31`, both included; null where nothing bounds them. */
export interface OrderDays {
  readonly from: string | null;
  readonly to: string | null;
}

const PAGE_ORDERS = 100;

/** Reads the orders that were placed on these days, newest first, after this id. */
export async function readOrderPage(
  db: Reader,
  { from, to }: OrderDays,
  after: string | null,
): Promise<SheetPage> {
  const { timezone } = await getStore(db);
  const firstIdOf = (day: string, daysLater: number): Id<"order"> =>
    firstIdAt("order", dayStartMs(day, timezone, daysLater));
  const { rows, hasMore } = await listOrders(
    db,
    {
      from: from === null ? undefined : firstIdOf(from, 0),
      below: to === null ? undefined : firstIdOf(to, 1),
    },
    { limit: PAGE_ORDERS, after },
  );
  const cells: CellsByColumn[] = [];
  for (const { order } of rows) {
    cells.push(...rowsOfOrder({ order, refunds: await returnedOf(db, order), timezone }));
  }
  return { rows: cells, after: hasMore ? (rows.at(-1)?.order.id ?? null) : null };
}

/** Returns true if the text is a day such as `2026-01-31`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  try {
    Temporal.PlainDate.from(text, { overflow: "reject" });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The refunds that `refunded` of the order has: those of money that counted as paid. */
async function returnedOf(db: Reader, { id, currency, refundedMinor }: Order): Promise<Refund[]> {
  if (refundedMinor === 0) return [];
  const captured = (await listAttempts(db, id)).filter(({ capturedMinor }) => capturedMinor > 0);
  const ids = new Set<string>(captured.map((payment) => payment.id));
  return (await listRefundsOfOrder(db, id)).filter(
    (refund) => isReturned(refund) && refund.currency === currency && ids.has(refund.paymentId),
  );
}
