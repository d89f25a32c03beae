// Stories: money that came past the gateways is recorded on its order, in whatever state the order is.

import type { Id } from "#kernel/id.ts";
import { readPositiveAmount } from "#kernel/money.ts";
import type { PaymentMethod } from "#kernel/payment-method.ts";
import { Faults } from "#kernel/refusal.ts";
import { getPayment, lockPayment, type WholePayment } from "#payments/rows/lookups.ts";
import { arrivedAs, settlePayment } from "#payments/settling/settle-payment.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import { lockOrder } from "#sales/orders/lookups.ts";
import type { Order } from "#sales/rows/order.ts";

import { saveAttempt } from "./open-attempt.ts";
import { composePayment, plainPayment } from "./payment-request.ts";
import { checkTold, readTold, type Told } from "./told-facts.ts";

interface MoneyByHand {
  readonly method: PaymentMethod;
  readonly told: Told;
  /** Minor units of the order's currency, above zero. */
  readonly amountMinor: number;
  readonly mode: Mode;
}

/**
 * Afterwards the locked order has a payment of this money, which counts at once: a write-off is taken back first, money
 * that is not owed is overpaid, and that of a cancelled order has a refund that waits to be handed back. Returns the
 * payment's id. Refuses with `transaction_seen`.
 */
export async function recordMoney(
  tx: Tx,
  order: Order,
  { method, amountMinor, mode, told }: MoneyByHand,
): Promise<Id<"payment">> {
  const { id: orderId, currency } = order;
  const composed = composePayment(
    { ...plainPayment, orderId, method },
    {
      now: tx.now,
      order,
      method,
      gateway: null,
      byHand: null,
      amountMinor,
      currency,
      idempotent: null,
    },
  );
  const payment = { ...composed, ...(await readTold(tx, told, method)) };
  await saveAttempt(tx, payment, order);
  const outcome = arrivedAs(payment, { mode, amountMinor });
  await settlePayment(tx, await lockPayment(tx, payment.id), { mode, outcome });
  return payment.id;
}

interface GivenMoney extends Omit<MoneyByHand, "amountMinor"> {
  /** Major units. */
  readonly amount: number | string;
}

/** Records the money as `recordMoney` does. Refuses with `order_not_found`, `validation_failed` and `transaction_seen`. */
export async function recordOrderPayment(
  tx: Tx,
  id: Id<"order">,
  { amount, ...money }: GivenMoney,
): Promise<WholePayment> {
  const order = await lockOrder(tx, id);
  const faults = new Faults();
  const place = { faults, pointer: "/amount" };
  const amountMinor = readPositiveAmount(amount, order.currency, place) ?? 0;
  await checkTold(tx, money.told, { method: money.method, faults, at: "" });
  faults.refuseIfAny();
  return getPayment(tx, await recordMoney(tx, order, { ...money, amountMinor }));
}
