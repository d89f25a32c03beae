// The timers of a cart and of an unpaid order. Each save of the row sets or clears them.

import { isGatewayMethod } from "#kernel/payment-method.ts";
import type { Tx } from "#platform/database/database.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";

import { awaitsPayment } from "./balance.ts";
import { ABANDONED_AFTER_MS, type Cart } from "./cart.ts";
import { type Order, UNPAID_ORDER_ABANDONED_AFTER_MS, unpaidOrderTimers } from "./order.ts";

/**
 * Sets the abandonment timer of a checkout and the expiry timer of an open cart; clears stale ones.
 */
export async function setCartTimers(tx: Tx, before: Cart | null, after: Cart): Promise<void> {
  await setOrClear(tx, "abandon_cart", {
    subject: after.id,
    before: before === null ? null : abandonedAt(before),
    after: abandonedAt(after),
  });
  await setOrClear(tx, "expire_cart", {
    subject: after.id,
    before: before?.expiresAt ?? null,
    after: after.expiresAt,
  });
}

function abandonedAt({ status, checkoutStartedAt }: Cart): number | null {
  if (status !== "checkout" || checkoutStartedAt === null) return null;
  return checkoutStartedAt + ABANDONED_AFTER_MS;
}

async function setOrClear(
  tx: Tx,
  name: string,
  due: { readonly subject: string; readonly before: number | null; readonly after: number | null },
): Promise<void> {
  if (due.before === due.after) return;
  if (due.after === null) await clearTimer(tx, name, due.subject);
  else await setTimer(tx, { name, subject: due.subject, dueAt: due.after });
}

/**
 * Sets the timers of a new order that awaits payment. Only one that a gateway takes is abandonable:
 * money by hand comes by itself, and a reminder after an hour would be a nuisance.
 */
export async function setNewOrderTimers(
  tx: Tx,
  order: Order,
  { isAbandonable }: { readonly isAbandonable: boolean },
): Promise<void> {
  if (!awaitsPayment(order)) return;
  const { id: subject, createdAt, expiresAt } = order;
  const { abandon, expire } = unpaidOrderTimers;
  const abandonAt = createdAt + UNPAID_ORDER_ABANDONED_AFTER_MS;
  if (isAbandonable) await setTimer(tx, { name: abandon, subject, dueAt: abandonAt });
  // A later expiry is set when the order is abandoned: one timer row per unpaid order.
  if (expiresAt === null || (isAbandonable && expiresAt > abandonAt)) return;
  await setTimer(tx, { name: expire, subject, dueAt: expiresAt });
}

/** Clears the timers of an order that no longer awaits payment. */
export async function clearOrderTimers(tx: Tx, before: Order, after: Order): Promise<void> {
  if (!awaitsPayment(before) || awaitsPayment(after)) return;
  // An order of neither kind never had one.
  if (before.expiresAt === null && !isGatewayMethod(before.paymentMethod)) return;
  await clearTimer(tx, unpaidOrderTimers.abandon, after.id);
  await clearTimer(tx, unpaidOrderTimers.expire, after.id);
}
