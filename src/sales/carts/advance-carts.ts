// The only writers of carts. A change within a state is saved; advancing looks up the life table, saves
// the next state and emits its event.

import type { EventCustomer } from "#customers/events.ts";
import { findCustomer } from "#customers/lookups.ts";
import { type ActionOf, arrow } from "#kernel/machine.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { type Cart, cartForbids, contactOf, type PricedCart } from "#sales/rows/cart.ts";
import { cartLife } from "#sales/rows/order-life.ts";
import { setCartTimers } from "#sales/rows/recovery-timers.ts";

import { cartMoved } from "./events.ts";
import { cartRows } from "./queries.ts";

export interface CartMove {
  readonly action: ActionOf<typeof cartLife>;
  readonly change: Partial<Cart>;
}

/**
 * Saves the change as the cart's next version and sets the timers of its state. Throws
 * WriteConflict if the cart is no longer at the version before.
 */
export async function saveCart(tx: Tx, before: Cart, change: Partial<Cart>): Promise<Cart> {
  const after = await cartRows.save(tx, before, change);
  await setCartTimers(tx, before, after);
  return after;
}

/**
 * Moves the cart to its next state and emits the event of the table, if any, with the given lines.
 * Refuses with `cart_completed` and `cart_expired`.
 */
export async function advanceCart(
  tx: Tx,
  { cart: before, ...priced }: PricedCart,
  { action, change }: CartMove,
): Promise<PricedCart> {
  const step = arrow(cartLife, before.status, action);
  if (step === null) throw cartForbids(before);
  const cart = await saveCart(tx, before, { ...change, status: step.next });
  if (step.event !== null) {
    await tx.emit(cartMoved(step.event, { cart, ...priced }, await customerOf(tx, cart)));
  }
  return { cart, ...priced };
}

/** The contact to remind: the details entered in the cart, completed from the customer's record. */
async function customerOf(db: Reader, cart: Cart): Promise<EventCustomer | null> {
  const known = cart.customerId === null ? undefined : await findCustomer(db, cart.customerId);
  const entered = contactOf(cart);
  if (known === undefined) return entered === null ? null : { id: null, ...entered };
  return {
    id: known.id,
    email: cart.email ?? known.email,
    phone: cart.phone ?? known.phone,
    name: cart.name ?? known.name,
  };
}
