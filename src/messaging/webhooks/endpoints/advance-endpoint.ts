// The only writer of an endpoint's status: asks the life table, writes the next version with what
// goes with its state, announces.

import { arrow } from "#kernel/machine.ts";
import { cancelPending } from "#messaging/webhooks/deliveries/cancel-pending.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";
import { lastSequence } from "#platform/event-log/event-log.ts";

import { webhookDisabledEvent } from "./events.ts";
import { lockHealth, putHealth, replaceEndpoint } from "./queries.ts";
import { type DisabledReason, type Endpoint, endpointLife, healthy } from "./webhook.ts";

/** A disabled endpoint knows why; both ways, other fields may change in the same version. */
export type EndpointMove =
  | {
      readonly action: "disable";
      readonly reason: DisabledReason;
      readonly change?: Partial<Endpoint>;
    }
  | { readonly action: "enable"; readonly change?: Partial<Endpoint> };

/**
 * Afterwards the endpoint is in its next state: disabled, with the first of what waited for it
 * cancelled; or enabled, for what happens from now on, its failures forgiven. The world heard what
 * the table says. Where the table has no such way to go, nothing changed and it is answered as it is.
 */
export async function advanceEndpoint(
  tx: Tx,
  before: Endpoint,
  move: EndpointMove,
): Promise<Endpoint> {
  const step = arrow(endpointLife, before.status, move.action);
  if (step === null) return before;
  const after: Endpoint = {
    ...before,
    ...move.change,
    ...(move.action === "disable" ? stopped(tx, move.reason) : await startedAgain(tx)),
    status: step.next,
    version: before.version + 1,
    updatedAt: tx.now,
  };
  const health = await lockHealth(tx, after.id);
  if (!(await replaceEndpoint(tx, after))) throw new WriteConflict("The webhook");
  if (after.status === "disabled") await cancelPending(tx, after.id);
  else await forgive(tx, after, health.lastSuccessAt);
  if (step.event !== null) await tx.emit(webhookDisabledEvent(after, health));
  return after;
}

function stopped(tx: Tx, reason: DisabledReason): Partial<Endpoint> {
  return { disabledReason: reason, disabledAt: tx.now };
}

async function startedAgain(tx: Tx): Promise<Partial<Endpoint>> {
  return { disabledReason: null, disabledAt: null, startsAfter: await lastSequence(tx) };
}

/** What still waits since it was disabled was promised to be cancelled. */
async function forgive(tx: Tx, { id }: Endpoint, lastSuccessAt: number | null): Promise<void> {
  while (await cancelPending(tx, id));
  await putHealth(tx, id, { ...healthy, lastSuccessAt });
}
