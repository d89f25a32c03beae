// Limits of what a route does for one address.

import type { Refusal, RefusalDetails } from "#kernel/refusal.ts";
import { MINUTE_MS } from "#kernel/time.ts";

import { rateLimited } from "./refusals.ts";

export interface WindowTerms {
  /** The number of requests that an address may send in the window. */
  readonly limit: number;
  readonly windowMs: number;
}

/** A limit of what a route does, such as placing orders; routes that share it count together. */
export interface RouteLimit extends WindowTerms {
  readonly refusal: (details: RefusalDetails) => Refusal;
}

/** At most so many of `what` in ten minutes, where it is kept for good or has the merchant write to a contact. */
export function inTenMinutes(limit: number, what: string): RouteLimit {
  const detail = `Too many ${what} from this address in the last 10 minutes.`;
  return {
    limit,
    windowMs: 10 * MINUTE_MS,
    refusal: (details) => rateLimited({ ...details, detail }),
  };
}
