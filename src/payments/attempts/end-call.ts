// Story: what a gateway said is on record, or will never be known, and others may ask again.

import { releaseLease } from "#platform/database/leases.ts";
import type { Tx } from "#platform/database/store.ts";

import { type GatewayCall, leaseOf } from "./gateway-call.ts";

/** Afterwards whoever comes next may ask. */
export async function endCall(tx: Tx, call: GatewayCall): Promise<void> {
  if (call.store.isShared) await releaseLease(tx, leaseOf(call));
}
