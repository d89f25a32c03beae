// The model of a shop on one page: stock, reservations, and what each order owes, received and refunded. It
// knows no table, no gateway and no timer.

import type { Goods } from "../support/cast.ts";

export const SHELF = 8;
const PRICE_MINOR = 1250;
/** An attempt on a page is open for an hour, and expires a second before its order. */
const PAGE_MS = 3_600_000;
const BEFORE_ORDER_MS = 1_000;

/** One of the two products. */
export type Which = 0 | 1;
export const both: readonly Which[] = [0, 1];
export type Units = readonly [number, number];

/** An open payment page. */
export interface Attempt {
  readonly id: string;
  readonly amountMinor: number;
  readonly endsAt: number;
  state: "open" | "paid" | "declined" | "over";
}

export interface ModelOrder {
  readonly id: string;
  readonly units: Units;
  /** By product; none if it was not ordered. */
  readonly lines: readonly [string | null, string | null];
  readonly shipped: [number, number];
  readonly attempts: Attempt[];
  /** When it expires; null once it is paid, fulfilled in part, or needs no payment. */
  expiresAt: number | null;
  status: "open" | "completed" | "cancelled";
  paidMinor: number;
  refundedMinor: number;
}

export class Model {
  readonly goods: readonly [Goods, Goods];
  readonly onHand: [number, number] = [SHELF, SHELF];
  readonly orders: ModelOrder[] = [];
  nowMs: number;

  constructor(goods: readonly [Goods, Goods], nowMs: number) {
    this.goods = goods;
    this.nowMs = nowMs;
  }

  reserved(which: Which): number {
    return this.orders
      .filter(({ status }) => status !== "cancelled")
      .reduce((sum, order) => sum + order.units[which] - order.shipped[which], 0);
  }

  isEnough(units: Units): boolean {
    return both.every((which) => units[which] <= 0 || units[which] <= this.#available(which));
  }

  #available(which: Which): number {
    return this.onHand[which] - this.reserved(which);
  }

  /** Opens a page to pay the amount due. */
  ask(order: ModelOrder, id: string): void {
    const endsAt = Math.min(
      this.nowMs + PAGE_MS,
      order.expiresAt === null ? Infinity : order.expiresAt - BEFORE_ORDER_MS,
    );
    order.attempts.push({ id, amountMinor: dueOf(order), endsAt, state: "open" });
  }

  /** Receives money. A surplus is refunded at once, and a full payment closes the pages. */
  receive(order: ModelOrder, amountMinor: number): void {
    const isLate = order.status === "cancelled" || dueOf(order) === 0;
    order.paidMinor += amountMinor;
    order.expiresAt = null;
    if (isLate) order.refundedMinor += amountMinor;
    if (dueOf(order) === 0) closePages(order);
    settle(order);
  }

  ship(order: ModelOrder, which: Which, quantity: number): void {
    this.onHand[which] -= quantity;
    order.shipped[which] += quantity;
    order.expiresAt = null;
    settle(order);
  }

  /** Closes the order to payments, and refunds everything. */
  cancel(order: ModelOrder): void {
    order.status = "cancelled";
    order.expiresAt = null;
    order.refundedMinor = order.paidMinor;
    closePages(order);
  }

  /** Advances time: pages close, and unpaid orders expire. */
  pass(seconds: number): void {
    this.nowMs += seconds * 1000;
    for (const order of this.orders) {
      for (const attempt of order.attempts.filter(isOpen)) {
        if (attempt.endsAt <= this.nowMs) attempt.state = "over";
      }
      if (order.expiresAt !== null && order.expiresAt <= this.nowMs) this.cancel(order);
    }
  }
}

export function isOpen({ state }: Attempt): boolean {
  return state === "open";
}

/** Whether nothing was fulfilled and the order is not cancelled. */
export function isUntouched(order: ModelOrder): boolean {
  return order.status === "open" && order.shipped[0] + order.shipped[1] === 0;
}

export function isShipped({ units, shipped }: ModelOrder): boolean {
  return both.every((which) => units[which] === shipped[which]);
}

export function dueOf(order: ModelOrder): number {
  return Math.max(0, totalOf(order) - order.paidMinor);
}

export function leftOf({ paidMinor, refundedMinor }: ModelOrder): number {
  return paidMinor - refundedMinor;
}

function totalOf({ units }: ModelOrder): number {
  return (units[0] + units[1]) * PRICE_MINOR;
}

function closePages(order: ModelOrder): void {
  for (const attempt of order.attempts.filter(isOpen)) attempt.state = "over";
}

function settle(order: ModelOrder): void {
  if (order.status === "open" && isShipped(order) && dueOf(order) === 0) order.status = "completed";
}

/** The order as the interface must show it. */
export function shownOf(order: ModelOrder): object {
  return {
    status: order.status,
    payment_status: paymentStatusOf(order),
    fulfillment_status: fulfillmentStatusOf(order),
    total_minor: totalOf(order),
    paid_total_minor: order.paidMinor,
    refunded_total_minor: order.refundedMinor,
    due_minor: dueOf(order),
    expires_at: order.expiresAt === null ? null : new Date(order.expiresAt).toISOString(),
  };
}

function fulfillmentStatusOf(order: ModelOrder): string {
  if (isShipped(order)) return "fulfilled";
  return order.shipped[0] + order.shipped[1] > 0 ? "partially_fulfilled" : "unfulfilled";
}

function paymentStatusOf(order: ModelOrder): string {
  const netMinor = leftOf(order);
  const totalMinor = totalOf(order);
  if (order.refundedMinor > 0 && netMinor === 0) return "refunded";
  if (order.refundedMinor > 0 && netMinor < totalMinor) return "partially_refunded";
  if (netMinor > totalMinor) return "overpaid";
  if (netMinor === totalMinor) return "paid";
  if (netMinor > 0) return "partially_paid";
  return order.attempts.some(isOpen) ? "pending" : "unpaid";
}
