// Story: nobody came back to a cart for a month.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/store.ts";

import { advanceCart } from "./advance-cart.ts";
import { findCartRow } from "./queries.ts";

/** Afterwards a cart that waited too long is expired; one that is at the counter is left alone. */
export async function expireCart(tx: Tx, id: Id<"cart">): Promise<void> {
  const cart = await findCartRow(tx, id);
  if (cart?.status !== "active" && cart?.status !== "abandoned") return;
  const { remembered: lines } = cart;
  await advanceCart(tx, { cart, lines }, { action: "expire", change: { expiresAt: null } });
}
