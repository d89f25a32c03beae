// How a payment stands when its customer comes back, and where they go on. Pure. Invariant: the address is the one
// that was stored with the payment, whatever the request says.

import type { PaymentStatus } from "#payments/payments/payment-life.ts";
import type { Payment } from "#payments/payments/payment.ts";

/** Said of a customer who gave up on a page of the gateway, as long as no money came. */
const CANCELLED = "cancelled";
const unpaidStates: ReadonlySet<PaymentStatus> = new Set([
  "pending",
  "requires_action",
  "failed",
  "expired",
]);

/** A hint for the customer's shop: the payment itself is the proof. */
export function hintOf({ status }: Pick<Payment, "status">, isCancelled: boolean): PaymentStatus {
  return isCancelled && unpaidStates.has(status) ? CANCELLED : status;
}

/** The parameters that are appended; those of an earlier return are left out. */
const APPENDED = /^(?:payment|status)(?:=|$)/;

/** Returns the merchant's address with the payment and the hint appended; null where there is none. */
export function onwardUrlOf(
  { id, returnUrl }: Pick<Payment, "id" | "returnUrl">,
  hint: PaymentStatus,
): string | null {
  if (returnUrl === null) return null;
  const url = new URL(returnUrl);
  // As text: what the merchant's own parameters say is not written anew.
  const given = url.search.slice(1).split("&");
  const kept = given.filter((one) => one !== "" && !APPENDED.test(one));
  url.search = [...kept, `payment=${id}`, `status=${hint}`].join("&");
  return url.href;
}
