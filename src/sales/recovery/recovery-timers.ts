// The times that a cart and an unpaid order are given. They change with what they wait for.

import type { Tx } from "#platform/database/database.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";
import { ABANDONED_AFTER_MS, type Cart } from "#sales/carts/cart.ts";
import { awaitsPayment, LEFT_AFTER_MS, type Order, unpaidOrderTimer } from "#sales/orders/order.ts";

/** Afterwards a checkout is watched for its hour and an open cart for its expiry, nothing else. */
export async function setCartTimers(tx: Tx, before: Cart | null, after: Cart): Promise<void> {
  await setOrClear(tx, "abandon_cart", {
    subject: after.id,
    was: before === null ? null : abandonedAt(before),
    is: abandonedAt(after),
  });
  await setOrClear(tx, "expire_cart", {
    subject: after.id,
    was: before?.expiresAt ?? null,
    is: after.expiresAt,
  });
}

function abandonedAt({ status, checkoutStartedAt }: Cart): number | null {
  if (status !== "checkout" || checkoutStartedAt === null) return null;
  return checkoutStartedAt + ABANDONED_AFTER_MS;
}

async function setOrClear(
  tx: Tx,
  name: string,
  due: { readonly subject: string; readonly was: number | null; readonly is: number | null },
): Promise<void> {
  if (due.was === due.is) return;
  if (due.is === null) await clearTimer(tx, name, due.subject);
  else await setTimer(tx, { name, subject: due.subject, dueAt: due.is });
}

/** Afterwards the order is watched if it waits for money, and no longer if it does not. */
export async function setOrderTimers(tx: Tx, before: Order | null, after: Order): Promise<void> {
  const { id: subject, createdAt, expiresAt } = after;
  const leftAt = createdAt + LEFT_AFTER_MS;
  if (before === null && awaitsPayment(after)) {
    await setTimer(tx, { name: "abandon_order", subject, dueAt: leftAt });
    if (expiresAt === null || expiresAt > leftAt) return;
    await setTimer(tx, { name: unpaidOrderTimer, subject, dueAt: expiresAt });
  } else if (before !== null && awaitsPayment(before) && !awaitsPayment(after)) {
    await clearTimer(tx, "abandon_order", subject);
    await clearTimer(tx, unpaidOrderTimer, subject);
  }
}
