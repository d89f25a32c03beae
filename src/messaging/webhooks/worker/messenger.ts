// A shop that can speak to the world: the power of workflows that call a receiver. Both shops are
// opened with it; the platform between knows nothing of webhooks.

import type { Shop } from "#platform/database/database.ts";
import type { CallOut } from "#platform/net/call-out.ts";

export interface Messenger extends Shop {
  readonly callOut: CallOut;
}

/** The shop with its way out. A shop that was opened without one is a bug. */
export function messengerOf(opened: Shop): Messenger {
  if (!isMessenger(opened)) throw new Error("This shop was opened without a way out.");
  return opened;
}

function isMessenger(shop: Shop): shop is Messenger {
  return "callOut" in shop;
}
