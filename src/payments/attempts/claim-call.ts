// Story: somebody is about to ask a gateway, and nobody else does until they are through.

import { realClock } from "#kernel/time.ts";
import { takeLease } from "#platform/database/leases.ts";
import type { Tx } from "#platform/database/store.ts";

import { CALL_MS_MAX, type GatewayCall, leaseOf } from "./gateway-call.ts";

/**
 * Whether the caller may ask now; not while another program does. One that has its store for itself
 * keeps its own requests apart.
 */
export async function claimCall(tx: Tx, call: GatewayCall): Promise<boolean> {
  if (!call.store.isShared) return true;
  const now = realClock.now();
  return takeLease(tx, { ...leaseOf(call), until: now + CALL_MS_MAX, now });
}
