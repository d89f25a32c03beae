// What a gateway said is on record, or will never be known, and others may ask again.

import { releaseLease } from "#platform/store/leases.ts";
import type { Tx } from "#platform/store/store.ts";

import { type GatewayCall, leaseOf } from "./gateway-call.ts";

/** Afterwards whoever comes next may ask. */
export async function endCall(tx: Tx, call: GatewayCall): Promise<void> {
  if (call.store.isShared) await releaseLease(tx, leaseOf(call));
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
    if (call.store.isShared)
      await call.store.write((tx) => endCall(tx, call)).catch(() => undefined);
    throw error;
  }
}
