// The only writer of an endpoint's status: checks the life table, writes the next version with the
// fields of its new state, and emits the event.

import { arrow } from "#kernel/machine.ts";
import { cancelPending } from "#messaging/webhooks/deliveries/cancel-pending.ts";
import type { Tx } from "#platform/database/database.ts";
import { lastSequence } from "#platform/event-log/event-log.ts";

import { webhookDisabledEvent } from "./events.ts";
import { endpointRows, lockHealth, putHealth } from "./queries.ts";
import { type DisabledReason, endpointLife } from "./webhook-life.ts";
import { type Endpoint, healthy } from "./webhook.ts";

/** Disabling needs a reason. `change` holds other fields to write in the same version. */
export type EndpointMove =
  | {
      readonly action: "disable";
      readonly reason: DisabledReason;
      readonly change?: Partial<Endpoint>;
    }
  | { readonly action: "enable"; readonly change?: Partial<Endpoint> };

/**
 * Moves the endpoint to its next state and emits the event of the life table. Disabling cancels the
 * first batch of pending deliveries. Enabling resets the failures and starts after the newest event.
 * Returns the endpoint unchanged if the life table does not allow the action.
 */
export async function advanceEndpoint(
  tx: Tx,
  before: Endpoint,
  move: EndpointMove,
): Promise<Endpoint> {
  const step = arrow(endpointLife, before.status, move.action);
  if (step === null) return before;
  const fields =
    move.action === "disable" ? disabledFields(tx, move.reason) : await enabledFields(tx);
  const health = await lockHealth(tx, before.id);
  const change = { ...move.change, ...fields, status: step.next };
  const after = await endpointRows.save(tx, before, change);
  if (after.status === "disabled") await cancelPending(tx, after.id);
  else await resetHealth(tx, after, health.lastSuccessAt);
  if (step.event !== null) await tx.emit(webhookDisabledEvent(after, health));
  return after;
}

function disabledFields(tx: Tx, reason: DisabledReason): Partial<Endpoint> {
  return { disabledReason: reason, disabledAt: tx.now };
}

async function enabledFields(tx: Tx): Promise<Partial<Endpoint>> {
  return { disabledReason: null, disabledAt: null, startsAfter: await lastSequence(tx) };
}

/** Also cancels the deliveries left from before: disabling cancels only one batch at once. */
async function resetHealth(tx: Tx, { id }: Endpoint, lastSuccessAt: number | null): Promise<void> {
  while (await cancelPending(tx, id));
  await putHealth(tx, id, { ...healthy, lastSuccessAt });
}
