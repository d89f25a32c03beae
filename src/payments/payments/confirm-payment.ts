// Story: the merchant confirms that money by hand arrived, such as cash or a transfer.

import type { CurrencyCode } from "#kernel/currency.ts";
import { readAmount } from "#kernel/money.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import { dueOf } from "#sales/balance/balance.ts";
import { forbidden, type Order } from "#sales/orders/order.ts";

import { getPayment, lockPayment, type WholePayment } from "./lookups.ts";
import { amountMismatch, orderPaidAlready, paymentForbidden } from "./payment.ts";
import { settlePayment } from "./settle-payment.ts";

export interface Confirmation {
  readonly amount: number | string;
  readonly currency: CurrencyCode;
  readonly mode: Mode;
}

/**
 * Afterwards the payment is settled; one that is confirmed already is returned as it is. Refuses with
 * `invalid_transition` for a gateway's payment or a cancelled order, with `amount_mismatch` and with
 * `order_paid`.
 */
export async function confirmPayment(
  tx: Tx,
  reference: string,
  confirmation: Confirmation,
): Promise<WholePayment> {
  const locked = await lockPayment(tx, reference);
  const { payment } = locked;
  const { amount, currency } = confirmation;
  const faults = new Faults();
  const amountMinor = readAmount(amount, currency, { faults, pointer: "/amount" });
  faults.refuseIfAny();
  if (payment.gateway !== null) throw paymentForbidden(payment, "confirm");
  if (amountMinor !== payment.amountMinor || currency !== payment.currency) {
    throw amountMismatch();
  }
  if (payment.receivedMinor !== null) return getPayment(tx, payment.id);
  if (locked.order !== null) refuseUnlessDue(locked.order);
  await settlePayment(tx, locked, {
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

/** A surplus in cash could not be refunded automatically, so it is refused. */
function refuseUnlessDue(order: Order): void {
  if (order.status === "cancelled") throw forbidden(order, "pay");
  if (dueOf(order) === 0) throw orderPaidAlready({ members: { order_id: order.id } });
}
