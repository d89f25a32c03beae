// Workflow: somebody plays the payer of a simulated payment. What was decided is committed at the
// gateway before the shop looks, so that the answer already says what came of it.

import { pollPayment } from "#payments/attempts/poll-payment.ts";
import { getPayment, type WholePayment } from "#payments/payments/lookups.ts";
import { type Payment, paymentForbidden, type PaymentStatus } from "#payments/payments/payment.ts";
import { attemptOf, type PaymentsShop } from "#payments/payments/payments-shop.ts";

import type { Choice } from "./decision.ts";
import { simulatedGatewayOf } from "./simulated.ts";

/** Where a payment stands that was approved or declined before. */
const agreeing: Readonly<Record<"approved" | "declined", readonly PaymentStatus[]>> = {
  approved: ["succeeded", "partially_refunded", "refunded", "review"],
  declined: ["failed"],
};

/**
 * Afterwards the payer has approved or declined, and the payment says so. The same once more is
 * answered the same. Refuses with `not_found` in live mode, with `payment_not_found`, and with
 * `invalid_transition` what is no longer open at the gateway or never was there.
 */
export async function decidePayment(
  shop: PaymentsShop,
  reference: string,
  choice: Choice & { readonly decision: keyof typeof agreeing },
): Promise<WholePayment> {
  const { payment } = await getPayment(shop.database.read, reference);
  const gateway = simulatedGatewayOf(shop);
  if (gateway === null || payment.gateway !== gateway.id) throw refusal(payment, choice);
  const played = await gateway.play(attemptOf(payment).gatewayReference, choice);
  const after = await pollPayment(shop, payment.id, "now");
  const isSame = agreeing[choice.decision].includes(after.payment.status);
  if (played === null && !isSame) throw refusal(after.payment, choice);
  return after;
}

function refusal(payment: Payment, { decision }: Choice) {
  return paymentForbidden(payment, decision === "approved" ? "approve" : "decline");
}
