// The rules of an order's money: what is owed, what is due, what comes back, and the payment status that follows.
// Invariant: what is owed is never below zero.

import { defineFaults, type Meanings } from "#kernel/fault.ts";
import { percentUp } from "#kernel/money.ts";
import { defineMembers, member, type Members, publicMember } from "#kernel/refusal.ts";
import type { TaxShare } from "#pricing/calculation/sale.ts";

import type { OrderPaymentStatus } from "./order-life.ts";
import type { Order } from "./order.ts";

type Money = Pick<Order, "paidMinor" | "refundingMinor">;
type Sold = Pick<
  Order,
  | "totalMinor"
  | "creditedMinor"
  | "saleTotalMinor"
  | "saleRefundingMinor"
  | "keptApartMinor"
  | "keptRefundingMinor"
  | "writtenOffMinor"
>;
type Deposit = Pick<Order, "depositPercent">;
type Announced = Pick<Order, "status" | "paidAt">;

/** Captured money less every refund that did not fail. */
export function netOf({ paidMinor, refundingMinor }: Money): number {
  return paidMinor - refundingMinor;
}

/**
 * The debt of the customer in all: the sale less what was or will be refunded of it, and the money kept beside it, less
 * what was written off. Before there is a sale, the total less what was credited is in its place.
 */
export function owedOf(order: Sold): number {
  const { saleTotalMinor, saleRefundingMinor, totalMinor, creditedMinor } = order;
  const goodsMinor =
    saleTotalMinor === null ? totalMinor - creditedMinor : saleTotalMinor - saleRefundingMinor;
  return goodsMinor + keptApartLeft(order) - order.writtenOffMinor;
}

function keptApartLeft({ keptApartMinor, keptRefundingMinor }: Sold): number {
  return keptApartMinor - keptRefundingMinor;
}

/** The debt beyond the money that is there; below zero, the money beyond the debt. */
function balanceOf(order: Sold & Money): number {
  return owedOf(order) - netOf(order);
}

/**
 * The amount still to be paid. A refund after `order.paid` opens no debt, since less is owed as well; before it, a
 * returned deposit does, and after it a payment that is corrected to less. Nothing is due on a cancelled order.
 */
export function dueOf(order: Sold & Money & Pick<Announced, "status">): number {
  return order.status === "cancelled" ? 0 : Math.max(0, balanceOf(order));
}

/**
 * The amount still to be paid for the order to be kept: the shop's share of what is owed, less what is paid.
 * Zero once the share is reached, that is `net x 100 >= owed x percent`, if nothing is due, or once the order is sold.
 */
export function depositDueOf(order: Sold & Money & Announced & Deposit): number {
  if (order.paidAt !== null || dueOf(order) === 0) return 0;
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
  return Math.max(0, -balanceOf(order));
}

/**
 * The part of money just received that was not due before it came and took no write-off back: it is returned.
 */
export function unneededOf(receivedMinor: number, after: Sold & Money): number {
  return Math.min(receivedMinor, overpaidOf(after));
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

/** The parts of an order that a refund is of, minor units; the rest of it is money that was not owed. */
export interface RefundParts {
  /** The part of the sale. */
  readonly saleMinor: number;
  /** The part of the money that was kept before there was a sale. */
  readonly keptMinor: number;
}

/** The parts with the taxes of the kept money, none or one for each tax of the order. */
export interface TaxedParts extends RefundParts {
  readonly keptTaxes: readonly TaxShare[];
}

export const noParts: RefundParts & { readonly keptTaxes: readonly never[] } = {
  saleMinor: 0,
  keptMinor: 0,
  keptTaxes: [],
};

/** An amount that is about to be refunded, and the part of it for units and shipping which the request named. */
interface RefundOfOrder {
  readonly amountMinor: number;
  readonly namedMinor: number;
}

/**
 * The parts of an order that a refund of it will be of. What was named is of the sale; the rest is of money that is not
 * owed first, then of what was kept, then of the sale. What goes back of an order that is neither sold nor cancelled is
 * owed again, and is of neither.
 */
export function partsOfRefund(
  order: Sold & Money & Announced,
  { amountMinor, namedMinor }: RefundOfOrder,
): RefundParts {
  const { saleTotalMinor, status } = order;
  if (saleTotalMinor === null && status !== "cancelled") return { saleMinor: 0, keptMinor: 0 };
  const saleLeftMinor = (saleTotalMinor ?? 0) - order.saleRefundingMinor;
  const wholeMinor = Math.min(amountMinor, namedMinor, saleLeftMinor);
  const owedMinor = Math.max(0, amountMinor - wholeMinor - overpaidOf(order));
  const keptMinor = Math.min(owedMinor, keptApartLeft(order));
  return { keptMinor, saleMinor: Math.min(wholeMinor + owedMinor - keptMinor, saleLeftMinor) };
}

/** The money for units that are credited. */
export interface FreedMoney {
  /** The part that was not paid: it is not owed any more. */
  readonly unpaidMinor: number;
  /** The part that may go back. */
  readonly paidMinor: number;
}

/**
 * The money for units that are about to be credited: all of it, or what of the sale is neither refunded, nor for other
 * goods, nor kept. What is due, and what was written off, is taken off it first.
 */
export function freedOf(
  order: Sold & Money & Pick<Order, "keptMinor">,
  creditedMinor: number,
): FreedMoney {
  const { saleTotalMinor, saleRefundingMinor, totalMinor, keptMinor, keptApartMinor } = order;
  const ofUnitsMinor = creditedMinor - order.creditedMinor;
  const accountedMinor =
    saleRefundingMinor + totalMinor - creditedMinor + keptMinor - keptApartMinor;
  const freedMinor =
    saleTotalMinor === null
      ? ofUnitsMinor
      : Math.min(ofUnitsMinor, Math.max(0, saleTotalMinor - accountedMinor));
  const unpaidMinor = Math.min(
    freedMinor,
    Math.max(0, balanceOf({ ...order, writtenOffMinor: 0 })),
  );
  return { unpaidMinor, paidMinor: freedMinor - unpaidMinor };
}

/**
 * The money that is to go back to the customer and has no refund: what is overpaid, and the money for credited units of the sale
 * that is not kept, such as that of a refund that failed.
 */
export function toReturnOf(order: Sold & Money & Pick<Order, "keptMinor">): number {
  const { saleTotalMinor, creditedMinor } = order;
  if (saleTotalMinor === null) return overpaidOf(order);
  return overpaidOf(order) + freedOf({ ...order, creditedMinor: 0 }, creditedMinor).paidMinor;
}

type Kept = Pick<Order, "keptMinor" | "keptApartMinor" | "saleTotalMinor">;

/**
 * The rest of the sale and of the kept money of an order. Nothing is due on a cancelled one, so what a corrected
 * payment took from it is kept no more, and then sold no more.
 */
export function coveredOf(order: Sold & Money & Announced & Kept): Kept {
  const { status, keptMinor, keptApartMinor, saleTotalMinor } = order;
  const missingMinor = status === "cancelled" ? Math.max(0, balanceOf(order)) : 0;
  const apartMinor = Math.min(missingMinor, keptApartLeft(order));
  const restMinor = missingMinor - apartMinor;
  return {
    keptApartMinor: keptApartMinor - apartMinor,
    keptMinor: keptMinor - apartMinor - Math.min(restMinor, keptMinor - keptApartMinor),
    saleTotalMinor: saleTotalMinor === null ? null : saleTotalMinor - restMinor,
  };
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
