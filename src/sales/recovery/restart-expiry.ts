// Story: the time to pay the rest of an order starts anew, because a part of its money was accepted late.

import { MINUTE_MS } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";
import { awaitsPayment } from "#sales/balance/balance.ts";
import { type Order, unpaidOrderTimers } from "#sales/orders/order.ts";
import { saveOrder } from "#sales/orders/save-order.ts";
import { getStore } from "#shop/store/lookups.ts";
import { expiryMinutesOf } from "#shop/store/payment-methods.ts";

/** A locked order that expires has as long from now as a new order of its payment method. */
export async function restartExpiry(tx: Tx, before: Order): Promise<Order> {
  if (before.expiresAt === null || !awaitsPayment(before)) return before;
  // Cash of the merchant's own orders has no end: an order that has one was placed by a customer.
  const terms = { isFromMerchant: false };
  const minutes = expiryMinutesOf(await getStore(tx), before.paymentMethod, terms);
  const expiresAt = minutes === null ? null : tx.now + minutes * MINUTE_MS;
  const order = await saveOrder(tx, before, { expiresAt });
  const { expire: name } = unpaidOrderTimers;
  if (expiresAt === null) await clearTimer(tx, name, order.id);
  else await setTimer(tx, { name, subject: order.id, dueAt: expiresAt });
  return order;
}
