// The rules of an order's units and states. What is owed and due stands in `balance`.

import type { ShownVariant } from "#catalog/rows/variant.ts";
import { defineFaults, type Meanings } from "#kernel/fault.ts";
import type { Id } from "#kernel/id.ts";
import {
  defineMembers,
  defineRefusal,
  member,
  type Members,
  publicMember,
  type Refusal,
} from "#kernel/refusal.ts";
import { HOUR_MS, MINUTE_MS } from "#kernel/time.ts";

import type { FulfillmentStatus } from "./order-life.ts";
import type { FulfillmentRow, OrderLineRow, OrderRow } from "./tables.ts";

/** The order itself, without its lines. Amounts are integer minor units of its currency. */
export type Order = OrderRow;

/** One line item at the price agreed; later changes of the catalog do not reach it. */
export interface OrderLine extends OrderLineRow {
  readonly shown: ShownVariant | null;
}

export type Fulfillment = FulfillmentRow;

/** An order with everything that belongs to it. */
export interface WholeOrder {
  readonly order: Order;
  readonly lines: readonly OrderLine[];
  readonly fulfillments: readonly Fulfillment[];
}

/** An order that is unpaid for this long counts as abandoned, as a checkout does. */
export const UNPAID_ORDER_ABANDONED_AFTER_MS = HOUR_MS;
/**
 * While an attempt at a gateway is open, abandonment and expiry are retried after this: most attempts
 * end by then.
 */
export const OPEN_ATTEMPT_RETRY_MS = 15 * MINUTE_MS;

/**
 * The timers that settle the payments of an order after a change of it, since gateways are called outside of
 * a transaction. All close the attempts that ask for more than is due.
 */
export const settlingTimers = {
  /** Refunds what was paid for credited units. As the next, set by no story any more: a database of an earlier release may still have one. */
  refundOverpaid: "refund_cancelled_order",
  closeCancelled: "close_cancelled_order",
  closeAttempts: "settle_paid_order",
} as const;

type Units = Pick<OrderLine, "quantity" | "cancelledQuantity" | "fulfilledQuantity">;

/** Units of a line that are neither cancelled nor shipped: what fulfilling ships and stock is reserved for. */
export function openUnits(line: Units): number {
  return line.quantity - line.cancelledQuantity - line.fulfilledQuantity;
}

/** Computes `fulfillment_status` from the units of the lines: fulfilled once none is open and one has shipped. */
export function fulfillmentStatusOf(lines: readonly Units[]): FulfillmentStatus {
  if (lines.every((line) => line.fulfilledQuantity === 0)) return "unfulfilled";
  return lines.every((line) => openUnits(line) === 0) ? "fulfilled" : "partially_fulfilled";
}

/** The actions that the order's state allows, as `invalid_transition` lists them. */
function allowedActions(order: Order): string[] {
  if (order.status === "cancelled") return [];
  const { fulfillmentStatus } = order;
  return [
    ...(fulfillmentStatus === "fulfilled" ? [] : ["fulfill", "cancel"]),
    ...(fulfillmentStatus === "unfulfilled" ? [] : ["return"]),
    ...(whyLinesStay(order) === null ? ["change_lines"] : []),
  ];
}

/**
 * Why lines and shipping cannot change; null while nothing is paid, shipped or credited, and no payment attempt is
 * open. The credited amount does not tell of units that cost nothing.
 */
export function whyLinesStay(order: Order, isCredited = order.creditedMinor > 0): string | null {
  const { status, fulfillmentStatus, paymentStatus } = order;
  if (status !== "open" || fulfillmentStatus !== "unfulfilled") return stateOf(order);
  if (isCredited) return "Units were cancelled: line items and shipping cannot change any more.";
  if (paymentStatus === "unpaid") return null;
  return `Line items and shipping can change only while the payment status is unpaid. It is ${paymentStatus}.`;
}

function stateOf({ status, fulfillmentStatus }: Order): string {
  return `The order is ${status} and ${fulfillmentStatus}.`;
}

/**
 * Units of each variant, summed over its lines, in the order of first appearance. No stock is kept of lines
 * of the merchant's own.
 */
export function unitsByVariant(
  lines: readonly { readonly variantId: Id<"variant"> | null; readonly quantity: number }[],
): { variantId: Id<"variant">; quantity: number }[] {
  const units = new Map<Id<"variant">, number>();
  for (const { variantId, quantity } of lines) {
    if (variantId === null) continue;
    units.set(variantId, (units.get(variantId) ?? 0) + quantity);
  }
  return [...units].map(([variantId, quantity]) => ({ variantId, quantity }));
}

/** The timers of an unpaid order: one announces it as abandoned, the other cancels it. */
export const unpaidOrderTimers = { abandon: "abandon_order", expire: "expire_order" } as const;

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
export const totalChanged = defineRefusal("total_changed", "conflict", {
  title: "The total differs from the expected one.",
  cause:
    "`expected_total` differs from what the sale comes to now: a price, a discount, the shipping or a tax has changed, or a code has ended or is used up. `total` and `total_minor` are the current total.",
  remedy: "Show the customer the current total, and repeat the request with it.",
  example: { members: { total: 15, total_minor: 1500, currency: "USD" } },
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
export function forbidden(order: Order, action: string, detail = stateOf(order)): Refusal {
  const allowed = allowedActions(order).filter((one) => one !== action);
  return invalidTransition({ detail, members: { from: order.status, action, allowed } });
}

const orderFaults = defineFaults({
  unknown_order: "There is no such order.",
  unknown_line_item: "The order has no such line item.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof orderFaults> {}
}

const orderMembers = defineMembers({
  order_id: publicMember(member.idOrNull("The order that is paid, or that the cart became.")),
  status_url: publicMember(
    member.text("The page of that order, where completing the cart is refused."),
  ),
  total: publicMember(member.number("What the order comes to now, in major units.")),
  total_minor: publicMember(member.units("The same in minor units.")),
  expected_minor: publicMember(member.units("The total that was expected, in minor units.")),
});
declare module "#kernel/refusal.ts" {
  interface ProblemMembers extends Members<typeof orderMembers> {}
}
