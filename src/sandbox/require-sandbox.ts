// What only test mode has is not there in live mode: not forbidden, but as unknown as any path that
// nobody thought of.

import { routeNotFound } from "#platform/http/refusals.ts";
import type { Sandbox, Shop } from "#platform/store/store.ts";

/** The power over the shop's time. Refuses with `not_found` in live mode. */
export function requireSandbox({ sandbox }: Shop): Sandbox {
  if (sandbox === undefined) throw routeNotFound();
  return sandbox;
}
