// Story: an hour after it began, a checkout was not completed.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/store.ts";
import { issueRecoveryUrl } from "#sales/recovery/issue-recovery-url.ts";

import { advanceCart } from "./advance-cart.ts";
import { priceCart } from "./price-cart.ts";
import { findCartRow } from "./queries.ts";

/** Afterwards a cart still in checkout is abandoned and announced with its way back, once. */
export async function abandonCart(tx: Tx, id: Id<"cart">): Promise<void> {
  const cart = await findCartRow(tx, id);
  if (cart?.status !== "checkout") return;
  const lines = await priceCart(tx, cart);
  const recoveryUrl = await issueRecoveryUrl(tx, id);
  await advanceCart(tx, { cart, lines }, { action: "abandon", change: { recoveryUrl } });
}
