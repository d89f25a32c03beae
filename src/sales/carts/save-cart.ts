// Story: a cart becomes its next version.

import { type Tx, WriteConflict } from "#platform/database/database.ts";
import { setCartTimers } from "#sales/recovery/recovery-timers.ts";

import type { Cart } from "./cart.ts";
import { replaceCart } from "./queries.ts";

/** Afterwards the change is the cart's next version, and its timers are those of its state. */
export async function saveCart(tx: Tx, before: Cart, change: Partial<Cart>): Promise<Cart> {
  const after = { ...before, ...change, version: before.version + 1, updatedAt: tx.now };
  if (!(await replaceCart(tx, after))) throw new WriteConflict("The cart");
  await setCartTimers(tx, before, after);
  return after;
}
