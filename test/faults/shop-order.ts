// An order of the modelled shop: what it owes, received, gave back and kept, and how the interface shows it.

import type { ModelPrice } from "./shop-prices.ts";

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

/** Money that came: by a gateway, by one that fails every refund, or by hand. */
export interface ModelPayment {
  readonly id: string;
  readonly by: "gateway" | "failing" | "hand";
  capturedMinor: number;
  refundingMinor: number;
}

export interface ModelRefund {
  readonly payment: ModelPayment;
  readonly amountMinor: number;
  /** What of it is for shipping. */
  readonly shippingMinor: number;
  /** What of it is for units or shipping of the sale that were named. */
  readonly namedMinor: number;
  /** What of it is of the sale, and of what was kept before; the rest was not owed. */
  saleMinor: number;
  keptMinor: number;
  status: "pending" | "succeeded" | "failed" | "needs_attention" | "closed";
}

/** Units that move with a refund. */
export interface Moved {
  readonly cancelled?: Units;
  readonly returned?: Units;
  readonly isRestocked?: boolean;
}

export interface ModelOrder {
  readonly id: string;
  units: Units;
  /** By product; none if it was not ordered. */
  lines: readonly [string | null, string | null];
  price: ModelPrice;
  readonly email: string | null;
  readonly cancelled: [number, number];
  readonly shipped: [number, number];
  readonly returned: [number, number];
  readonly attempts: Attempt[];
  /** The share of what is owed that keeps the order. */
  readonly depositPercent: number;
  /** When it expires; null once its deposit is paid, it is fulfilled in part, or nothing is due. */
  expiresAt: number | null;
  /** The way of its last money that was due. */
  way: "gateway" | "transfer";
  status: "open" | "completed" | "cancelled";
  readonly payments: ModelPayment[];
  readonly refunds: ModelRefund[];
  /** What the merchant keeps of the money for units that were cancelled or came back: before the sale, and of it. */
  keptApartMinor: number;
  keptOfSaleMinor: number;
  writtenOffMinor: number;
  /** Whether money was kept when it was cancelled. */
  keepsDiscounts: boolean;
  /** The total that `order.paid` announced; null before. */
  saleMinor: number | null;
  /** What is left of it, and what the customer owes for it and has not paid, entry by entry; below 0 too much came. */
  saleLeftMinor: number;
  debtMinor: number;
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

export function isPayable(order: ModelOrder): boolean {
  return order.status !== "cancelled" && dueOf(order) > 0;
}

/** Whether the order was paid and all its money went back. */
export function isGivenBack(order: ModelOrder): boolean {
  return order.saleMinor !== null && paidOf(order) > 0 && leftOf(order) === 0;
}

export function dueOf(order: ModelOrder): number {
  return order.status === "cancelled" ? 0 : Math.max(0, debtOf(order));
}

/** What the customer owes and has not paid; below 0, what too much came. */
export function debtOf(order: ModelOrder): number {
  return order.saleMinor === null ? owedOf(order) - leftOf(order) : order.debtMinor;
}

/** What is missing for the order to be kept. */
export function depositDueOf(order: ModelOrder): number {
  if (order.saleMinor !== null || dueOf(order) === 0) return 0;
  return Math.max(0, Math.ceil((owedOf(order) * order.depositPercent) / 100) - leftOf(order));
}

/** What came, less every refund that did not fail. */
export function leftOf(order: ModelOrder): number {
  return paidOf(order) - refundingOf(order);
}

export function refundableOf({ capturedMinor, refundingMinor }: ModelPayment): number {
  return capturedMinor - refundingMinor;
}

function paidOf({ payments }: ModelOrder): number {
  return payments.reduce((total, { capturedMinor }) => total + capturedMinor, 0);
}

function refundingOf({ payments }: ModelOrder): number {
  return payments.reduce((total, { refundingMinor }) => total + refundingMinor, 0);
}

/** What the customer has back. */
function refundedOf({ refunds }: ModelOrder): number {
  return refunds
    .filter(({ status }) => status === "succeeded" || status === "closed")
    .reduce((total, { amountMinor }) => total + amountMinor, 0);
}

export const unitsIn = ([one, other]: readonly [number, number]): number => one + other;

/** The whole number nearest to the quotient; the larger one if two are as near. */
export function halfUp(above: number, below: number): number {
  return Math.floor((2 * above + below) / (2 * below));
}

export function totalOf({ price }: ModelOrder): number {
  return price.totalMinor;
}

/** What falls to further units of a line. */
export function shareOf(order: ModelOrder, which: Which, quantity: number): number {
  const done = order.cancelled[which] + order.returned[which];
  return upTo(order, which, done + quantity) - upTo(order, which, done);
}

/** What falls to the first units of a line. */
function upTo({ price, units }: ModelOrder, which: Which, quantity: number): number {
  return units[which] === 0 ? 0 : halfUp(price.lines[which] * quantity, units[which]);
}

/** Shipping is credited with its tax where every unit was cancelled. */
export function creditedOf(order: ModelOrder): number {
  const { cancelled, returned, units } = order;
  const ofLines = both.map((which) => upTo(order, which, cancelled[which] + returned[which]));
  const isUnshipped = both.every((which) => cancelled[which] === units[which]);
  return ofLines.reduce((total, one) => total + one, isUnshipped ? shippingOf(order) : 0);
}

/** What the shipping costs with the tax on top of it. */
function shippingOf({ price }: ModelOrder): number {
  return price.shippingMinor + price.shippingTaxMinor;
}

/** What may still be refunded of the shipping. */
export function shippingLeftOf(order: ModelOrder): number {
  const refunded = order.refunds
    .filter(({ status }) => status !== "failed")
    .reduce((total, { shippingMinor }) => total + shippingMinor, 0);
  return Math.max(0, shippingOf(order) - refunded);
}

/** Whether its lines may change. */
export function isEditable(order: ModelOrder): boolean {
  const isUntouched =
    unitsIn(order.cancelled) + unitsIn(order.shipped) + unitsIn(order.returned) === 0;
  return order.status === "open" && isUntouched && paymentStatusOf(order) === "unpaid";
}

/** Before there is a sale. */
function owedOf(order: ModelOrder): number {
  const keptMinor = order.keptApartMinor - keptReturningOf(order);
  return totalOf(order) - creditedOf(order) + keptMinor - order.writtenOffMinor;
}

/** What is kept apart and goes back after all. */
export function keptReturningOf({ refunds }: ModelOrder): number {
  return refunds
    .filter(({ status }) => status !== "failed")
    .reduce((total, { keptMinor }) => total + keptMinor, 0);
}

export function surplusOf(order: ModelOrder): number {
  return Math.max(0, -debtOf(order));
}

/** What of the sale is neither other goods nor kept, and did not go back: it was freed by units that were credited. */
export function freedOf(order: ModelOrder, mostMinor: number): number {
  const goodsMinor = totalOf(order) - creditedOf(order);
  const leftMinor = order.saleLeftMinor - goodsMinor - order.keptOfSaleMinor;
  return Math.min(mostMinor, Math.max(0, leftMinor));
}

/** What has to go back, also where a refund of it failed. */
export function toReturnOf(order: ModelOrder): number {
  if (order.saleMinor === null) return surplusOf(order);
  const freedMinor = freedOf(order, creditedOf(order));
  const unpaidMinor = Math.max(0, order.debtMinor + order.writtenOffMinor);
  return surplusOf(order) + Math.max(0, freedMinor - unpaidMinor);
}

/** The order as the interface must show it. */
export function shownOf(order: ModelOrder): object {
  return {
    status: order.status,
    payment_status: paymentStatusOf(order),
    fulfillment_status: fulfillmentStatusOf(order),
    subtotal_minor: order.price.subtotalMinor,
    discount_total_minor: order.price.discountMinor,
    shipping_total_minor: order.price.shippingMinor,
    shipping_discount_total_minor: order.price.shippingDiscountMinor,
    tax_total_minor: order.price.taxMinor,
    included_tax_total_minor: order.price.includedTaxMinor,
    total_minor: totalOf(order),
    credited_total_minor: creditedOf(order),
    kept_total_minor: order.keptApartMinor + order.keptOfSaleMinor,
    written_off_total_minor: order.writtenOffMinor,
    paid_total_minor: paidOf(order),
    refunded_total_minor: refundedOf(order),
    refunding_total_minor: refundingOf(order),
    due_minor: dueOf(order),
    deposit_due_minor: depositDueOf(order),
    expires_at: order.expiresAt === null ? null : new Date(order.expiresAt).toISOString(),
  };
}

function fulfillmentStatusOf(order: ModelOrder): string {
  if (unitsIn(order.shipped) === 0) return "unfulfilled";
  return hasOpenUnits(order) ? "partially_fulfilled" : "fulfilled";
}

function paymentStatusOf(order: ModelOrder): string {
  if (dueOf(order) > 0) {
    if (leftOf(order) > 0) return "partially_paid";
    return order.attempts.some(isOpen) ? "pending" : "unpaid";
  }
  if (paidOf(order) === 0) return order.saleMinor === null ? "unpaid" : "paid";
  if (refundedOf(order) === paidOf(order)) return "refunded";
  if (surplusOf(order) > 0) return "overpaid";
  return refundedOf(order) > 0 ? "partially_refunded" : "paid";
}

/** The refunds of the order as the interface must show them, in any order. */
export function refundsOf({ refunds }: ModelOrder): string[] {
  return refunds
    .map(({ payment, amountMinor, status }) => `${payment.id} ${amountMinor} ${status}`)
    .toSorted();
}
