// Story: a cart becomes its next version.

import { Overtaken, type Tx } from "#platform/database/store.ts";
import { setCartTimers } from "#sales/recovery/recovery-timers.ts";

import type { Cart } from "./cart.ts";
import { replaceCart } from "./queries.ts";

/** Afterwards the change is the cart's next version, and its timers are those of its state. */
export async function keepCart(tx: Tx, before: Cart, change: Partial<Cart>): Promise<Cart> {
  const after = { ...before, ...change, version: before.version + 1, updatedAt: tx.now };
  if (!(await replaceCart(tx, after))) throw new Overtaken("The cart");
  await setCartTimers(tx, before, after);
  return after;
}
