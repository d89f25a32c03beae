// Workflow: polls a payment for someone who waits, and not for longer than people like to.

import { getPayment, type WholePayment } from "#payments/payments/lookups.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import { openDeadline, untilAborted } from "#platform/net/deadline.ts";

import { pollPayment, type PollReason } from "./poll-payment.ts";

/**
 * Returns the payment as `pollPayment` does, or after the time of a reader as the shop knows it. The poll then goes
 * on; if it fails, the timer polls again. Refuses with `payment_not_found`.
 */
export async function pollBriefly(
  shop: PaymentsShop,
  reference: string,
  reason: PollReason,
): Promise<WholePayment> {
  using deadline = openDeadline(shop.callTimes.reader);
  try {
    return await untilAborted(pollPayment(shop, reference, reason), deadline.signal);
  } catch (error) {
    if (!deadline.signal.aborted) throw error;
    return await getPayment(shop.database.read, reference);
  }
}
