// Calls that provably had no effect at a vendor.

import { HOUR_MS, SECOND_MS } from "#kernel/time.ts";
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

/** Longer ones are no pause but, for example, an instant: a refund would wait for it for decades. */
const WAIT_MS_MAX = HOUR_MS;

/** The call that was one too many. The vendor's header has the seconds to wait, or is missing. */
export function rateLimited(header: string | null): NotSent {
  const waitMs = Number(header) * SECOND_MS;
  return notSent("rate_limited", waitMs > 0 ? Math.min(waitMs, WAIT_MS_MAX) : null);
}
