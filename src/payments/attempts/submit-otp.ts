// Workflow: submits the one-time code that the gateway sent to the customer.

import type { Initiation } from "#payments/gateways/port.ts";
import { getPayment, type WholePayment } from "#payments/payments/lookups.ts";
import { gatewayUnavailable, paymentForbidden } from "#payments/payments/payment.ts";
import { askGateway, type PaymentsShop } from "#payments/payments/payments-shop.ts";

import { noteInitiation } from "./note-initiation.ts";

/**
 * Afterwards the payment is what the gateway answered to the code. Refuses with `invalid_transition`
 * where no code is expected, and with `gateway_unavailable` where the call never left this program.
 */
export async function submitOtp(
  shop: PaymentsShop,
  reference: string,
  otp: string,
): Promise<WholePayment> {
  const { database, mode } = shop;
  const { payment } = await getPayment(database.read, reference);
  if (payment.status !== "requires_action" || payment.nextAction?.type !== "otp") {
    throw paymentForbidden(payment, "submit_otp");
  }
  const initiation = await askGateway<Initiation>(shop, payment, {
    ask: (gateway, attempt) => gateway.submitAction(attempt, { otp }),
    absent: { kind: "not_sent" },
    broken: { kind: "unknown" },
  });
  await database.write((tx) => noteInitiation(tx, { sent: payment, initiation, mode }));
  if (initiation.kind === "not_sent") throw gatewayUnavailable({ headers: { "Retry-After": "5" } });
  return getPayment(database.read, payment.id);
}
