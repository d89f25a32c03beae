// Workflow: closes an unpaid attempt, cancelled by a caller or expired. The gateway is called to cancel
// first; where it cannot, late money may still arrive and is settled as such.

import type { CancelOutcome } from "#payments/gateways/port.ts";
import { findNames } from "#payments/gateways/queries.ts";
import { advancePayment } from "#payments/payments/advance-payment.ts";
import { getPayment, lockPayment, type WholePayment } from "#payments/payments/lookups.ts";
import { isOpenAttempt, type Payment, paymentForbidden } from "#payments/payments/payment.ts";
import { callGateway, type PaymentsShop } from "#payments/payments/payments-shop.ts";
import { settlePayment } from "#payments/payments/settle-payment.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";

/**
 * Afterwards the attempt is closed, or settled if the gateway had already decided it. Returns an
 * attempt that is already closed in this way as it is; refuses any other that is not open with
 * `invalid_transition`.
 */
export async function closePayment(
  shop: PaymentsShop,
  reference: string,
  action: "cancel" | "expire",
): Promise<WholePayment> {
  const { database, mode } = shop;
  const found = await getPayment(database.read, reference);
  const { payment } = found;
  const closed = action === "cancel" ? "cancelled" : "expired";
  if (payment.status === closed) return found;
  refuseUnlessOpen(payment, action);
  const known = await findNames(database.read, payment.id);
  const cancellation = await cancelAtGateway(shop, payment);
  const settled = await database.write(async (tx) => {
    const isNamedSince = (await findNames(tx, payment.id)).length > known.length;
    return isNamedSince ? null : settleClosed(tx, payment, { mode, action, cancellation });
  });
  if (settled !== null) return settled;
  // The attempt was made at the gateway while it was asked, and was not known there yet.
  const again = await cancelAtGateway(shop, payment);
  return database.write((tx) => settleClosed(tx, payment, { mode, action, cancellation: again }));
}

function cancelAtGateway(shop: PaymentsShop, payment: Payment): Promise<CancelOutcome> {
  return callGateway<CancelOutcome>(shop, payment, {
    call: "cancel",
    run: (gateway, attempt, terms) => gateway.cancel(attempt, terms),
    absent: { kind: "unsupported" },
    broken: { kind: "unknown" },
  });
}

interface Closing {
  readonly mode: Mode;
  readonly action: "cancel" | "expire";
  readonly cancellation: CancelOutcome;
}

async function settleClosed(
  tx: Tx,
  { id }: Payment,
  { mode, action, cancellation }: Closing,
): Promise<WholePayment> {
  const locked = await lockPayment(tx, id);
  if (cancellation.kind === "too_late") {
    await settlePayment(tx, locked, { mode, outcome: cancellation.outcome });
  } else if (isOpenAttempt(locked.payment)) {
    await advancePayment(tx, locked, { action, change: { nextAction: null } });
  }
  return getPayment(tx, id);
}

/** A caller cannot cancel an attempt in `processing`; it can only expire. */
function refuseUnlessOpen(payment: Payment, action: "cancel" | "expire"): void {
  const isTooLate = action === "cancel" && payment.status === "processing";
  if (!isOpenAttempt(payment) || isTooLate) throw paymentForbidden(payment, action);
}
