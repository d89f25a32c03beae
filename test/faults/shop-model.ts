// The model of a shop on one page: stock, reservations, and what each order owes, received, gave back and kept. It
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
  readonly cancelled: [number, number];
  readonly shipped: [number, number];
  readonly returned: [number, number];
  readonly attempts: Attempt[];
  /** When it expires; null once it is paid, fulfilled in part, or needs no payment. */
  expiresAt: number | null;
  status: "open" | "completed" | "cancelled";
  paidMinor: number;
  refundedMinor: number;
  /** What the merchant keeps of the money for units that were cancelled or came back. */
  keptMinor: number;
  writtenOffMinor: number;
  /** Whether `order.paid` was announced. */
  isPaid: boolean;
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
    return this.orders.reduce((sum, order) => sum + openOf(order, which), 0);
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

  /** Receives money. What is not owed goes back at once, and pages that ask for more than is due close. */
  receive(order: ModelOrder, amountMinor: number): void {
    order.paidMinor += amountMinor;
    order.expiresAt = null;
    order.refundedMinor += Math.min(amountMinor, surplusOf(order));
    settle(order);
  }

  ship(order: ModelOrder, which: Which, quantity: number): void {
    this.onHand[which] -= quantity;
    order.shipped[which] += quantity;
    order.expiresAt = null;
    settle(order);
  }

  /** Cancels open units; what was paid for them goes back, or is kept. */
  cancel(order: ModelOrder, units: Units, isRefunded = true): void {
    for (const which of both) order.cancelled[which] += units[which];
    this.#credit(order, isRefunded);
  }

  /** Takes shipped units back. What a parcel that was refused leaves due is written off. */
  takeBack(order: ModelOrder, units: Units, terms: { isRestocked: boolean; isRefunded: boolean }) {
    for (const which of both) {
      order.returned[which] += units[which];
      if (terms.isRestocked) this.onHand[which] += units[which];
    }
    this.#credit(order, terms.isRefunded);
  }

  #credit(order: ModelOrder, isRefunded: boolean): void {
    const backMinor = surplusOf(order);
    if (isRefunded) order.refundedMinor += backMinor;
    else order.keptMinor += backMinor;
    settle(order);
  }

  /** Gives money back without moving units. */
  refund(order: ModelOrder, amountMinor: number): void {
    order.refundedMinor += amountMinor;
    settle(order);
  }

  writeOff(order: ModelOrder, amountMinor: number): void {
    order.writtenOffMinor += amountMinor;
    settle(order);
  }

  /** Advances time: pages close, and unpaid orders expire. */
  pass(seconds: number): void {
    this.nowMs += seconds * 1000;
    for (const order of this.orders) {
      for (const attempt of order.attempts.filter(isOpen)) {
        if (attempt.endsAt <= this.nowMs) attempt.state = "over";
      }
      if (order.expiresAt !== null && order.expiresAt <= this.nowMs) {
        this.cancel(order, openUnitsOf(order));
      }
    }
  }
}

export function isOpen({ state }: Attempt): boolean {
  return state === "open";
}

/** Units that are neither cancelled nor shipped. */
export function openOf(order: ModelOrder, which: Which): number {
  return order.units[which] - order.cancelled[which] - order.shipped[which];
}

export function openUnitsOf(order: ModelOrder): Units {
  return [openOf(order, 0), openOf(order, 1)];
}

export function hasOpenUnits(order: ModelOrder): boolean {
  return both.some((which) => openOf(order, which) > 0);
}

/** Whether the order was paid and all its money went back. */
export function isGivenBack(order: ModelOrder): boolean {
  return order.isPaid && order.paidMinor > 0 && leftOf(order) === 0;
}

export function dueOf(order: ModelOrder): number {
  if (order.isPaid || order.status === "cancelled") return 0;
  return Math.max(0, owedOf(order) - leftOf(order));
}

export function leftOf({ paidMinor, refundedMinor }: ModelOrder): number {
  return paidMinor - refundedMinor;
}

const sum = ([one, other]: readonly [number, number]): number => one + other;

function totalOf({ units }: ModelOrder): number {
  return sum(units) * PRICE_MINOR;
}

function creditedOf({ cancelled, returned }: ModelOrder): number {
  return (sum(cancelled) + sum(returned)) * PRICE_MINOR;
}

function owedOf(order: ModelOrder): number {
  return totalOf(order) - creditedOf(order) + order.keptMinor - order.writtenOffMinor;
}

function surplusOf(order: ModelOrder): number {
  return Math.max(0, leftOf(order) - owedOf({ ...order, writtenOffMinor: 0 }));
}

/** What follows from any change. */
function settle(order: ModelOrder): void {
  const withoutIt = owedOf({ ...order, writtenOffMinor: 0 }) - leftOf(order);
  order.writtenOffMinor = Math.min(order.writtenOffMinor, Math.max(0, withoutIt));
  if (order.status === "open" && !hasOpenUnits(order) && sum(order.shipped) === 0) {
    order.status = "cancelled";
  }
  if (order.status !== "cancelled" && dueOf(order) === 0 && leftOf(order) > 0) order.isPaid = true;
  closePages(order);
  if (dueOf(order) > 0) return;
  order.expiresAt = null;
  if (order.status === "open" && !hasOpenUnits(order)) order.status = "completed";
}

/** Pages that ask for more than is due. */
function closePages(order: ModelOrder): void {
  for (const attempt of order.attempts.filter(isOpen)) {
    if (attempt.amountMinor > dueOf(order)) attempt.state = "over";
  }
}

/** The order as the interface must show it. */
export function shownOf(order: ModelOrder): object {
  return {
    status: order.status,
    payment_status: paymentStatusOf(order),
    fulfillment_status: fulfillmentStatusOf(order),
    total_minor: totalOf(order),
    credited_total_minor: creditedOf(order),
    kept_total_minor: order.keptMinor,
    written_off_total_minor: order.writtenOffMinor,
    paid_total_minor: order.paidMinor,
    refunded_total_minor: order.refundedMinor,
    refunding_total_minor: order.refundedMinor,
    due_minor: dueOf(order),
    expires_at: order.expiresAt === null ? null : new Date(order.expiresAt).toISOString(),
  };
}

function fulfillmentStatusOf(order: ModelOrder): string {
  if (sum(order.shipped) === 0) return "unfulfilled";
  return hasOpenUnits(order) ? "partially_fulfilled" : "fulfilled";
}

function paymentStatusOf(order: ModelOrder): string {
  if (dueOf(order) > 0) {
    if (leftOf(order) > 0) return "partially_paid";
    return order.attempts.some(isOpen) ? "pending" : "unpaid";
  }
  if (order.paidMinor === 0) return order.isPaid ? "paid" : "unpaid";
  if (order.refundedMinor === order.paidMinor) return "refunded";
  if (leftOf(order) > owedOf(order)) return "overpaid";
  return order.refundedMinor > 0 ? "partially_refunded" : "paid";
}
