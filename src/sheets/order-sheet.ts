// The orders of some days as a file for the accounts: each with its refunds in rows, one for each tax, or one without
// any. Invariant: each column of amounts adds up to that of the orders, since what belongs to the order itself stands
// on its first row alone.

import { firstIdAt, type Id } from "#kernel/id.ts";
import { formatAmount, percentOf } from "#kernel/money.ts";
import { dayAt, dayStartMs } from "#kernel/time.ts";
import { listAttempts, listRefundsOfOrder } from "#payments/rows/lookups.ts";
import { isReturned, type Refund } from "#payments/rows/refund.ts";
import type { Reader } from "#platform/database/database.ts";
import type { TaxLine } from "#pricing/calculation/sale.ts";
import { listOrders } from "#sales/history/list-orders.ts";
import type { OrderSpan } from "#sales/history/order-filters.ts";
import type { Order } from "#sales/rows/order.ts";
import { getStore } from "#shop/store/lookups.ts";

import type { CellsByColumn, SheetPage } from "./sheet.ts";

/** The columns of the file, in their order. */
export const orderColumns = [
  "row",
  "order_number",
  "date",
  "paid_on",
  "status",
  "payment_status",
  "customer",
  "email",
  "customer_tax_id",
  "channel",
  "payment_method",
  "currency",
  "goods",
  "discount",
  "shipping",
  "net",
  "tax_total",
  "total",
  "credited",
  "kept",
  "written_off",
  "paid",
  "refunded",
  "tax",
  "rate_percent",
  "tax_country",
  "tax_region",
  "included",
  "taxable",
  "tax_amount",
  "id",
] as const;

type OrderCells = Partial<Record<(typeof orderColumns)[number], string>>;

/** The part of a tax that the rows have, of a sale and of a refund. */
type Taxed = Pick<TaxLine, "rate" | "isIncluded" | "taxableMinor" | "amountMinor">;

interface AccountedOrder {
  readonly order: Order;
  /** Those whose money the customer has, in the currency of the order. */
  readonly refunds: readonly Refund[];
  /** The time zone of the shop. */
  readonly timezone: string;
}

/** The rows of the sale, then those of each refund, whose amounts are below zero. */
function rowsOfOrder({ order, refunds, timezone }: AccountedOrder): CellsByColumn[] {
  const { customer, currency } = order;
  const known: OrderCells = {
    order_number: String(order.number),
    paid_on: order.paidAt === null ? "" : dayAt(order.paidAt, timezone),
    status: order.status,
    payment_status: order.paymentStatus,
    customer: customer?.name ?? "",
    email: customer?.email ?? "",
    customer_tax_id: order.taxId ?? "",
    channel: order.channel,
    payment_method: order.paymentMethod,
    currency,
  };
  const sale = { ...known, row: "sale", id: order.id, date: dayAt(order.createdAt, timezone) };
  const taxes = order.breakdown?.taxes ?? [];
  return [
    ...withTaxes({ ...sale, ...sumsOf(order) }, sale, taxesOf(taxes, 1, order)),
    ...refunds.flatMap((refund) => {
      const date = dayAt(refund.succeededAt ?? refund.closedAt ?? refund.updatedAt, timezone);
      const row = { ...known, row: "refund", id: refund.id, date };
      const sums = netAndTax(-refund.amountMinor, -taxIn(refund.taxes), order);
      return withTaxes({ ...row, ...sums }, row, taxesOf(refund.taxes, -1, order));
    }),
  ];
}

function withTaxes(
  first: OrderCells,
  further: OrderCells,
  [tax, ...taxes]: readonly OrderCells[],
): CellsByColumn[] {
  return [{ ...first, ...tax }, ...taxes.map((one) => ({ ...further, ...one }))];
}

type Money = Pick<Order, "currency">;

function sumsOf(order: Order): OrderCells {
  const print = (minor: number) => formatAmount(minor, order.currency);
  return {
    goods: print(order.subtotalMinor),
    discount: print(order.discountMinor),
    shipping: print(order.shippingMinor),
    ...netAndTax(order.totalMinor, taxIn(order.breakdown?.taxes ?? []), order),
    credited: print(order.creditedMinor),
    kept: print(order.keptMinor),
    written_off: print(order.writtenOffMinor),
    paid: print(order.paidMinor),
    refunded: print(order.refundedMinor),
  };
}

function netAndTax(totalMinor: number, taxMinor: number, { currency }: Money): OrderCells {
  return {
    net: formatAmount(totalMinor - taxMinor, currency),
    tax_total: formatAmount(taxMinor, currency),
    total: formatAmount(totalMinor, currency),
  };
}

/** All taxes, on top of the prices and inside of them. */
function taxIn(taxes: readonly Pick<Taxed, "amountMinor">[]): number {
  return taxes.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

function taxesOf(taxes: readonly Taxed[], sign: 1 | -1, { currency }: Money): OrderCells[] {
  return taxes
    .filter(({ taxableMinor, amountMinor }) => taxableMinor + amountMinor > 0)
    .map(({ rate, isIncluded, taxableMinor, amountMinor }) => ({
      tax: rate.name,
      rate_percent: String(percentOf(rate.millionths)),
      tax_country: rate.country,
      tax_region: rate.region ?? "",
      included: String(isIncluded),
      taxable: formatAmount(sign * taxableMinor, currency),
      tax_amount: formatAmount(sign * amountMinor, currency),
    }));
}

/** Days of the shop, such as `2026-01-31`, both included; null where nothing bounds them. */
export interface OrderDays {
  readonly from: string | null;
  readonly to: string | null;
}

/** Orders that are read together. */
export const PAGE_ORDERS = 100;

/** Reads the orders that were placed on these days, newest first, after this id. */
export async function readOrderPage(
  db: Reader,
  days: OrderDays,
  after: string | null,
): Promise<SheetPage> {
  const { timezone } = await getStore(db);
  const { rows, hasMore, end } = await listOrders(db, spanOf(days, timezone), {
    limit: PAGE_ORDERS,
    after,
  });
  const cells: CellsByColumn[] = [];
  for (const { order } of rows) {
    cells.push(...rowsOfOrder({ order, refunds: await returnedOf(db, order), timezone }));
  }
  return { rows: cells, after: hasMore ? (end ?? rows.at(-1)?.order.id ?? null) : null };
}

/** The orders of the days, as a list is asked for them. */
export function spanOf({ from, to }: OrderDays, timezone: string): OrderSpan {
  const firstIdOf = (day: string, daysLater: number): Id<"order"> =>
    firstIdAt("order", dayStartMs(day, timezone, daysLater));
  return {
    from: from === null ? undefined : firstIdOf(from, 0),
    below: to === null ? undefined : firstIdOf(to, 1),
  };
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
