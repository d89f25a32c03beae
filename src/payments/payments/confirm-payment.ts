// Story: a person says that cash or a transfer came, and how much.

import type { CurrencyCode } from "#kernel/currency.ts";
import { readAmount } from "#kernel/money.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import { dueOf, forbidden, type Order } from "#sales/orders/order.ts";

import { getPayment, lockPayment, type WholePayment } from "./lookups.ts";
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
  const { amount, currency } = confirmation;
  const faults = new Faults();
  const amountMinor = readAmount(amount, currency, { faults, pointer: "/amount" });
  faults.refuseIfAny();
  if (isGatewayMethod(payment.method)) throw paymentForbidden(payment, "confirm");
  if (amountMinor !== payment.amountMinor || currency !== payment.currency) {
    throw amountMismatch();
  }
  if (payment.receivedMinor !== null) return getPayment(tx, payment.id);
  if (held.order !== null) refuseWhatIsNotOwed(held.order);
  await settlePayment(tx, held, {
    mode: confirmation.mode,
    outcome: {
      state: "succeeded",
      mode: confirmation.mode,
      gatewayReference: payment.id,
      amountMinor,
      currency,
      gatewayId: null,
    },
  });
  return getPayment(tx, payment.id);
}

/** Nobody takes cash for what is not owed: it would have to go back the way it came. */
function refuseWhatIsNotOwed(order: Order): void {
  if (order.status === "cancelled") throw forbidden(order, "pay");
  if (dueOf(order) === 0) throw orderPaidAlready({ members: { order_id: order.id } });
}
