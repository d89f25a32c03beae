// Calls that provably had no effect at a vendor.

import type { NotSent } from "#payments/gateways/port.ts";
import type { CallFailure } from "#platform/net/call-failure.ts";

/** The call of which no byte was sent. */
export function unsent(failure: CallFailure): NotSent {
  const isMisconfigured = failure === "blocked_address" || failure === "tls";
  return notSent(isMisconfigured ? "misconfigured" : null);
}

export function notSent(trouble: NotSent["trouble"], retryAfterMs: number | null = null): NotSent {
  return { kind: "not_sent", trouble, retryAfterMs };
}
