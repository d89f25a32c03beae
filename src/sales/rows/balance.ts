// The rules of an order's money: what is owed, what is due, what comes back, and the payment status that follows.
// Invariant: what is owed is never below zero.

import { defineFaults, type Meanings } from "#kernel/fault.ts";
import { percentUp } from "#kernel/money.ts";
import { defineMembers, member, type Members, publicMember } from "#kernel/refusal.ts";

import type { OrderPaymentStatus } from "./order-life.ts";
import type { Order } from "./order.ts";

type Money = Pick<Order, "paidMinor" | "refundingMinor">;
type Sold = Pick<Order, "totalMinor" | "creditedMinor" | "keptMinor" | "writtenOffMinor">;
type Deposit = Pick<Order, "depositPercent">;
type Announced = Pick<Order, "status" | "paidAt">;

/** Captured money less every refund that did not fail. */
export function netOf({ paidMinor, refundingMinor }: Money): number {
  return paidMinor - refundingMinor;
}

/** The debt of the customer in all: the total less what was credited and written off, and what the merchant keeps. */
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

/** Returns true if an open order has its deposit due, and nothing has shipped: only it expires. */
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

/** The same with its currency: what goes back by itself. */
export function surplusOf(order: Sold & Money & { readonly currency: string }) {
  return { amountMinor: overpaidOf(order), currency: order.currency };
}

/**
 * The part of money just received that was not due before it came and took no write-off back: it is returned.
 * A refund before it opened no debt, so the money does not fill what that refund gave back.
 */
export function unneededOf(
  receivedMinor: number,
  { before, after }: { readonly before: Sold & Money & Announced; readonly after: Sold },
): number {
  const neededMinor = dueOf(before) + before.writtenOffMinor - after.writtenOffMinor;
  return Math.max(0, receivedMinor - neededMinor);
}

/** Returns true if this is the change after which `order.paid` is emitted. */
export function becomesPaid(order: Sold & Money & Announced): boolean {
  const isOpen = order.paidAt === null && order.status !== "cancelled";
  return isOpen && dueOf(order) === 0 && (netOf(order) > 0 || order.totalMinor === 0);
}

/**
 * The amount that stays written off: never more than would be due without it, so late money and returned goods reduce
 * it.
 */
export function writtenOffOf(order: Sold & Money): number {
  const withoutIt = owedOf({ ...order, writtenOffMinor: 0 });
  return Math.min(order.writtenOffMinor, Math.max(0, withoutIt - netOf(order)));
}

type Standing = Sold &
  Money &
  Announced &
  Pick<Order, "refundedMinor" | "openAttempts" | "paymentsInReview">;

/** Computes `payment_status`. The order of the tests matters: the first match wins. */
export function paymentStatusOf(order: Standing): OrderPaymentStatus {
  if (dueOf(order) > 0) return statusWhileDue(order);
  return order.paidMinor === 0 ? statusWithoutMoney(order) : statusOfMoney(order);
}

function statusWhileDue(order: Standing): OrderPaymentStatus {
  if (order.paymentsInReview > 0) return "review";
  if (netOf(order) > 0) return "partially_paid";
  return order.openAttempts > 0 ? "pending" : "unpaid";
}

function statusWithoutMoney({ paidAt, paymentsInReview }: Standing): OrderPaymentStatus {
  if (paidAt !== null) return "paid";
  return paymentsInReview > 0 ? "review" : "unpaid";
}

function statusOfMoney(order: Standing): OrderPaymentStatus {
  if (order.refundedMinor === order.paidMinor) return "refunded";
  if (overpaidOf(order) > 0) return "overpaid";
  return order.refundedMinor > 0 ? "partially_refunded" : "paid";
}

/** Returns true if everything is shipped and nothing is due. */
export function isDone(
  order: Sold & Money & Announced & Pick<Order, "fulfillmentStatus">,
): boolean {
  return order.fulfillmentStatus === "fulfilled" && dueOf(order) === 0;
}

/** The parts of an order that its refunds are of, where that is known. Minor units. */
export interface RefundParts {
  /** Money received that was not owed, which is refunded automatically, whether its refund is pending or done. */
  readonly returningMinor: number;
  /** The part of it whose refund is done. */
  readonly returnedMinor: number;
  /** Units and shipping of the sale that requests named, whether their refund is pending or done. */
  readonly namedMinor: number;
  /** The part of them whose refund is done. */
  readonly namedReturnedMinor: number;
}

export const noRefunds: RefundParts = {
  returningMinor: 0,
  returnedMinor: 0,
  namedMinor: 0,
  namedReturnedMinor: 0,
};

