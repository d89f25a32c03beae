// Refunds: the rules. Invariant: the refunds of a payment that have not failed never
// exceed what was captured.

import { defineRefusal } from "#kernel/refusal.ts";
import { DAY_MS, HOUR_MS } from "#kernel/time.ts";
import type { RefundRow } from "#payments/payments/tables.ts";
import type { Surplus } from "#sales/balance/balance.ts";
import type { WholeOrder } from "#sales/orders/order.ts";

/** A refund of a payment, in full or in part. Amounts are integer minor units of its currency. */
export type Refund = RefundRow;

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

export const refundExceedsCaptured = defineRefusal("refund_exceeds_captured", "conflict", {
  title: "The amount exceeds what can still be refunded.",
  cause: "The refund is greater than what is left of the captured amount.",
  remedy: "Refund at most `refundable_minor`.",
  example: {
    detail: "Only 12.50 USD can be refunded.",
    members: { refundable_minor: 1_250, currency: "USD" },
  },
});
