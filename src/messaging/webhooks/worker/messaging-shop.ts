// A shop that can call webhook receivers.

import type { Shop } from "#platform/database/shop.ts";
import type { CallOut } from "#platform/net/call-out.ts";
import { type Reach } from "#platform/net/target-url.ts";

export interface MessagingShop extends Shop {
  readonly callOut: CallOut;
  /** The addresses to which webhooks of test mode may go. */
  readonly testReach: Reach;
}
