// Workflow: approves or declines a simulated payment in place of its customer. The decision is
// committed at the gateway before the shop polls, so that the answer already shows its result.

import { pollPayment } from "#payments/attempts/poll-payment.ts";
import { attemptOf, type PaymentsShop } from "#payments/port/payments-shop.ts";
import { getPayment, type WholePayment } from "#payments/rows/lookups.ts";
import type { PaymentStatus } from "#payments/rows/payment-life.ts";
import { type Payment, paymentForbidden } from "#payments/rows/payment.ts";

import type { Choice } from "./decision.ts";
import { simulatedGatewayOf } from "./simulated.ts";

/** The states of a payment that was approved or declined before. */
const statesAfter: Readonly<Record<"approved" | "declined", readonly PaymentStatus[]>> = {
  approved: ["succeeded", "partially_refunded", "refunded", "review"],
  declined: ["failed"],
};

/**
 * Afterwards the payment is decided; repeating the same decision returns it as it is. Refuses with
 * `not_found` in live mode, with `payment_not_found`, and with `invalid_transition` if the payment is not
 * open at the gateway.
 */
export async function decidePayment(
  shop: PaymentsShop,
  reference: string,
  choice: Choice & { readonly decision: keyof typeof statesAfter },
): Promise<WholePayment> {
  const { payment } = await getPayment(shop.database.read, reference);
  const gateway = simulatedGatewayOf(shop);
  if (gateway === null || payment.gateway !== gateway.id) throw refusal(payment, choice);
  const charge = await gateway.play(attemptOf(payment).gatewayReference, choice);
  const after = await pollPayment(shop, payment.id, "due");
  const isSame = statesAfter[choice.decision].includes(after.payment.status);
  if (charge === null && !isSame) throw refusal(after.payment, choice);
  return after;
}

function refusal(payment: Payment, { decision }: Choice) {
  return paymentForbidden(payment, decision === "approved" ? "approve" : "decline");
}
