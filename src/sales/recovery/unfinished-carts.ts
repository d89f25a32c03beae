// The timers of carts that were not completed in time.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { advanceCart } from "#sales/carts/advance-carts.ts";
import { cartAt } from "#sales/carts/lookups.ts";
import { cartRows } from "#sales/carts/queries.ts";

import { issueRecoveryUrl } from "./recovery-links.ts";

/** Abandons a cart that is still in checkout and emits `cart.abandoned` with a recovery link. */
export async function abandonCart(tx: Tx, id: Id<"cart">): Promise<void> {
  const cart = await cartRows.findLocked(tx, id);
  if (cart?.status !== "checkout") return;
  const priced = await cartAt(tx, cart, tx.now);
  const recoveryUrl = await issueRecoveryUrl(tx, id);
  await advanceCart(tx, priced, { action: "abandon", change: { recoveryUrl } });
}

/** Expires an active or abandoned cart; leaves one in checkout to its abandonment. */
export async function expireCart(tx: Tx, id: Id<"cart">): Promise<void> {
  const cart = await cartRows.findLocked(tx, id);
  if (cart?.status !== "active" && cart?.status !== "abandoned") return;
  const priced = await cartAt(tx, cart, tx.now);
  await advanceCart(tx, priced, { action: "expire", change: { expiresAt: null } });
}
