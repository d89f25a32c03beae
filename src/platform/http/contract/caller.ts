// The caller of a request, as its API key describes it. How keys are stored is not known here.

import type { Mode } from "#platform/database/shop.ts";

import { scopesNeeded } from "./refusals.ts";

export interface Caller {
  readonly keyId: string;
  /** The namespace of its idempotency keys; a key that replaces another keeps it. */
  readonly lineage: string;
  /** Whether the key was granted `full`: it may replay what was stored before there were lineages. */
  readonly hasPresetFull: boolean;
  readonly mode: Mode;
  readonly scopes: ReadonlySet<string>;
  /** Whether strangers may hold the key, since it is made for web pages. */
  readonly isPublic: boolean;
  /** Requests per minute of this key; null if the mode's limit applies. */
  readonly ratePerMinute: number | null;
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
