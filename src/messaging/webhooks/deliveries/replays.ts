// Stories: start a replay of logged events to one endpoint, and advance it batch by batch.

import { type Id, newId } from "#kernel/id.ts";
import { endpointRows } from "#messaging/webhooks/endpoints/queries.ts";
import { replayRunning, wants, webhookDisabled } from "#messaging/webhooks/endpoints/webhook.ts";
import type { Tx } from "#platform/database/database.ts";
import {
  eventsAfter,
  lastSequence,
  type LoggedEvent,
  sequenceBefore,
  sequenceUntil,
} from "#platform/event-log/event-log.ts";

import type { DeliveryStatus } from "./delivery-life.ts";
import { newDelivery } from "./delivery.ts";
import { deliveryRows } from "./queries.ts";
import {
  advanceReplayRow,
  countPendingReplayed,
  deleteReplay,
  findReplay,
  findStatusesOf,
  insertReplay,
  lockReplay,
  type Replay,
} from "./replay-queries.ts";

/** A span of the log, by time or by sequence. A missing bound means the start or the end of the log. */
export interface ReplayRequest {
  /** Epoch milliseconds, inclusive. */
  readonly from: number | null;
  /** Epoch milliseconds, exclusive. */
  readonly to: number | null;
  /** A sequence, exclusive. */
  readonly after: number | null;
  /** A sequence, inclusive. */
  readonly until: number | null;
  /** Event names and patterns; null for those of the endpoint. */
  readonly names: readonly string[] | null;
  /** Only events whose deliveries were exhausted or cancelled and never succeeded. */
  readonly failedOnly: boolean;
}

/**
 * Starts a replay up to the newest event at this time. Refuses with `webhook_not_found`,
 * `webhook_disabled` and `replay_running`.
 */
export async function startReplay(
  tx: Tx,
  id: Id<"webhook">,
  { from, to, after, until, names, failedOnly }: ReplayRequest,
): Promise<Replay> {
  const endpoint = await endpointRows.get(tx, id);
  if (endpoint.status === "disabled") throw webhookDisabled();
  if ((await findReplay(tx, id)) !== null) throw replayRunning();
  const replay: Replay = {
    endpointId: id,
    after: Math.max(after ?? 0, from === null ? 0 : await sequenceBefore(tx, from)),
    until: Math.min(
      until ?? Infinity,
      to === null ? Infinity : await sequenceUntil(tx, to),
      await lastSequence(tx),
    ),
    names,
    failedOnly,
    createdAt: tx.now,
  };
  await insertReplay(tx, replay);
  tx.wake();
  return replay;
}

const BATCH_SIZE = 100;

/**
 * Creates the deliveries of the replay's next batch of events; deletes the replay after the last
 * batch. Returns whether to continue at once: not while a full batch is still pending.
 */
export async function continueReplay(tx: Tx, endpointId: Replay["endpointId"]): Promise<boolean> {
  const replay = await lockReplay(tx, endpointId);
  if (replay === null) return false;
  const { after, until } = replay;
  const endpoint = await endpointRows.find(tx, endpointId);
  if (endpoint?.status !== "enabled") {
    await deleteReplay(tx, endpointId);
    return false;
  }
  if ((await countPendingReplayed(tx, endpointId, BATCH_SIZE)) === BATCH_SIZE) return false;
  const found = await eventsAfter(tx, { after, until, limit: BATCH_SIZE });
  const wanted = found.filter(({ name }) => wants(replay.names ?? endpoint.events, name));
  for (const event of replay.failedOnly
    ? await eventsNotDelivered(tx, endpointId, wanted)
    : wanted) {
    const id = newId("delivery", tx.now);
    await deliveryRows.insert(
      tx,
      newDelivery(id, { event, endpointId, now: tx.now, isReplay: true }),
    );
  }
  const last = found.at(-1);
  if (last !== undefined && found.length === BATCH_SIZE) {
    await advanceReplayRow(tx, replay, last.sequence);
    return true;
  }
  await deleteReplay(tx, endpointId);
  return false;
}

/** The events whose deliveries were all exhausted or cancelled; at least one must exist. */
async function eventsNotDelivered(
  tx: Tx,
  endpointId: Replay["endpointId"],
  events: readonly LoggedEvent[],
): Promise<LoggedEvent[]> {
  const ids = events.map(({ id }) => id);
  const statuses = await findStatusesOf(tx, endpointId, ids);
  const failed = new Set(statuses.filter(isLost).map(({ eventId }) => eventId));
  for (const one of statuses) if (!isLost(one)) failed.delete(one.eventId);
  return events.filter(({ id }) => failed.has(id));
}

function isLost({ status }: { readonly status: DeliveryStatus }): boolean {
  return status === "exhausted" || status === "cancelled";
}
