// Calls to gateways: who asks, and about what. Invariant: of all programs that share a store, one at a time asks about the same thing.

import type { Id } from "#kernel/id.ts";
import { realClock } from "#kernel/time.ts";
import type { Database, Tx } from "#platform/database/database.ts";
import { type LeaseHolder, releaseLease, takeLease } from "#platform/database/leases.ts";

/** Somebody is about to ask a gateway to charge or to pay. */
export interface GatewayCall {
  readonly database: Database;
  /** The attempt, or the refund. */
  readonly subject: Id<"payment" | "refund">;
  /** One of its own for each call. */
  readonly caller: string;
}

/**
 * Longer than any call to a gateway takes, and shorter than an idempotency key is kept for a request that
 * never was answered: who repeats one after its program ended is not kept waiting for the call of that.
 */
const CALL_MS_MAX = 50_000;

/** What the caller has for itself meanwhile. */
function leaseOf({ subject, caller }: GatewayCall): LeaseHolder {
  return { name: `call_gateway ${subject}`, holder: caller };
}

/**
 * Whether the caller may ask now; not while another program does. One that has its store for itself
 * keeps its own requests apart.
 */
export async function claimCall(tx: Tx, call: GatewayCall): Promise<boolean> {
  if (!call.database.isShared) return true;
  const now = realClock.now();
  return takeLease(tx, { ...leaseOf(call), until: now + CALL_MS_MAX, now });
}

/** Afterwards whoever comes next may ask. */
export async function endCall(tx: Tx, call: GatewayCall): Promise<void> {
  if (call.database.isShared) await releaseLease(tx, leaseOf(call));
}

/**
 * What the work answers. Where it fails, what the gateway said stays unknown and others may ask at once:
 * gateways know each thing by its reference.
 */
export async function orEndCall<T>(call: GatewayCall, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // A lease that cannot be given back ends by itself; the caller is told what went wrong first.
    if (call.database.isShared)
      await call.database.write((tx) => endCall(tx, call)).catch(() => undefined);
    throw error;
  }
}
