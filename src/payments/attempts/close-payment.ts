// Workflow: an attempt ends unpaid, because somebody cancelled it or its time is over. The gateway is
// told, where it can be; where it cannot, money may still come, and is then dealt with.

import type { Cancellation } from "#payments/gateways/port.ts";
import { advancePayment } from "#payments/payments/advance-payment.ts";
import { getPayment, lockPayment, type WholePayment } from "#payments/payments/lookups.ts";
import { isOpen, type Payment, paymentForbidden } from "#payments/payments/payment.ts";
import { attemptOf, gatewayOf, type PaymentsShop } from "#payments/payments/payments-shop.ts";
import { settlePayment } from "#payments/payments/settle-payment.ts";

/**
 * Afterwards the attempt is closed, or paid where that was faster. One that is closed like this is
 * answered as it is; any other that is not open is refused with `invalid_transition`.
 */
export async function closePayment(
  shop: PaymentsShop,
  reference: string,
  action: "cancel" | "expire",
): Promise<WholePayment> {
  const { database, mode } = shop;
  const found = await getPayment(database.read, reference);
  const closed = action === "cancel" ? "cancelled" : "expired";
  if (found.payment.status === closed) return found;
  refuseUnlessOpen(found.payment, action);
  const told = await tell(shop, found.payment);
  return database.write(async (tx) => {
    const held = await lockPayment(tx, found.payment.id);
    if (told.kind === "too_late") await settlePayment(tx, held, { mode, outcome: told.outcome });
    else if (isOpen(held.payment))
      await advancePayment(tx, held, { action, change: { nextAction: null } });
    return getPayment(tx, held.payment.id);
  });
}

/** What is at work cannot be called back by the payer; only its time can end. */
function refuseUnlessOpen(payment: Payment, action: "cancel" | "expire"): void {
  const isAtWork = action === "cancel" && payment.status === "processing";
  if (!isOpen(payment) || isAtWork) throw paymentForbidden(payment, action);
}

async function tell(shop: PaymentsShop, payment: Payment): Promise<Cancellation> {
  const gateway = gatewayOf(shop, payment);
  if (gateway === null) return { kind: "unsupported" };
  try {
    return await gateway.cancel(attemptOf(payment));
  } catch {
    // A gateway that breaks off has told nothing; we go on looking for late money.
    return { kind: "unknown" };
  }
}
