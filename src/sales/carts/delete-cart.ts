// Story: a cart is deleted.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { clearTimer } from "#platform/scheduler/timers.ts";

import { cartForbids } from "./cart.ts";
import { lockCart } from "./lookups.ts";
import { deleteCartRow } from "./queries.ts";

/**
 * Deletes the cart and its timers; emits no event. Refuses with `cart_not_found`, `stale_version`,
 * and with `cart_completed` once the cart is an order.
 */
export async function deleteCart(
  tx: Tx,
  id: Id<"cart">,
  expected: ExpectedVersion,
): Promise<undefined> {
  const cart = await lockCart(tx, id);
  if (cart.status === "completed") throw cartForbids(cart);
  requireVersion(cart.version, expected);
  await deleteCartRow(tx, id);
  await clearTimer(tx, "abandon_cart", id);
  await clearTimer(tx, "expire_cart", id);
}
