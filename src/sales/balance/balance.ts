// The rules of an order's money: what is owed, what is due, what comes back, and the payment status that follows.
// Invariant: what is owed is never below zero, and the credits of a line add up to exactly its total.

import { allocate, percentUp } from "#kernel/money.ts";
import type { PaymentStatus } from "#sales/orders/order-life.ts";
import type { Order, OrderLine } from "#sales/orders/order.ts";

type Money = Pick<Order, "paidMinor" | "refundingMinor">;
type Sold = Pick<Order, "totalMinor" | "creditedMinor" | "keptMinor" | "writtenOffMinor">;
type Deposit = Pick<Order, "depositPercent">;
type Announced = Pick<Order, "status" | "paidAt">;

/** Captured money less every refund that did not fail. */
export function netOf({ paidMinor, refundingMinor }: Money): number {
  return paidMinor - refundingMinor;
}

/** What the customer owes in all: the total less what was credited and written off, and what the merchant keeps. */
export function owedOf(order: Sold): number {
  return order.totalMinor - order.creditedMinor + order.keptMinor - order.writtenOffMinor;
}

/**
 * The amount still to be paid. A refund after `order.paid` opens no debt; before it, a returned deposit does.
 * Nothing is due on a cancelled order.
 */
export function dueOf(order: Sold & Money & Announced): number {
  if (order.paidAt !== null || order.status === "cancelled") return 0;
  return Math.max(0, owedOf(order) - netOf(order));
}

/**
 * The amount still to be paid for the order to be kept: the shop's share of what is owed, less what is paid.
 * Zero once the share is reached, that is `net x 100 >= owed x percent`, or if nothing is due.
 */
export function depositDueOf(order: Sold & Money & Announced & Deposit): number {
  if (dueOf(order) === 0) return 0;
  return Math.max(0, percentUp(owedOf(order), order.depositPercent) - netOf(order));
}

/** Whether an open order has its deposit due, and nothing has shipped: only it expires. */
export function awaitsPayment(
  order: Sold & Money & Announced & Deposit & Pick<Order, "fulfillmentStatus">,
): boolean {
  const isWaiting = order.status === "open" && order.fulfillmentStatus === "unfulfilled";
  return isWaiting && depositDueOf(order) > 0;
}

/** Money of the order beyond what is owed. */
export function overpaidOf(order: Sold & Money): number {
  return Math.max(0, netOf(order) - owedOf(order));
}

/** Whether this is the change after which `order.paid` is emitted. */
export function becomesPaid(order: Sold & Money & Announced): boolean {
  const isOpen = order.paidAt === null && order.status !== "cancelled";
  return isOpen && dueOf(order) === 0 && (netOf(order) > 0 || order.totalMinor === 0);
}

/** Late money and returned goods reduce what was written off: it never exceeds what would be due without it. */
export function writtenOffOf(order: Sold & Money): number {
  const withoutIt = owedOf({ ...order, writtenOffMinor: 0 });
  return Math.min(order.writtenOffMinor, Math.max(0, withoutIt - netOf(order)));
}

type Standing = Sold &
  Money &
  Announced &
  Pick<Order, "refundedMinor" | "openAttempts" | "paymentsInReview">;

/** Computes `payment_status`. The order of the tests matters: the first match wins. */
export function paymentStatusOf(order: Standing): PaymentStatus {
  if (dueOf(order) > 0) return statusWhileDue(order);
  return order.paidMinor === 0 ? statusWithoutMoney(order) : statusOfMoney(order);
}

function statusWhileDue(order: Standing): PaymentStatus {
  if (order.paymentsInReview > 0) return "review";
  if (netOf(order) > 0) return "partially_paid";
  return order.openAttempts > 0 ? "pending" : "unpaid";
}

function statusWithoutMoney({ paidAt, paymentsInReview }: Standing): PaymentStatus {
  if (paidAt !== null) return "paid";
  return paymentsInReview > 0 ? "review" : "unpaid";
}

function statusOfMoney(order: Standing): PaymentStatus {
  if (order.refundedMinor === order.paidMinor) return "refunded";
  if (overpaidOf(order) > 0) return "overpaid";
  return order.refundedMinor > 0 ? "partially_refunded" : "paid";
}

/** Whether everything is shipped and nothing is due. */
export function isDone(
  order: Sold & Money & Announced & Pick<Order, "fulfillmentStatus">,
): boolean {
  return order.fulfillmentStatus === "fulfilled" && dueOf(order) === 0;
}

