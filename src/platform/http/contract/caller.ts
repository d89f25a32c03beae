// The caller of a request, as its API key or the sign-in of a person describes it, and who acted on the wire. How
// keys and people are stored is not known here.

import Type from "typebox";

import type { Refusal } from "#kernel/refusal.ts";
import { type Actor, actorTypes } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";

import { scopesNeeded } from "./refusals.ts";
import { shape } from "./wire.ts";
import { choice, nullable } from "./words.ts";

export interface Caller {
  /** Who acts: an API key or a person, by id. */
  readonly actor: Actor & { readonly id: string };
  readonly name: string;
  /** The namespace of its idempotency keys: a person's id, or of keys that replace one another. */
  readonly lineage: string;
  /** True if the key was granted `full`: it may replay what was stored before there were lineages. */
  readonly hasPresetFull: boolean;
  readonly mode: Mode;
  readonly scopes: ReadonlySet<string>;
  /** True if strangers may hold the key, since it is made for web pages. */
  readonly isPublic: boolean;
  /** Requests per minute of this caller; null if the mode's limit applies. */
  readonly ratePerMinute: number | null;
  /** Epoch milliseconds of real time; null means never. */
  readonly expiresAt: number | null;
}

/** Finds the caller by API key; null if the key is unknown, malformed, revoked or expired. */
export type Authenticate = (key: string) => Promise<Caller | null>;

/**
 * Refuses with `scope_missing` a part of a request that needs a scope of its own; `part` names it, as
 * the subject of a sentence.
 */
export function requireScope(
  { scopes }: Pick<Caller, "scopes">,
  scope: string,
  part: string,
): void {
  if (!scopes.has(scope)) throw scopesNeeded([scope], `${part} needs the scope ${scope}.`);
}

/** The scopes of a route. */
interface Scoped {
  /** The caller has one of these. */
  readonly scopes: readonly string[];
  /** And all of these. */
  readonly alsoScopes: readonly string[];
}

/** The scopes of a route as a sentence that begins so. */
export function scopeSentence({ scopes, alsoScopes }: Scoped, beginning: string): string {
  const needed = [scopes.join(" or "), ...alsoScopes].join(" and ");
  return `${beginning} the scope ${needed}.`;
}

/** Returns true if the caller has at least one of the route's scopes, and all of those that it needs in addition. */
export function mayUse({ scopes: held }: Caller, { scopes, alsoScopes }: Scoped): boolean {
  return scopes.some((scope) => held.has(scope)) && alsoScopes.every((scope) => held.has(scope));
}

/** The refusal `scope_missing` of a caller that may not use the route. */
export function scopeRefusal(route: Scoped): Refusal {
  const scopes = [...route.scopes, ...route.alsoScopes];
  return scopesNeeded(scopes, scopeSentence(route, "The request needs"));
}

/** Who acted: an API key or a person by id, the operator at the command line, or the shop itself. */
export const actorShape = shape<Actor>()(
  {
    type: choice(actorTypes),
    id: nullable(Type.String()),
  },
  { name: "Actor" },
);
