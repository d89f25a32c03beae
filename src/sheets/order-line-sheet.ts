// The lines of the orders of some days as a file for the workshop and for statistics: a row for each line.

import { formatAmount } from "#kernel/money.ts";
import { dayAt } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import { taxClassOfLine } from "#pricing/quote/breakdown.ts";
import { listOrders } from "#sales/history/list-orders.ts";
import type { WholeOrder } from "#sales/rows/order.ts";
import { getStore } from "#shop/store/lookups.ts";

import { type OrderDays, PAGE_ORDERS, spanOf } from "./order-sheet.ts";
import type { CellsByColumn, SheetPage } from "./sheet.ts";

/** The columns of the file, in their order. */
export const orderLineColumns = [
  "order_number",
  "date",
  "status",
  "payment_status",
  "channel",
  "currency",
  "sku",
  "name",
  "product_slug",
  "variant_title",
  "quantity",
  "cancelled",
  "fulfilled",
  "returned",
  "unit_price",
  "subtotal",
  "discount",
  "tax",
  "total",
  "metadata",
  "tax_class",
  "product_id",
  "variant_id",
  "order_id",
  "id",
] as const;

type LineCells = Record<(typeof orderLineColumns)[number], string>;

function rowsOfOrder({ order, lines }: WholeOrder, timezone: string): LineCells[] {
  const print = (minor: number) => formatAmount(minor, order.currency);
  return lines.map((line) => ({
    order_number: String(order.number),
    date: dayAt(order.createdAt, timezone),
    status: order.status,
    payment_status: order.paymentStatus,
    channel: order.channel,
    currency: order.currency,
    sku: line.sku ?? "",
    name: line.name,
    product_slug: line.shown?.slug ?? "",
    variant_title: line.shown?.title ?? "",
    quantity: String(line.quantity),
    cancelled: String(line.cancelledQuantity),
    fulfilled: String(line.fulfilledQuantity),
    returned: String(line.returnedQuantity),
    unit_price: print(line.unitPriceMinor),
    subtotal: print(line.subtotalMinor),
    discount: print(line.discountMinor),
    tax: print(line.taxMinor),
    total: print(line.totalMinor),
    metadata: Object.keys(line.metadata).length === 0 ? "" : JSON.stringify(line.metadata),
    tax_class: taxClassOfLine(order.breakdown, line.position) ?? "",
    product_id: line.productId ?? "",
    variant_id: line.variantId ?? "",
    order_id: order.id,
    id: line.id,
  }));
}

/** Reads the lines of the orders that were placed on these days, newest order first, after the order of this id. */
export async function readOrderLinePage(
  db: Reader,
  days: OrderDays,
  after: string | null,
): Promise<SheetPage> {
  const { timezone } = await getStore(db);
  const page = { limit: PAGE_ORDERS, after };
  const { rows, hasMore, end } = await listOrders(db, spanOf(days, timezone), page);
  const cells = rows.flatMap((whole): CellsByColumn[] => rowsOfOrder(whole, timezone));
  return { rows: cells, after: hasMore ? (end ?? rows.at(-1)?.order.id ?? null) : null };
}