type Credited = Pick<OrderLine, "quantity" | "cancelledQuantity" | "returnedQuantity">;
type Priced = Pick<OrderLine, "unitPriceMinor" | "discountMinor" | "taxMinor">;

/** Units of a line that were cancelled or came back: the customer does not owe them. */
export function creditedUnits(
  line: Pick<Credited, "cancelledQuantity" | "returnedQuantity">,
): number {
  return line.cancelledQuantity + line.returnedQuantity;
}

/** The amounts of the first `units` units of a line; those of all its units are the line's own. */
function amountsOf(line: Priced & Pick<Credited, "quantity">, units: number) {
  const part = (amountMinor: number) =>
    allocate(amountMinor, [units, line.quantity - units])[0] ?? 0;
  const subtotalMinor = line.unitPriceMinor * units;
  const discountMinor = part(line.discountMinor);
  const taxMinor = part(line.taxMinor);
  return {
    subtotalMinor,
    discountMinor,
    taxMinor,
    totalMinor: subtotalMinor - discountMinor + taxMinor,
  };
}

/** The line's share of these units after those credited before; the shares of all units add up to its total. */
export function shareOf(line: Priced & Credited, units: number): number {
  const before = creditedUnits(line);
  return amountsOf(line, before + units).totalMinor - amountsOf(line, before).totalMinor;
}

/** Whether nothing was ever shipped and no unit is left to ship: then shipping is credited too. */
function isUnshipped(lines: readonly Credited[]): boolean {
  return lines.every((line) => line.cancelledQuantity === line.quantity);
}

/** What the customer does not owe because units were cancelled or came back. */
export function creditedOf(lines: readonly (Credited & Priced)[], shippingMinor: number): number {
  const ofLines = lines.reduce(
    (sum, line) => sum + amountsOf(line, creditedUnits(line)).totalMinor,
    0,
  );
  return ofLines + (isUnshipped(lines) ? shippingMinor : 0);
}

/** What is sold: the lines and totals without what was credited. */
export interface Sale {
  readonly lines: readonly OrderLine[];
  readonly totals: Pick<
    Order,
    "subtotalMinor" | "discountMinor" | "shippingMinor" | "taxMinor" | "totalMinor"
  >;
}

/** Computes the sale of an order from its lines. */
export function saleOf(order: Pick<Order, "shippingMinor">, lines: readonly OrderLine[]): Sale {
  const sold = lines.flatMap((line): OrderLine[] => {
    const units = creditedUnits(line);
    const left = line.quantity - units;
    if (left === 0) return [];
    const credited = amountsOf(line, units);
    return [
      {
        ...line,
        quantity: left,
        subtotalMinor: line.subtotalMinor - credited.subtotalMinor,
        discountMinor: line.discountMinor - credited.discountMinor,
        taxMinor: line.taxMinor - credited.taxMinor,
        totalMinor: line.totalMinor - credited.totalMinor,
      },
    ];
  });
  const sum = (amountOf: (line: OrderLine) => number) =>
    sold.reduce((total, line) => total + amountOf(line), 0);
  const shippingMinor = isUnshipped(lines) ? 0 : order.shippingMinor;
  return {
    lines: sold,
    totals: {
      subtotalMinor: sum((line) => line.subtotalMinor),
      discountMinor: sum((line) => line.discountMinor),
      taxMinor: sum((line) => line.taxMinor),
      shippingMinor,
      totalMinor: sum((line) => line.totalMinor) + shippingMinor,
    },
  };
}

/** Money received that was not owed, which is refunded automatically. Minor units. */
export interface Surplus {
  /** All of it, whether its refund is pending or done. */
  readonly returningMinor: number;
  /** The part whose refund is done. */
  readonly returnedMinor: number;
}

export const noSurplus: Surplus = { returningMinor: 0, returnedMinor: 0 };

/**
 * The refunded part of the sale. Money beyond what was owed for it is refunded first and does not count;
 * before `order.paid` there is no sale.
 */
export function saleRefundedMinor(
  order: Pick<Order, "saleTotalMinor" | "refundedMinor" | "keptMinor" | "writtenOffMinor"> & Money,
  { returningMinor, returnedMinor }: Surplus,
): number {
  const { saleTotalMinor } = order;
  if (saleTotalMinor === null) return 0;
  const neededMinor = saleTotalMinor + order.keptMinor - order.writtenOffMinor;
  const beyondMinor = Math.max(0, order.paidMinor - returningMinor - neededMinor);
  const refundedMinor = order.refundedMinor - returnedMinor - beyondMinor;
  return Math.min(Math.max(refundedMinor, 0), saleTotalMinor);
}
