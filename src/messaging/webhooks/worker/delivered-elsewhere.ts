// Workflow: wait until the program that holds the lease has delivered everything.

import type { Shop } from "#platform/database/shop.ts";

import { findWorkLeft } from "./lookups.ts";

/** Between two polls, milliseconds. */
const POLL_MS = 75;
/** The longest wait without an attempt in flight: longer than the lease of a program that died. */
const IDLE_MS_MAX = 20_000;

/**
 * Resolves when nothing is in flight or due, when `isOver` returns true, or when due deliveries stay
 * untouched for `IDLE_MS_MAX`, for example because their endpoint is paused.
 */
export async function deliveredElsewhere(shop: Shop, isOver: () => boolean): Promise<void> {
  for (let idleMs = 0; idleMs < IDLE_MS_MAX && !isOver(); idleMs += POLL_MS) {
    const { isSending, isDue } = await findWorkLeft(shop.database.read, shop.clock.now());
    if (!isSending && !isDue) return;
    if (isSending) idleMs = 0;
    await Bun.sleep(POLL_MS);
  }
}
