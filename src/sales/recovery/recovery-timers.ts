// The timers of a cart and of an unpaid order. Each save of the row sets or clears them.

import type { Tx } from "#platform/database/database.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";
import { ABANDONED_AFTER_MS, type Cart } from "#sales/carts/cart.ts";
import {
  awaitsPayment,
  type Order,
  UNPAID_ORDER_ABANDONED_AFTER_MS,
  unpaidOrderTimer,
} from "#sales/orders/order.ts";

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

/** Sets the timers of a new order that awaits payment; clears them once it no longer does. */
export async function setOrderTimers(tx: Tx, before: Order | null, after: Order): Promise<void> {
  const { id: subject, createdAt, expiresAt } = after;
  const abandonAt = createdAt + UNPAID_ORDER_ABANDONED_AFTER_MS;
  if (before === null && awaitsPayment(after)) {
    await setTimer(tx, { name: "abandon_order", subject, dueAt: abandonAt });
    // A later expiry is set when the order is abandoned: one timer row per unpaid order.
    if (expiresAt === null || expiresAt > abandonAt) return;
    await setTimer(tx, { name: unpaidOrderTimer, subject, dueAt: expiresAt });
  } else if (before !== null && awaitsPayment(before) && !awaitsPayment(after)) {
    await clearTimer(tx, "abandon_order", subject);
    await clearTimer(tx, unpaidOrderTimer, subject);
  }
}
