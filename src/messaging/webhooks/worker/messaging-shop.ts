// A shop that can call webhook receivers.

import type { Shop } from "#platform/database/shop.ts";
import type { CallOut } from "#platform/net/call-out.ts";
import type { Reach } from "#platform/net/target-url.ts";
import type { Leader } from "#platform/scheduler/leader-election.ts";

export interface MessagingShop extends Shop {
  readonly callOut: CallOut;
  /** The addresses to which webhooks of test mode may go. */
  readonly testReach: Reach;
}

// The terms of the courier: its shop, and how it follows the shop's clock.

export interface CourierTerms {
  readonly shop: MessagingShop;
  /** How far the shop's clock was moved, milliseconds; it shortens the pauses of endpoints. */
  readonly offsetMs: () => number;
  readonly onFault: (error: unknown) => void;
  /** Called with the clock skew of each response that has a Date, milliseconds. */
  readonly onSkew?: (skewMs: number) => void;
  /** The jitter of retries, from 0 to 1; random by default. */
  readonly share?: () => number;
  /** Which program delivers; this one by default. */
  readonly leader?: Leader;
}
