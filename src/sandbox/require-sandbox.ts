// The sandbox exists in test mode only: in live mode its routes are unknown, not forbidden.

import type { SandboxClock, Shop } from "#platform/database/shop.ts";
import { routeNotFound } from "#platform/http/contract/refusals.ts";

/** Returns the power to move the shop's clock. Refuses with `not_found` in live mode. */
export function requireSandbox({ sandbox }: Shop): SandboxClock {
  if (sandbox === undefined) throw routeNotFound();
  return sandbox;
}
