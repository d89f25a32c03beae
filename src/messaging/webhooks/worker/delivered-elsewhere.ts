// Workflow: another program delivers, and somebody here waits until it has.

import type { Shop } from "#platform/database/shop.ts";

import { findWorkLeft } from "./lookups.ts";

/** Between two looks, milliseconds. */
const POLL_MS = 75;
/** How long what is due may be left alone: longer than the work of a program that is gone. */
const LEFT_MS_MAX = 20_000;

/**
 * Afterwards nothing is under way and nothing is due, or that program leaves alone what is, as an
 * endpoint that asked for quiet; or waiting is over.
 */
export async function deliveredElsewhere(shop: Shop, isOver: () => boolean): Promise<void> {
  for (let leftMs = 0; leftMs < LEFT_MS_MAX && !isOver(); leftMs += POLL_MS) {
    const { isSending, isDue } = await findWorkLeft(shop.database.read, shop.clock.now());
    if (!isSending && !isDue) return;
    if (isSending) leftMs = 0;
    await Bun.sleep(POLL_MS);
  }
}
