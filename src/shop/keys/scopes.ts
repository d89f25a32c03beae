// What a key may do. A preset is kept by its name, so that a key with everything still has
// everything after an upgrade that brings new scopes.

import { nearestName } from "#kernel/nearest-name.ts";

export const scopes = [
  "products:read",
  "products:write",
  "catalog:read", // active products only
  "inventory:read",
  "inventory:write",
  "customers:read",
  "customers:write",
  "customers:create",
  "orders:read",
  "orders:write",
  "orders:create",
  "carts:read",
  "carts:write",
  "carts:use", // those whose id the caller has
  "payments:read",
  "payments:write",
  "payments:use", // those whose reference the caller has
  "webhooks:read",
  "webhooks:write",
  "events:read",
  "analytics:read",
  "store:read",
  "store:write",
  "keys:read",
  "keys:write",
  "sandbox:use",
] as const;

export type Scope = (typeof scopes)[number];
export type Preset = "full" | "read_only" | "storefront";

/** What a key can be granted: a scope, or many by the name of a preset. */
export type Grant = Scope | Preset;

const presets: Readonly<Record<Preset, readonly Scope[]>> = {
  full: scopes,
  read_only: scopes.filter((scope) => scope.endsWith(":read")),
  // May stand in a page that everybody can read: nothing that lists orders, customers or payments.
  storefront: ["catalog:read", "carts:use", "payments:use", "orders:create", "customers:create"],
};

export const grants: readonly Grant[] = ["full", "read_only", "storefront", ...scopes];

/** What a key gets where nothing is said. */
export const defaultGrants: readonly Grant[] = ["full"];

/**
 * Grants as a person writes them, presets and scopes mixed, comma lists too; each kept once. The
 * first name that is none is answered with what was probably meant.
 */
export function readGrants(
  names: readonly string[],
):
  | { readonly grants: readonly Grant[] }
  | { readonly unknown: string; readonly nearest: string | null } {
  const given = names.flatMap((name) => name.split(",")).map((name) => name.trim());
  const unknown = given.find((name) => !isGrant(name));
  if (unknown !== undefined) return { unknown, nearest: nearestName(unknown, grants) };
  return { grants: [...new Set(given.filter(isGrant))] };
}

/** Every scope that the grants stand for. */
export function expandScopes(granted: readonly string[]): ReadonlySet<string> {
  return new Set(
    granted.flatMap((name): readonly string[] => (isPreset(name) ? presets[name] : [name])),
  );
}

function isGrant(name: string): name is Grant {
  return grants.some((grant) => grant === name);
}

function isPreset(name: string): name is Preset {
  return Object.hasOwn(presets, name);
}
