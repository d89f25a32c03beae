// The rules of an order's totals and states. `paymentStatus` and `fulfillmentStatus` are computed from
// the totals and the lines.

import type { Id } from "#kernel/id.ts";
import { isPrepaid } from "#kernel/payment-method.ts";
import { defineRefusal, type Refusal } from "#kernel/refusal.ts";

import type { FulfillmentStatus, PaymentStatus } from "./order-life.ts";
import type { FulfillmentRow, OrderLineRow, OrderRow } from "./tables.ts";

/** The order itself, without its lines. Amounts are integer minor units of its currency. */
export type Order = OrderRow;

/** One line item at the price agreed; later changes of the catalogue do not reach it. */
export type OrderLine = OrderLineRow;

export type Fulfillment = FulfillmentRow;

/** An order with everything that belongs to it. */
export interface WholeOrder {
  readonly order: Order;
  readonly lines: readonly OrderLine[];
  readonly fulfillments: readonly Fulfillment[];
}

/** An order that is unpaid for this long counts as abandoned, as a checkout does. */
export const UNPAID_ORDER_ABANDONED_AFTER_MS = 3_600_000;
/**
 * While a payment attempt is open, abandonment and expiry are retried after this: most attempts end
 * by then.
 */
export const OPEN_ATTEMPT_RETRY_MS = 900_000;

/**
 * The timers of a cancelled order. Both close its open attempts; what was paid is refunded or kept.
 */
export const orderCancelledTimers = {
  refund: "refund_cancelled_order",
  keep: "close_cancelled_order",
} as const;

/**
 * Whether an open order ships only once it is paid, and nothing is paid or shipped: only it
 * expires.
 */
export function awaitsPayment(order: Order): boolean {
  return (
    order.status === "open" &&
    order.fulfillmentStatus === "unfulfilled" &&
    isPrepaid(order.paymentMethod) &&
    order.paidMinor === 0 &&
    order.totalMinor > 0
  );
}

/** The amount still to be paid. A refund does not raise it. */
export function dueOf(order: Pick<Order, "totalMinor" | "paidMinor">): number {
  return Math.max(0, order.totalMinor - order.paidMinor);
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
 * The refunded part of the sale. Money beyond the total is refunded first and does not count;
 * before `order.paid` there is no sale.
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

/** Computes `payment_status`. The order of the tests matters: the first match wins. */
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

/** Computes `fulfillment_status` from the shipped units of the lines. */
export function fulfillmentStatusOf(
  lines: readonly Pick<OrderLine, "quantity" | "fulfilledQuantity">[],
): FulfillmentStatus {
  if (lines.every((line) => line.fulfilledQuantity === line.quantity)) return "fulfilled";
  return lines.some((line) => line.fulfilledQuantity > 0) ? "partially_fulfilled" : "unfulfilled";
}

/** Whether everything is shipped and nothing is due. */
export function isDone(
  order: Pick<Order, "fulfillmentStatus" | "totalMinor" | "paidMinor">,
): boolean {
  return order.fulfillmentStatus === "fulfilled" && dueOf(order) === 0;
}

/** The actions that the order's state allows, as `invalid_transition` lists them. */
function allowedActions(order: Order): string[] {
  if (order.status !== "open") return [];
  const actions = order.fulfillmentStatus === "fulfilled" ? [] : ["fulfill"];
  if (order.fulfillmentStatus === "unfulfilled") actions.push("cancel");
  if (mayChangeLines(order)) actions.push("change_lines");
  return actions;
}

/** Whether lines may change: nothing is paid or shipped, and no payment attempt is open. */
export function mayChangeLines(order: Order): boolean {
  return (
    order.status === "open" &&
    order.fulfillmentStatus === "unfulfilled" &&
    order.paymentStatus === "unpaid"
  );
}

/** Units of each variant, summed over its lines, in the order of first appearance. */
export function unitsByVariant(
  lines: readonly { readonly variantId: Id<"variant">; readonly quantity: number }[],
): { variantId: Id<"variant">; quantity: number }[] {
  const units = new Map<Id<"variant">, number>();
  for (const { variantId, quantity } of lines) {
    units.set(variantId, (units.get(variantId) ?? 0) + quantity);
  }
  return [...units].map(([variantId, quantity]) => ({ variantId, quantity }));
}

/** The timer that cancels an unpaid order. */
export const unpaidOrderTimer = "expire_order";

export const orderNotFound = defineRefusal(
  "order_not_found",
  "not_found",
  "There is no such order.",
);
export const externalIdTaken = defineRefusal("external_id_taken", "conflict", {
  title: "Another order has this external id.",
  cause: "External ids are unique in a shop, and another order (`existing_id`) has this one.",
  remedy: "Retrieve the other order: the request was probably sent twice.",
});
export const invalidTransition = defineRefusal("invalid_transition", "conflict", {
  title: "The current state does not allow this action.",
  cause: "The object is in the state `from`, which does not allow `action`.",
  remedy: "Do one of the actions in `allowed`, or retrieve the object to see what has happened.",
  example: {
    detail: "The order is completed and fulfilled.",
    members: { from: "completed", action: "cancel", allowed: [] },
  },
});

/** The refusal of an action that the order's state does not allow. */
export function forbidden(order: Order, action: string): Refusal {
  return invalidTransition({
    detail: `The order is ${order.status} and ${order.fulfillmentStatus}.`,
    members: { from: order.status, action, allowed: allowedActions(order) },
  });
}
