// Story: a person says that cash or a transfer came, and how much.

import type { CurrencyCode } from "#kernel/currency.ts";
import { parseAmount } from "#kernel/money.ts";
import { validationFailed } from "#kernel/refusal.ts";
import type { Mode, Tx } from "#platform/database/database.ts";
import { dueOf, forbidden, type Order } from "#sales/orders/order.ts";

import { findPayment, lockPayment, type WholePayment } from "./lookups.ts";
import { amountMismatch, isGatewayMethod, orderPaidAlready, paymentForbidden } from "./payment.ts";
import { settlePayment } from "./settle-payment.ts";

export interface Confirmation {
  readonly amount: number | string;
  readonly currency: CurrencyCode;
  readonly mode: Mode;
}

/**
 * Afterwards the payment is settled. A confirmed one is answered as it is. Refuses with
 * `invalid_transition` what a gateway decides, `amount_mismatch`, `order_paid`.
 */
export async function confirmPayment(
  tx: Tx,
  reference: string,
  confirmation: Confirmation,
): Promise<WholePayment> {
  const held = await lockPayment(tx, reference);
  const { payment } = held;
  const amountMinor = readAmount(confirmation);
  if (isGatewayMethod(payment.method)) throw paymentForbidden(payment, "confirm");
  if (amountMinor !== payment.amountMinor || confirmation.currency !== payment.currency) {
    throw amountMismatch();
  }
  if (payment.receivedMinor !== null) return findPayment(tx, payment.id);
  if (held.order !== null) refuseWhatIsNotOwed(held.order);
  await settlePayment(tx, held, {
    mode: confirmation.mode,
    outcome: {
      state: "succeeded",
      mode: confirmation.mode,
      gatewayReference: payment.id,
      amountMinor,
      currency: confirmation.currency,
      gatewayId: null,
    },
  });
  return findPayment(tx, payment.id);
}

function readAmount({ amount, currency }: Confirmation): number {
  const parsed = parseAmount(amount, currency);
  if (!("fault" in parsed)) return parsed.amountMinor;
  const detail = `This is no amount of ${currency}.`;
  throw validationFailed({ faults: [{ pointer: "/amount", code: parsed.fault, detail }] });
}

/** Nobody takes cash for what is not owed: it would have to go back the way it came. */
function refuseWhatIsNotOwed(order: Order): void {
  if (order.status === "cancelled") throw forbidden(order, "pay");
  if (dueOf(order) === 0) throw orderPaidAlready({ members: { order_id: order.id } });
}
