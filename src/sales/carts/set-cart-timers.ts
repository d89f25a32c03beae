// Story: a cart is given the time that its state has.

import type { Tx } from "#platform/database/store.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";

import { ABANDONED_AFTER_MS, type Cart } from "./cart.ts";

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
