// Story: a cart is thrown away.

import type { Id } from "#kernel/id.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/version.ts";
import type { Tx } from "#platform/database/database.ts";
import { clearTimer } from "#platform/scheduler/timers.ts";

import { cartForbids, cartNotFound } from "./cart.ts";
import { deleteCartRow, findCartRow } from "./queries.ts";

/**
 * Afterwards the cart is gone and nothing more is heard of it. Refuses with `cart_not_found`,
 * `stale_version`, and with `cart_completed` for one that became an order.
 */
export async function deleteCart(
  tx: Tx,
  id: Id<"cart">,
  expected: ExpectedVersion,
): Promise<undefined> {
  const cart = await findCartRow(tx, id);
  if (cart === undefined) throw cartNotFound();
  if (cart.status === "completed") throw cartForbids(cart);
  requireVersion(cart.version, expected);
  await deleteCartRow(tx, id);
  await clearTimer(tx, "abandon_cart", id);
  await clearTimer(tx, "expire_cart", id);
}
