// Workflow: somebody plays the payer of a simulated payment. What was decided is committed at the
// gateway before the shop looks, so that the answer already says what came of it.

import type { Id } from "#kernel/id.ts";
import { attemptOf, cashierOf } from "#payments/cashier.ts";
import { findPayment, type WholePayment } from "#payments/find-payment.ts";
import type { Choice } from "#payments/gateways/simulated-decision.ts";
import { SimulatedGateway } from "#payments/gateways/simulated.ts";
import { type Payment, paymentForbidden } from "#payments/payment.ts";
import { settlePayment } from "#payments/settle-payment.ts";
import type { Shop } from "#platform/store/store.ts";

import { requireTestMode } from "./require-sandbox.ts";

/** What the gateway says of a payment that was approved or declined. */
const endings = { approved: "succeeded", declined: "failed" } as const;

/**
 * Afterwards the payer has approved or declined, and the payment says so. The same once more is
 * answered the same. Refuses with `not_found` in live mode, with `payment_not_found`, and with
 * `invalid_transition` what is no longer open at the gateway or never was there.
 */
export async function playPayer(
  shop: Shop,
  reference: string,
  choice: Choice & { readonly decision: keyof typeof endings },
): Promise<WholePayment> {
  requireTestMode(shop.mode);
  const { payment } = await findPayment(shop.store.read, reference);
  const gateway = simulatedGatewayOf(shop);
  if (gateway === null || payment.gateway !== gateway.id) throw refusal(payment, choice);
  const played = await gateway.play(attemptOf(payment).gatewayReference, choice);
  const state = await lookAtGateway(shop, payment.id);
  if (played === null && state !== endings[choice.decision]) throw refusal(payment, choice);
  return findPayment(shop.store.read, payment.id);
}

/** The shop's simulated gateway; null where a vendor's own sandbox takes its place. */
export function simulatedGatewayOf(shop: Shop): SimulatedGateway | null {
  const { gateways } = cashierOf(shop);
  return gateways.find((gateway) => gateway instanceof SimulatedGateway) ?? null;
}

/** Lets the shop look now, as a payer's return does; answers what the gateway said. */
export async function lookAtGateway(shop: Shop, id: Id<"payment">): Promise<string> {
  const { payment } = await findPayment(shop.store.read, id);
  const gateway = simulatedGatewayOf(shop);
  if (gateway === null) return "unknown";
  const outcome = await gateway.verify(attemptOf(payment));
  await shop.store.write((tx) => settlePayment(tx, id, { mode: shop.mode, outcome }));
  return outcome.state;
}

function refusal(payment: Payment, { decision }: Choice) {
  return paymentForbidden(payment, decision === "approved" ? "approve" : "decline");
}
