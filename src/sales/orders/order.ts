// Orders: types, the life, and the rules of totals and states. `status` is the only axis that is
// commanded; how far an order is paid and fulfilled is computed from payments and lines.

import type { Address } from "#kernel/address.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import { machine, type StateOf } from "#kernel/machine.ts";
import type { Metadata } from "#kernel/metadata.ts";
import { isPrepaid, type PaymentMethod } from "#kernel/payment-method.ts";
import { defineRefusal, type Refusal } from "#kernel/refusal.ts";
import type { PricedLine } from "#pricing/quote/price-order.ts";

/** A row per state. action: [next state, event], null where the world is not told. */
// prettier-ignore
export const orderLife = machine({
  open:      { complete: ["completed", null], cancel: ["cancelled", "order.cancelled"] },
  completed: {},
  cancelled: {},
});
export type OrderStatus = StateOf<typeof orderLife>;
export const orderStatuses = ["open", "completed", "cancelled"] as const;

export const paymentStatuses = [
  "unpaid",
  "pending",
  "partially_paid",
  "paid",
  "overpaid",
  "partially_refunded",
  "refunded",
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

export const fulfillmentStatuses = ["unfulfilled", "partially_fulfilled", "fulfilled"] as const;
export type FulfillmentStatus = (typeof fulfillmentStatuses)[number];

export const cancelReasons = [
  "customer",
  "merchant",
  "fraud",
  "inventory",
  "payment_failed",
  "expired",
  "other",
] as const;
export type CancelReason = (typeof cancelReasons)[number];

export interface CustomerSnapshot {
  readonly id: Id<"customer">;
  readonly email: string | null;
  readonly phone: string | null;
  readonly name: string | null;
}

export interface FulfilledLine {
  readonly lineItemId: Id<"lineItem">;
  readonly quantity: number;
}

export interface Tracking {
  readonly carrier: string | null;
  readonly number: string | null;
  readonly url: string | null;
}

/** The order itself, without its lines. Amounts are integer minor units of its currency. */
export interface Order {
  readonly id: Id<"order">;
  readonly number: number;
  readonly status: OrderStatus;
  readonly paymentStatus: PaymentStatus;
  readonly fulfillmentStatus: FulfillmentStatus;
  readonly customerId: Id<"customer"> | null;
  readonly customer: CustomerSnapshot | null;
  readonly paymentMethod: PaymentMethod;
  readonly currency: CurrencyCode;
  readonly channel: string;
  readonly externalId: string | null;
  readonly cartId: Id<"cart"> | null;
  readonly shippingAddress: Address | null;
  readonly billingAddress: Address | null;
  readonly notes: string | null;
  readonly metadata: Metadata;
  readonly shippingLabel: string | null;
  readonly cancelReason: CancelReason | null;
  readonly cancelNote: string | null;
  readonly subtotalMinor: number;
  readonly discountMinor: number;
  readonly shippingMinor: number;
  readonly taxMinor: number;
  readonly totalMinor: number;
  readonly paidMinor: number;
  readonly refundedMinor: number;
  readonly openAttempts: number;
  readonly paidAt: number | null;
  readonly fulfilledAt: number | null;
  readonly cancelledAt: number | null;
  readonly expiresAt: number | null;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** One line item as it was agreed; prices never follow the catalogue afterwards. */
export interface OrderLine extends PricedLine {
  readonly orderId: Id<"order">;
  readonly id: Id<"lineItem">;
  readonly fulfilledQuantity: number;
}

export interface Fulfillment {
  readonly orderId: Id<"order">;
  readonly id: Id<"fulfillment">;
  readonly lines: readonly FulfilledLine[];
  readonly tracking: Tracking | null;
  readonly createdAt: number;
}

/** An order with everything that belongs to it. */
export interface WholeOrder {
  readonly order: Order;
  readonly lines: readonly OrderLine[];
  readonly fulfillments: readonly Fulfillment[];
}

/** An order nobody paid for so long was left, as a checkout is: milliseconds. */
export const LEFT_AFTER_MS = 3_600_000;
/** When an order is looked at again that somebody is paying just now: most attempts end by then. */
export const LOOK_AGAIN_MS = 900_000;

/** What a cancelled order still asks for: its attempts end, and what was paid goes back or stays. */
export const orderCancelledTimers = {
  refund: "refund_cancelled_order",
  keep: "close_cancelled_order",
} as const;

/** Whether nothing happens before the customer pays: such an order holds stock for nobody. */
export function awaitsPayment(order: Order): boolean {
  return (
    order.status === "open" &&
    order.fulfillmentStatus === "unfulfilled" &&
    isPrepaid(order.paymentMethod) &&
    order.paidMinor === 0 &&
    order.totalMinor > 0
  );
}

/** What is still owed; a refund makes no new debt. */
export function dueOf(order: Pick<Order, "totalMinor" | "paidMinor">): number {
  return Math.max(0, order.totalMinor - order.paidMinor);
}

/** Money that came though nobody owed it, and goes back by itself. */
export interface Surplus {
  /** What is on its way back or was sent; minor units. */
  readonly returningMinor: number;
  /** What of it has arrived. */
  readonly returnedMinor: number;
}

export const noSurplus: Surplus = { returningMinor: 0, returnedMinor: 0 };

/**
 * How much of a sale went back. What was paid beyond the total goes back first and is no part of
 * it; before the order is announced as paid there is no sale.
 */
export function saleRefundedMinor(
  order: Pick<Order, "totalMinor" | "paidMinor" | "refundedMinor" | "paidAt">,
  { returningMinor, returnedMinor }: Surplus,
): number {
  if (order.paidAt === null) return 0;
  const beyondMinor = Math.max(0, order.paidMinor - returningMinor - order.totalMinor);
  const refundedMinor = order.refundedMinor - returnedMinor - beyondMinor;
  return Math.min(Math.max(refundedMinor, 0), order.totalMinor);
}

/** How far an order is paid: the first that matches, from most to least settled. */
export function paymentStatusOf(
  order: Pick<Order, "totalMinor" | "paidMinor" | "refundedMinor" | "openAttempts">,
): PaymentStatus {
  const { totalMinor, paidMinor, refundedMinor, openAttempts } = order;
  const netMinor = paidMinor - refundedMinor;
  if (refundedMinor > 0 && refundedMinor === paidMinor) return "refunded";
  if (refundedMinor > 0 && netMinor < totalMinor) return "partially_refunded";
  if (netMinor > totalMinor) return "overpaid";
  if (netMinor === totalMinor) return "paid";
  if (netMinor > 0) return "partially_paid";
  return openAttempts > 0 ? "pending" : "unpaid";
}

/** How far the lines have left the house. */
export function fulfillmentStatusOf(
  lines: readonly Pick<OrderLine, "quantity" | "fulfilledQuantity">[],
): FulfillmentStatus {
  if (lines.every((line) => line.fulfilledQuantity === line.quantity)) return "fulfilled";
  return lines.some((line) => line.fulfilledQuantity > 0) ? "partially_fulfilled" : "unfulfilled";
}

/** Whether nothing is left to do: everything shipped and nothing due. */
export function isDone(
  order: Pick<Order, "fulfillmentStatus" | "totalMinor" | "paidMinor">,
): boolean {
  return order.fulfillmentStatus === "fulfilled" && dueOf(order) === 0;
}

/** What may still be asked of an order. */
function allowedActions(order: Order): string[] {
  if (order.status !== "open") return [];
  const actions = order.fulfillmentStatus === "fulfilled" ? [] : ["fulfill"];
  if (order.fulfillmentStatus === "unfulfilled") actions.push("cancel");
  if (mayChangeLines(order)) actions.push("change_lines");
  return actions;
}

/** Lines are agreed once they are paid for or goods left; an open attempt to pay freezes them. */
export function mayChangeLines(order: Order): boolean {
  return (
    order.status === "open" &&
    order.fulfillmentStatus === "unfulfilled" &&
    order.paymentStatus === "unpaid"
  );
}

/** Units of each variant, with the lines of one variant summed. */
export function unitsByVariant(
  lines: readonly { readonly variantId: Id<"variant">; readonly quantity: number }[],
): { variantId: Id<"variant">; quantity: number }[] {
  const units = new Map<Id<"variant">, number>();
  for (const { variantId, quantity } of lines) {
    units.set(variantId, (units.get(variantId) ?? 0) + quantity);
  }
  return [...units].map(([variantId, quantity]) => ({ variantId, quantity }));
}

/** The timer that gives an unpaid order up. */
export const unpaidOrderTimer = "expire_order";

export const orderNotFound = defineRefusal(
  "order_not_found",
  "not_found",
  "There is no such order.",
);
export const externalIdTaken = defineRefusal(
  "external_id_taken",
  "conflict",
  "Another order has this external id.",
);
export const invalidTransition = defineRefusal(
  "invalid_transition",
  "conflict",
  "Its state does not allow this.",
);

/** The refusal of a move that the order's state forbids. */
export function forbidden(order: Order, action: string): Refusal {
  return invalidTransition({
    detail: `The order is ${order.status} and ${order.fulfillmentStatus}.`,
    members: { from: order.status, action, allowed: allowedActions(order) },
  });
}
