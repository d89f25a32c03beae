// Workflow: finds the disputes and refunds of which no notice arrived. Safe to repeat at any time.

import { realClock } from "#kernel/time.ts";
import { findDisputed } from "#payments/disputes/find-disputed.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";

import { findReturned } from "./find-returned.ts";

/** Looks as far back as the program may have been off. Returns whether the lists of all gateways could be read. */
export async function findUnnoticed(
  shop: PaymentsShop,
  offSinceMs: number | null,
): Promise<boolean> {
  const now = realClock.now();
  const areDisputesRead = await findDisputed(shop, now, offSinceMs);
  return (await findReturned(shop, now, offSinceMs)) && areDisputesRead;
}
