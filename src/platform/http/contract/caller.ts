// Who asks: what a valid API key says of its holder. How keys are kept is not known here.

import type { Mode } from "#platform/database/shop.ts";

export interface Caller {
  readonly keyId: string;
  readonly mode: Mode;
  readonly scopes: ReadonlySet<string>;
  /** Requests per minute of this key alone; null where the shop's own limit holds. */
  readonly ratePerMinute: number | null;
}

/** Finds the holder of a key, or null for a key that is unknown, malformed, revoked or expired. */
export type Authenticate = (key: string) => Promise<Caller | null>;

/** Whether the caller may do what asks for any one of these scopes. */
export function holdsAny(caller: Caller, scopes: readonly string[]): boolean {
  return scopes.some((scope) => caller.scopes.has(scope));
}
