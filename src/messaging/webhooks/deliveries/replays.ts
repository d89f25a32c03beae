// What happened before is sent again, to one endpoint, piece by piece.

import { type Id, newId } from "#kernel/id.ts";
import { findEndpointRow } from "#messaging/webhooks/endpoints/queries.ts";
import {
  replayRunning,
  wants,
  webhookDisabled,
  webhookNotFound,
} from "#messaging/webhooks/endpoints/webhook.ts";
import type { Tx } from "#platform/database/database.ts";
import {
  eventsAfter,
  lastSequence,
  type LoggedEvent,
  sequenceBefore,
  sequenceUntil,
} from "#platform/event-log/event-log.ts";

import { type DeliveryStatus, newDelivery } from "./delivery.ts";
import { insertDelivery } from "./queries.ts";
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

/** A span of the log, by time or by sequence; what is not said is its beginning or its end. */
export interface ReplayRequest {
  /** Epoch milliseconds; included. */
  readonly from: number | null;
  /** Epoch milliseconds; not included. */
  readonly to: number | null;
  /** Not included. */
  readonly after: number | null;
  /** Included. */
  readonly until: number | null;
  /** Names and patterns; what the endpoint wants where it is null. */
  readonly names: readonly string[] | null;
  /** Only what was given up or cancelled, and never arrived. */
  readonly failedOnly: boolean;
}

/**
 * Afterwards the replay is under way, up to what has happened by now. Refuses with
 * `webhook_not_found`, `webhook_disabled` and `replay_running`.
 */
export async function startReplay(
  tx: Tx,
  id: Id<"webhook">,
  { from, to, after, until, names, failedOnly }: ReplayRequest,
): Promise<Replay> {
  const endpoint = await findEndpointRow(tx, id);
  if (endpoint === undefined) throw webhookNotFound();
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

const AT_ONCE = 100;

/**
 * Afterwards the replay has come further, or is over. Answers whether to go on at once: not while
 * what it made before still waits.
 */
export async function goOnWithReplay(tx: Tx, endpointId: Replay["endpointId"]): Promise<boolean> {
  const replay = await lockReplay(tx, endpointId);
  if (replay === null) return false;
  const { after, until } = replay;
  const endpoint = await findEndpointRow(tx, endpointId);
  if (endpoint?.status !== "enabled") {
    await deleteReplay(tx, endpointId);
    return false;
  }
  if ((await countPendingReplayed(tx, endpointId, AT_ONCE)) === AT_ONCE) return false;
  const found = await eventsAfter(tx, { after, until, limit: AT_ONCE });
  const wanted = found.filter(({ name }) => wants(replay.names ?? endpoint.events, name));
  for (const event of replay.failedOnly ? await failed(tx, endpointId, wanted) : wanted) {
    const id = newId("delivery", tx.now);
    await insertDelivery(tx, newDelivery(id, { event, endpointId, now: tx.now, isReplay: true }));
  }
  const last = found.at(-1);
  if (last !== undefined && found.length === AT_ONCE) {
    await advanceReplayRow(tx, replay, last.sequence);
    return true;
  }
  await deleteReplay(tx, endpointId);
  return false;
}

/** Those that were given up or cancelled, and neither arrived nor are on their way. */
async function failed(
  tx: Tx,
  endpointId: Replay["endpointId"],
  events: readonly LoggedEvent[],
): Promise<LoggedEvent[]> {
  const ids = events.map(({ id }) => id);
  const statuses = await findStatusesOf(tx, endpointId, ids);
  const given = new Set(statuses.filter(isLost).map(({ eventId }) => eventId));
  for (const one of statuses) if (!isLost(one)) given.delete(one.eventId);
  return events.filter(({ id }) => given.has(id));
}

function isLost({ status }: { readonly status: DeliveryStatus }): boolean {
  return status === "exhausted" || status === "cancelled";
}
