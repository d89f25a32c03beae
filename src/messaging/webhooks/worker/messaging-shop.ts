// A shop that can call webhook receivers.

import type { Shop } from "#platform/database/shop.ts";
import type { CallOut } from "#platform/net/call-out.ts";

export interface MessagingShop extends Shop {
  readonly callOut: CallOut;
  /** Whether webhooks of test mode may go to this machine. */
  readonly mayCallLoopback: boolean;
}
