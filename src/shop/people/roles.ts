// The rights of the roles: a role is a preset of the scopes that there are.

import { expandScopes, type PeopleScope, type Scope, scopes } from "#shop/keys/scopes.ts";

export const roles = ["owner", "staff", "viewer"] as const;
export type Role = (typeof roles)[number];

/** Requests per minute of a person, apart from those of keys: a busy storefront never locks the owner out. */
export const RATE_PER_MINUTE = 600;

/** The scopes that let staff change: the shop's day, without its settings. */
const staffWrites: readonly Scope[] = [
  "orders:write",
  "products:write",
  "inventory:write",
  "customers:write",
  "carts:write",
  "payments:write",
];

/** Keys and webhooks let programs in, and what staff did is for the owner. */
const notForStaff: readonly Scope[] = ["keys:read", "webhooks:read", "audit:read"];

const staffReads = scopes.filter(
  (scope) => scope.endsWith(":read") && !notForStaff.includes(scope),
);

/** Keys read customers by `customers:read`. */
export const EXPORT_CUSTOMERS = "customers:export" satisfies PeopleScope;
/** Says whom the shop asks outside: gateways of its own, accounts at vendors. */
export const WRITE_CONNECTIONS = "connections:write" satisfies PeopleScope;

const scopesByRole: Readonly<Record<Role, ReadonlySet<string>>> = {
  owner: new Set([...expandScopes(["full"]), EXPORT_CUSTOMERS, WRITE_CONNECTIONS]),
  staff: new Set([...staffReads, ...staffWrites, EXPORT_CUSTOMERS]),
  viewer: new Set(staffReads),
};

/** The scopes that a person of this role has. */
export function scopesOf(role: Role): ReadonlySet<string> {
  return scopesByRole[role];
}
