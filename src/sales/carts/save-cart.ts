// Story: a cart is saved as its next version.

import { type Tx, WriteConflict } from "#platform/database/database.ts";
import { setCartTimers } from "#sales/recovery/recovery-timers.ts";

import type { Cart } from "./cart.ts";
import { replaceCart } from "./queries.ts";

/**
 * Saves the change as the cart's next version and sets the timers of its state. Throws
 * WriteConflict if the cart is no longer at the version before.
 */
export async function saveCart(tx: Tx, before: Cart, change: Partial<Cart>): Promise<Cart> {
  const after = { ...before, ...change, version: before.version + 1, updatedAt: tx.now };
  if (!(await replaceCart(tx, after))) throw new WriteConflict("The cart");
  await setCartTimers(tx, before, after);
  return after;
}