type SaleMoney = Pick<Order, "saleTotalMinor" | "refundedMinor" | "writtenOffMinor"> & Money;

/**
 * The refunded part of the sale. Refunds of named units and shipping count whole. Others first give back money that was
 * not owed for the sale, and count for what they give back beyond it. Before `order.paid` there is no sale.
 */
export function saleRefundedMinor(
  order: SaleMoney,
  {
    returningMinor,
    returnedMinor,
    namedReturnedMinor,
  }: Pick<RefundParts, "returningMinor" | "returnedMinor" | "namedReturnedMinor">,
): number {
  const { saleTotalMinor } = order;
  if (saleTotalMinor === null) return 0;
  const neededMinor = saleTotalMinor - order.writtenOffMinor;
  const beyondMinor = Math.max(0, order.paidMinor - returningMinor - neededMinor);
  const unnamedMinor = order.refundedMinor - returnedMinor - namedReturnedMinor;
  const refundedMinor = namedReturnedMinor + Math.max(0, unnamedMinor - beyondMinor);
  return Math.min(refundedMinor, saleTotalMinor);
}

/** The same of all refunds that did not fail. */
export function saleRefundingMinor(
  order: SaleMoney,
  { returningMinor, namedMinor }: Pick<RefundParts, "returningMinor" | "namedMinor">,
): number {
  const refundedMinor = order.refundingMinor;
  const parts = { returningMinor, returnedMinor: returningMinor, namedReturnedMinor: namedMinor };
  return saleRefundedMinor({ ...order, refundedMinor }, parts);
}

/**
 * The part of the sale that is sold no more though no refund is of it: units were credited, and the money for them
 * neither went back, nor will, nor is kept, since it never came. What late money took back of a write-off is still
 * sold.
 */
export function unsoldOf(
  order: SaleMoney & Sold,
  parts: Pick<RefundParts, "returningMinor" | "namedMinor">,
): number {
  const { saleTotalMinor } = order;
  if (saleTotalMinor === null) return 0;
  const cameMinor = order.paidMinor - parts.returningMinor;
  const unpaidMinor = saleTotalMinor - order.writtenOffMinor - cameMinor;
  const goodsMinor = order.totalMinor - order.creditedMinor;
  const accountedMinor =
    goodsMinor + order.keptMinor + saleRefundingMinor(order, parts) + overpaidOf(order);
  return Math.max(0, Math.min(unpaidMinor, saleTotalMinor - accountedMinor));
}

const balanceFaults = defineFaults({
  amount_exceeds_due: "The amount is greater than what is due on the order.",
  more_than_open: "The quantity is greater than what is neither fulfilled nor cancelled.",
  more_than_paid: "The amount is greater than what was paid and is no longer owed.",
  more_than_shipped: "The quantity is greater than what was shipped and has not come back.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof balanceFaults> {}
}

const balanceMembers = defineMembers({
  refundable_minor: member.units("What can still be refunded, in minor units."),
  currency: publicMember(member.text("The currency of `refundable_minor` or of `total`.")),
});
declare module "#kernel/refusal.ts" {
  interface ProblemMembers extends Members<typeof balanceMembers> {}
}

/** Amounts in minor units of the order's currency. */
export interface PaidTotals {
  readonly paidMinor: number;
  readonly refundingMinor: number;
  readonly refundedMinor: number;
  readonly openAttempts: number;
  readonly paymentsInReview: number;
}

export const noPaidTotals: PaidTotals = {
  paidMinor: 0,
  refundingMinor: 0,
  refundedMinor: 0,
  openAttempts: 0,
  paymentsInReview: 0,
};

/** The totals with those of another added; of rows that have more, the totals alone. */
export function addTotals(one: PaidTotals, other: PaidTotals): PaidTotals {
  return combine(one, other, (left, right) => left + right);
}

/** The rest of the totals without the others. */
export function subtractTotals(one: PaidTotals, other: PaidTotals): PaidTotals {
  return combine(one, other, (left, right) => left - right);
}

function combine(
  one: PaidTotals,
  other: PaidTotals,
  by: (left: number, right: number) => number,
): PaidTotals {
  return {
    paidMinor: by(one.paidMinor, other.paidMinor),
    refundingMinor: by(one.refundingMinor, other.refundingMinor),
    refundedMinor: by(one.refundedMinor, other.refundedMinor),
    openAttempts: by(one.openAttempts, other.openAttempts),
    paymentsInReview: by(one.paymentsInReview, other.paymentsInReview),
  };
}
