// The caller of a request, as its API key or the sign-in of a person describes it, and who acted on the wire. How
// keys and people are stored is not known here.

import Type from "typebox";

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

/** Who acted: an API key or a person by id, the operator at the command line, or the shop itself. */
export const actorShape = shape<Actor>()(
  {
    type: choice(actorTypes),
    id: nullable(Type.String()),
  },
  { name: "Actor" },
);
