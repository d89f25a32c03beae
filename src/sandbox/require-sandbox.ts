// What only test mode has is not there in live mode: not forbidden, but as unknown as any path that
// nobody thought of.

import type { Sandbox, Shop } from "#platform/database/shop.ts";
import { routeNotFound } from "#platform/http/contract/refusals.ts";

/** The power over the shop's time. Refuses with `not_found` in live mode. */
export function requireSandbox({ sandbox }: Shop): Sandbox {
  if (sandbox === undefined) throw routeNotFound();
  return sandbox;
}
