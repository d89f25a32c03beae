// Story: the program ended while it was sending. Nobody knows what arrived, so it is sent again: the
// only case in which a receiver hears of an event again after it said that it has it.

import type { Tx } from "#platform/database/store.ts";

import { waitsMs } from "./delivery.ts";
import { findLostClaims } from "./queries.ts";
import { recordUnknown } from "./record-unknown.ts";

const AT_ONCE = 200;

/**
 * Afterwards what was under way at another start of the program waits again and is due, at most so
 * many as one commit should take; an attempt that was the last one stays the last. Answers whether
 * there may be more.
 */
export async function recoverClaims(tx: Tx, claim: string): Promise<boolean> {
  const lost = await findLostClaims(tx, claim, AT_ONCE);
  for (const delivery of lost) {
    await recordUnknown(tx, delivery, delivery.attempts >= waitsMs.length ? null : 0);
  }
  return lost.length === AT_ONCE;
}
