// The lives of an order and of a cart, and the types of what the rows of orders and returns hold. Only `status` is set by a command.

import type { KeptVariant } from "#catalog/rows/column-types.ts";
import type { Id } from "#kernel/id.ts";
import { machine, type StateOf } from "#kernel/machine.ts";

/** A row per state. action: [next state, event], null where no event is emitted. */
// prettier-ignore
export const orderLife = machine({
  open:      { complete: ["completed", null], cancel: ["cancelled", "order.cancelled"] },
  completed: { resume: ["open", null] },
  cancelled: {},
});
export type OrderStatus = StateOf<typeof orderLife>;
export const orderStatuses = ["open", "completed", "cancelled"] as const;

export const paymentStatuses = [
  "unpaid",
  "pending",
  "review",
  "partially_paid",
  "paid",
  "overpaid",
  "partially_refunded",
  "refunded",
] as const;
export type OrderPaymentStatus = (typeof paymentStatuses)[number];

/** The statuses of an order that is paid and not refunded in full: its goods may be sent. */
export const sendableStatuses = [
  "paid",
  "overpaid",
  "partially_refunded",
] as const satisfies readonly OrderPaymentStatus[];

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

/** The form of what a line shows of its variant, without the address of pictures, which may be another one when they are shown. */
export const keptVariant = {
  pack: ({ slug, title, options, image }: KeptVariant): KeptVariant => ({
    slug,
    title,
    options,
    image,
  }),
  unpack: (kept: KeptVariant): KeptVariant => kept,
};

export interface FulfilledLine {
  readonly lineItemId: Id<"lineItem">;
  readonly quantity: number;
}

export interface Tracking {
  readonly carrier: string | null;
  readonly number: string | null;
  readonly url: string | null;
}

/** A row per state. action: [next state, event], null where no event is emitted. */
// prettier-ignore
export const cartLife = machine({
  active:    { checkout: ["checkout", "checkout.started"], complete: ["completed", null], expire: ["expired", null] },
  checkout:  { abandon: ["abandoned", "cart.abandoned"], complete: ["completed", null], empty: ["active", null] },
  abandoned: { checkout: ["checkout", "cart.recovered"], complete: ["completed", "cart.recovered"], empty: ["active", null], expire: ["expired", null] },
  completed: {},
  expired:   {},
});
export type CartStatus = StateOf<typeof cartLife>;
export const cartStatuses = ["active", "checkout", "abandoned", "completed", "expired"] as const;

export const returnReasons = [
  "unwanted",
  "damaged",
  "wrong_item",
  "refused_at_door",
  "not_collected",
  "other",
] as const;
export type ReturnReason = (typeof returnReasons)[number];

/** Units of a line that came back, and how many of them returned to stock. */
export interface ReturnedLine {
  readonly lineItemId: Id<"lineItem">;
  readonly quantity: number;
  readonly restocked: number;
}
