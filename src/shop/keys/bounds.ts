// Rules: what a key may give to another. A key makes no key that may do more, more often or longer than itself,
// and ends none that may do more.

import type { Faults } from "#kernel/refusal.ts";
import { toIso } from "#kernel/time.ts";

import { RATE_PER_MINUTE_MAX, scopeNotHeld } from "./api-key.ts";
import { expandScopes } from "./scopes.ts";

/** The key that makes another. */
export interface Maker {
  readonly scopes: ReadonlySet<string>;
  /** Requests per minute of the key; null if the shop's limit applies. */
  readonly ratePerMinute: number | null;
  /** The shop's limit; 0 means none. */
  readonly requestsPerMinute: number;
  /** Epoch milliseconds; null means never. */
  readonly expiresAt: number | null;
}

/** What a key may use, and for how long. */
export interface Limits {
  readonly ratePerMinute: number | null;
  readonly expiresAt: number | null;
}

/** Refuses with `scope_not_held` scopes and presets that the key does not have. */
export function requireHeld(held: ReadonlySet<string>, granted: readonly string[]): void {
  const missing = [...expandScopes(granted)].filter((scope) => !held.has(scope));
  if (missing.length > 0) throw scopeNotHeld({ members: { scopes: missing } });
}

/** The limits of a new key: those given, else those of its maker. Adds a fault for what exceeds the maker's. */
export function limitsWithin(maker: Maker | null, given: Limits, faults: Faults): Limits {
  if (maker === null) return given;
  const rateMax = rateMaxOf(maker);
  if (given.ratePerMinute !== null && given.ratePerMinute > rateMax) {
    const detail = `The key that makes it may send ${rateMax} requests per minute.`;
    faults.add("/rate_per_minute", "out_of_range", detail);
  }
  if (maker.expiresAt !== null && (given.expiresAt ?? 0) > maker.expiresAt) {
    const detail = `The key that makes it expires at ${toIso(maker.expiresAt)}.`;
    faults.add("/expires_at", "out_of_range", detail);
  }
  return {
    ratePerMinute: given.ratePerMinute ?? maker.ratePerMinute,
    expiresAt: given.expiresAt ?? maker.expiresAt,
  };
}

/** The same limits, lowered to those of the maker. */
export function loweredTo(maker: Maker | null, limits: Limits): Limits {
  if (maker === null) return limits;
  return {
    ratePerMinute: least(
      limits.ratePerMinute,
      limits.ratePerMinute === null ? null : rateMaxOf(maker),
    ),
    expiresAt: least(limits.expiresAt, maker.expiresAt),
  };
}

function rateMaxOf({ ratePerMinute, requestsPerMinute }: Maker): number {
  return ratePerMinute ?? (requestsPerMinute === 0 ? RATE_PER_MINUTE_MAX : requestsPerMinute);
}

/** Null means without end. */
function least(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
