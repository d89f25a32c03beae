// Calls to gateways: who asks, and about what. Invariant: of all who share a store one at a time asks for
// the same thing, because some gateways know no key and would charge or pay twice.

import type { Id } from "#kernel/id.ts";
import type { LeaseHolder } from "#platform/database/leases.ts";
import type { Store } from "#platform/database/store.ts";

/** Somebody is about to ask a gateway to charge or to pay. */
export interface GatewayCall {
  readonly store: Store;
  /** The attempt, or the refund. */
  readonly subject: Id<"payment" | "refund">;
  /** One of its own for each call. */
  readonly caller: string;
}

/**
 * Longer than any call to a gateway takes, and shorter than an idempotency key is kept for a request that
 * never was answered: who repeats one after its program ended is not kept waiting for the call of that.
 */
export const CALL_MS_MAX = 50_000;

/** What the caller has for itself meanwhile. */
export function leaseOf({ subject, caller }: GatewayCall): LeaseHolder {
  return { name: `call_gateway ${subject}`, holder: caller };
}
