// Orders: types, the life, and the rules of totals and states. `status` is the only axis that is
// commanded; how far an order is paid and fulfilled is computed from payments and lines.

import type { Id } from "#kernel/id.ts";
import { machine, type StateOf } from "#kernel/machine.ts";
import { defineRefusal } from "#kernel/refusal.ts";

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

export const paymentMethods = [
  "mobile_money",
  "card",
  "gateway",
  "cash_on_delivery",
  "bank_transfer",
] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

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

export const orderNotFound = defineRefusal(
  "order_not_found",
  "not_found",
  "There is no such order.",
);
