// The scopes of API keys, and what keys may give to each other. A preset is stored by its name, so that a key with
// `full` also has the scopes that a later version adds. Invariant: a key makes no key that may do more, more often or
// longer than itself, and ends none that may do more.

import type { Faults } from "#kernel/refusal.ts";
import { toIso } from "#kernel/time.ts";
import { nearestName } from "#platform/process/nearest-name.ts";

import { type KeyKind, RATE_PER_MINUTE_MAX, scopeNotHeld } from "./api-key.ts";

export const scopes = [
  "products:read",
  "products:write",
  "catalog:read", // active products only
  "inventory:read",
  "inventory:write",
  "discounts:read",
  "discounts:write",
  "customers:read",
  "customers:write",
  "customers:create",
  "customers:login", // and what is done as the customer who is signed in
  "orders:read",
  "orders:write",
  "orders:create",
  "carts:read",
  "carts:write",
  "carts:use", // only carts whose id the caller knows
  "payments:read",
  "payments:write",
  "payments:use", // only payments whose reference the caller knows
  "refunds:write", // also above the shop's refund limit
  "shipping:read",
  "shipping:write",
  "webhooks:read",
  "webhooks:write",
  "events:read",
  "books:read",
  "analytics:read",
  "taxes:read",
  "taxes:write",
  "store:read",
  "store:write",
  "keys:read",
  "keys:write",
  "audit:read",
  "sandbox:use",
] as const;

export type Scope = (typeof scopes)[number];

/** The scopes of people alone: a key that leaked would send buyers elsewhere to pay, or copy the list of customers. */
export const peopleScopes = ["customers:export", "connections:write"] as const;
export type PeopleScope = (typeof peopleScopes)[number];
export type Preset = "full" | "read_only" | "storefront";

/** A grant of a key: a scope, or a preset of many. */
export type Grant = Scope | Preset;

const presets: Readonly<Record<Preset, readonly Scope[]>> = {
  full: scopes,
  // The acts of staff are for the owner: a key for a report does not show it.
  read_only: scopes.filter((scope) => scope.endsWith(":read") && scope !== "audit:read"),
  // May be published in a web page, so it has no scope that lists orders, customers or payments.
  storefront: [
    "catalog:read",
    "carts:use",
    "payments:use",
    "orders:create",
    "customers:create",
    "customers:login",
  ],
};

export const grants: readonly Grant[] = ["full", "read_only", "storefront", ...scopes];

/** The grants of a key that is created without any, by its kind. */
export const defaultGrants: Readonly<Record<KeyKind, readonly Grant[]>> = {
  secret: ["full"],
  publishable: ["storefront"],
};

/**
 * Reads grants as typed on a command line: scopes and presets, separated or as comma lists, without
 * duplicates. Returns the first unknown name instead, with the nearest known one.
 */
export function readGrants(
  names: readonly string[],
):
  | { readonly grants: readonly Grant[] }
  | { readonly unknown: string; readonly nearest: string | null } {
  const typed = names.flatMap((name) => name.split(",")).map((name) => name.trim());
  const unknown = typed.find((name) => !isGrant(name));
  if (unknown !== undefined) return { unknown, nearest: nearestName(unknown, grants) };
  return { grants: [...new Set(typed.filter(isGrant))] };
}

/** The grants among these names. A key of an earlier version may have others, which grant nothing. */
export function knownGrants(names: readonly string[]): Grant[] {
  return names.filter(isGrant);
}

/** Returns every scope that these grants include; never one of people, whatever the row of a key names. */
export function expandScopes(granted: readonly string[]): ReadonlySet<string> {
  return new Set(
    granted
      .flatMap((name): readonly string[] => (isPreset(name) ? presets[name] : [name]))
      .filter((name) => !peopleScopes.some((one) => one === name)),
  );
}

/** The scopes that a publishable key cannot have. */
export function scopesNotPublishable(granted: readonly string[]): string[] {
  const publishable: readonly string[] = presets.storefront;
  return [...expandScopes(granted)].filter((scope) => !publishable.includes(scope));
}

/** Returns true if a publishable key can have the scopes of an operation: any of `scopes`, and all of `alsoScopes`. */
export function isPublishable(needed: {
  readonly scopes: readonly string[];
  readonly alsoScopes: readonly string[];
}): boolean {
  return (
    scopesNotPublishable(needed.scopes).length < needed.scopes.length &&
    scopesNotPublishable(needed.alsoScopes).length === 0
  );
}

/** A key is publishable if the preset `storefront` has all its scopes. */
export function kindOfKey(granted: readonly string[]): KeyKind {
  return scopesNotPublishable(granted).length === 0 ? "publishable" : "secret";
}

function isGrant(name: string): name is Grant {
  return grants.some((grant) => grant === name);
}

function isPreset(name: string): name is Preset {
  return Object.hasOwn(presets, name);
}

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

/** The scopes that a key may use, and for how long. */
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
