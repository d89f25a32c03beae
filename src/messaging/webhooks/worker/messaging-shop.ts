// A shop that can call receivers of webhooks: what a workflow needs that delivers to one.

import type { Shop } from "#platform/database/shop.ts";
import type { CallOut } from "#platform/net/call-out.ts";

export interface MessagingShop extends Shop {
  readonly callOut: CallOut;
}
