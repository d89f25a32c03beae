// Stories: money that came past the gateways is recorded on its order, in whatever state the order is.

import { defineFaults, type Meanings } from "#kernel/fault.ts";
import type { Id } from "#kernel/id.ts";
import { readPositiveAmount } from "#kernel/money.ts";
import type { PaymentMethod } from "#kernel/payment-method.ts";
import { Faults } from "#kernel/refusal.ts";
import { dayAt } from "#kernel/time.ts";
import { getPayment, lockPayment, type WholePayment } from "#payments/rows/lookups.ts";
import type { Payment } from "#payments/rows/payment.ts";
import { arrivedAs, settlePayment } from "#payments/settling/settle-payment.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import { lockOrder } from "#sales/orders/lookups.ts";
import type { Order } from "#sales/rows/order.ts";
import { getStore } from "#shop/store/lookups.ts";

import { saveAttempt } from "./open-attempt.ts";
import { composePayment, plainPayment } from "./payment-request.ts";

/** Who recorded the money may tell more of it than how much it was. */
type Told = Pick<Payment, "receivedOn" | "transactionReference" | "note">;

export const untold: Told = { receivedOn: null, transactionReference: null, note: null };

interface MoneyByHand extends Told {
  readonly method: PaymentMethod;
  /** Minor units of the order's currency, above zero. */
  readonly amountMinor: number;
  readonly mode: Mode;
}

/**
 * Afterwards the locked order has a payment of this money, which counts at once: a write-off is taken back first, money
 * that is not owed is overpaid, and that of a cancelled order has a refund that waits to be handed back. Returns the
 * payment's id.
 */
export async function recordMoney(
  tx: Tx,
  order: Order,
  { method, amountMinor, mode, receivedOn, ...told }: MoneyByHand,
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
  const payment = { ...composed, ...told };
  await saveAttempt(tx, payment, order);
  const outcome = arrivedAs(payment, { mode, amountMinor });
  await settlePayment(tx, await lockPayment(tx, payment.id), { mode, outcome, receivedOn });
  return payment.id;
}

interface GivenMoney extends Omit<MoneyByHand, "amountMinor"> {
  /** Major units. */
  readonly amount: number | string;
}

/** Records the money as `recordMoney` does. Refuses with `order_not_found` and `validation_failed`. */
export async function recordOrderPayment(
  tx: Tx,
  id: Id<"order">,
  { amount, ...money }: GivenMoney,
): Promise<WholePayment> {
  const order = await lockOrder(tx, id);
  const faults = new Faults();
  const place = { faults, pointer: "/amount" };
  const amountMinor = readPositiveAmount(amount, order.currency, place) ?? 0;
  await checkReceivedOn(tx, money.receivedOn, faults);
  faults.refuseIfAny();
  return getPayment(tx, await recordMoney(tx, order, { ...money, amountMinor }));
}

/** Money is recorded within a year: a day further back is a typing error. */
const RECEIVED_DAYS_BACK = 366;

/** Adds a fault where the day on which money was received is after today, or too long ago, in the shop's time zone. */
export async function checkReceivedOn(
  tx: Tx,
  receivedOn: string | null,
  faults: Faults,
): Promise<void> {
  if (receivedOn === null) return;
  const { timezone } = await getStore(tx);
  const today = dayAt(tx.now, timezone);
  const first = dayAt(tx.now, timezone, -RECEIVED_DAYS_BACK);
  if (receivedOn >= first && receivedOn <= today) return;
  faults.add("/received_on", "date_invalid", `This must be a day from ${first} to ${today}.`);
}

const dayFaults = defineFaults({
  date_invalid: "The day is in the future or more than 366 days ago.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof dayFaults> {}
}
