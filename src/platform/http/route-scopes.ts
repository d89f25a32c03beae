// Which callers may use a route, and what the others are told.

import type { Refusal } from "#kernel/refusal.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { scopesNeeded } from "#platform/http/contract/refusals.ts";
import type { AnyRoute } from "#platform/http/contract/route.ts";

/** The scopes of a route as a sentence that begins so. */
export function scopeSentence({ scopes, alsoScopes }: AnyRoute, beginning: string): string {
  const needed = [scopes.join(" or "), ...alsoScopes].join(" and ");
  return `${beginning} the scope ${needed}.`;
}

/** Returns true if the caller has any of the route's scopes, and each of those it needs as well. */
export function mayUse({ scopes: held }: Caller, { scopes, alsoScopes }: AnyRoute): boolean {
  return scopes.some((scope) => held.has(scope)) && alsoScopes.every((scope) => held.has(scope));
}

/** The refusal `scope_missing` of a caller that may not use the route. */
export function scopeRefusal(route: AnyRoute): Refusal {
  const scopes = [...route.scopes, ...route.alsoScopes];
  return scopesNeeded(scopes, scopeSentence(route, "The request needs"));
}
