// Refunds: types, the life, rules. Invariant: the refunds of a payment that have not failed never
// exceed what was captured.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import { type ActionOf, machine, type StateOf } from "#kernel/machine.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { DAY_MS, HOUR_MS } from "#kernel/time.ts";
import type { Surplus, WholeOrder } from "#sales/orders/order.ts";

/** A row per state. action: [next state, event], null where no event is emitted. */
// prettier-ignore
export const refundLife = machine({
  pending:         { work: ["processing", null], succeed: ["succeeded", "order.refunded"], fail: ["failed", null], stop: ["needs_attention", null] },
  processing:      { succeed: ["succeeded", "order.refunded"], fail: ["failed", null], stop: ["needs_attention", null] },
  needs_attention: { work: ["processing", null], succeed: ["succeeded", "order.refunded"], fail: ["failed", null] },
  succeeded:       {},
  failed:          {},
});
export type RefundStatus = StateOf<typeof refundLife>;
export type RefundAction = ActionOf<typeof refundLife>;
export const refundStates = [
  "pending",
  "processing",
  "succeeded",
  "failed",
  "needs_attention",
] as const satisfies readonly RefundStatus[];

export const refundReasons = [
  "requested_by_customer",
  "duplicate",
  "fraud",
  "goods_returned",
  "order_cancelled",
  "late_payment",
  "other",
] as const;
export type RefundReason = (typeof refundReasons)[number];

/** Units of a line that are refunded, and how many of them return to stock. */
export interface RefundedLine {
  readonly lineItemId: Id<"lineItem">;
  readonly quantity: number;
  readonly amountMinor: number;
  readonly restocked: number;
}

/** A refund of a payment, in full or in part. Amounts are integer minor units of its currency. */
export interface Refund {
  readonly id: Id<"refund">;
  readonly paymentId: Id<"payment">;
  readonly orderId: Id<"order"> | null;
  readonly status: RefundStatus;
  readonly amountMinor: number;
  readonly currency: CurrencyCode;
  readonly reason: RefundReason;
  readonly note: string | null;
  readonly lines: readonly RefundedLine[];
  /** Opened by the shop for late money; a payment has at most one. */
  readonly isAutomatic: boolean;
  readonly gatewayRefundId: string | null;
  readonly gatewayCode: string | null;
  readonly isUnknown: boolean;
  readonly idempotencyKey: string | null;
  readonly fingerprint: string | null;
  readonly succeededAt: number | null;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The refunds that one request opened, and the order afterwards. */
export interface OrderRefund {
  readonly order: WholeOrder;
  readonly refunds: readonly Refund[];
}

/** Whether the gateway has not decided yet. */
export function isRefundOpen({ status }: Pick<Refund, "status">): boolean {
  return status === "pending" || status === "processing" || status === "needs_attention";
}

/** The part of an order's refunds that is late money, which was never due. */
export function surplusOf(refunds: readonly Refund[]): Surplus {
  const late = refunds.filter(({ isAutomatic, status }) => isAutomatic && status !== "failed");
  const returned = late.filter(({ status }) => status === "succeeded");
  return { returningMinor: sumOf(late), returnedMinor: sumOf(returned) };
}

function sumOf(refunds: readonly Refund[]): number {
  return refunds.reduce((total, { amountMinor }) => total + amountMinor, 0);
}

/** When to poll next: hourly for three days, then daily until the thirtieth; null after that. */
export function nextRefundPollAt({ createdAt }: Refund, now: number): number | null {
  const age = now - createdAt;
  if (age < 3 * DAY_MS) return now + HOUR_MS;
  return age < 30 * DAY_MS ? now + DAY_MS : null;
}

export const refundExceedsCaptured = defineRefusal(
  "refund_exceeds_captured",
  "conflict",
  "The amount exceeds what can still be refunded.",
);
