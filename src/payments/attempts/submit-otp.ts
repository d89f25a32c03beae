// Workflow: the payer typed the code that the gateway asked for.

import type { Initiation } from "#payments/gateways/port.ts";
import { getPayment, type WholePayment } from "#payments/payments/lookups.ts";
import { gatewayUnavailable, type Payment, paymentForbidden } from "#payments/payments/payment.ts";
import { attemptOf, gatewayOf, type PaymentsShop } from "#payments/payments/payments-shop.ts";

import { noteInitiation } from "./note-initiation.ts";

/** Afterwards the gateway has the code. Refuses with `invalid_transition` where none was asked for. */
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
  const initiation = await submit(shop, payment, otp);
  await database.write((tx) => noteInitiation(tx, { asked: payment, initiation, mode }));
  if (initiation.kind === "not_sent") throw gatewayUnavailable({ headers: { "Retry-After": "5" } });
  return getPayment(database.read, payment.id);
}

async function submit(shop: PaymentsShop, payment: Payment, otp: string): Promise<Initiation> {
  const gateway = gatewayOf(shop, payment);
  if (gateway === null) return { kind: "not_sent" };
  try {
    return await gateway.submitAction(attemptOf(payment), { otp });
  } catch {
    // A gateway that breaks off has told nothing: the code may have been taken.
    return { kind: "unknown" };
  }
}
