// The terms of the courier: its shop, and how it follows the shop's clock.

import type { Leader } from "#platform/scheduler/leader-election.ts";

import type { MessagingShop } from "./messaging-shop.ts";

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
