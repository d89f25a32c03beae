// Workflow: a gateway is asked, and where its answer cannot be kept, nobody waits for the asking to end.

import { endCall } from "./end-call.ts";
import type { GatewayCall } from "./gateway-call.ts";

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
