// What happens to carts that were not completed when their time is over.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { advanceCart } from "#sales/carts/advance-cart.ts";
import { priceCart } from "#sales/carts/lookups.ts";
import { findCartRow } from "#sales/carts/queries.ts";

import { issueRecoveryUrl } from "./issue-recovery-url.ts";

/** Afterwards a cart still in checkout is abandoned and announced with its way back, once. */
export async function abandonCart(tx: Tx, id: Id<"cart">): Promise<void> {
  const cart = await findCartRow(tx, id);
  if (cart?.status !== "checkout") return;
  const lines = await priceCart(tx, cart);
  const recoveryUrl = await issueRecoveryUrl(tx, id);
  await advanceCart(tx, { cart, lines }, { action: "abandon", change: { recoveryUrl } });
}

/** Afterwards a cart that waited too long is expired; one that is at the counter is left alone. */
export async function expireCart(tx: Tx, id: Id<"cart">): Promise<void> {
  const cart = await findCartRow(tx, id);
  if (cart?.status !== "active" && cart?.status !== "abandoned") return;
  const { remembered: lines } = cart;
  await advanceCart(tx, { cart, lines }, { action: "expire", change: { expiresAt: null } });
}
