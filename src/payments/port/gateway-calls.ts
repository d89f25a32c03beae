// Calls that move money: initiating an attempt, sending a refund. Invariant: over all programs that
// share a database, an attempt or a refund has at most one such call at a time, held by a lease.

import type { Id } from "#kernel/id.ts";
import { realClock } from "#kernel/time.ts";
import type { Database, Tx } from "#platform/database/database.ts";
import { type LeaseHolder, newHolder, releaseLease, takeLease } from "#platform/database/leases.ts";

import { CALL_MS_MAX } from "./gateway-times.ts";

/** One call to a gateway and the lease that makes it exclusive. */
export interface GatewayCall {
  readonly database: Database;
  readonly lease: LeaseHolder;
}

/** A call about this attempt or refund, not yet claimed. */
export function newCall(database: Database, subject: Id<"payment" | "refund">): GatewayCall {
  return { database, lease: { name: `call_gateway ${subject}`, holder: newHolder(database) } };
}

/** Takes the lease. Returns false, and writes nothing, while another call holds it. */
export function claimCall(tx: Tx, { lease }: GatewayCall): Promise<boolean> {
  const now = realClock.now();
  return takeLease(tx, { ...lease, until: now + CALL_MS_MAX, now });
}

/** Releases the lease: the next call may start. */
export async function endCall(tx: Tx, { lease }: GatewayCall): Promise<void> {
  await releaseLease(tx, lease);
}

/**
 * Returns what the work returns. If it throws, releases the lease at once: the outcome is unknown, but what the
 * gateway may have done is read before it is called again.
 */
export async function orEndCall<T>(call: GatewayCall, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await release(call);
    throw error;
  }
}

/**
 * Releases the lease, or after the next commit if nothing can be written now: a disk that was full holds no call up
 * for longer. What fails for good expires by itself.
 */
async function release(call: GatewayCall): Promise<void> {
  const { database } = call;
  try {
    await database.write((tx) => endCall(tx, call));
  } catch {
    // The error of the work is the one that is reported.
    const stop = database.onAnnounced(() => {
      stop();
      void release(call);
    });
  }
}
