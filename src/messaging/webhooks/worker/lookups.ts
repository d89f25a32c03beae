// What is left to do for the worker.

import { CONSUMER } from "#messaging/webhooks/deliveries/delivery.ts";
import {
  findAllNextDue,
  findBacklog,
  findLostClaims,
  type NextDue,
} from "#messaging/webhooks/deliveries/queries.ts";
import { listReplays } from "#messaging/webhooks/deliveries/replay-queries.ts";
import { listAllEndpoints } from "#messaging/webhooks/endpoints/queries.ts";
import type { Endpoint, EndpointStatus } from "#messaging/webhooks/endpoints/webhook.ts";
import type { Reader } from "#platform/database/database.ts";
import { lastSequence } from "#platform/event-log/event-log.ts";
import { findLogCursor } from "#platform/event-log/log-cursors.ts";

/** No claim: all of them are somebody else's. */
const NOBODY = "";

export interface WorkLeft {
  /** Whether an attempt is under way. */
  readonly isSending: boolean;
  /** Whether anything is to be read, to be put back or to be sent by now. */
  readonly isDue: boolean;
  /** When the next thing is to be sent after now, on the shop's clock; Infinity where nothing is. */
  readonly nextAt: number;
}

/** At an instant of the shop's clock. */
export async function findWorkLeft(db: Reader, now: number): Promise<WorkLeft> {
  const { unread } = await measureBacklog(db, now);
  const replays = await listReplays(db);
  const { enabled, disabled } = await listWaiting(db, await listAllEndpoints(db));
  const times = enabled.flatMap(({ freshAt, replayedAt }) => [freshAt, replayedAt]);
  const isDue = times.some((at) => at <= now);
  // Last: what is sent moves on from due to under way, not back.
  const isSending = (await findLostClaims(db, NOBODY, 1)).length > 0;
  return {
    isSending,
    isDue: isDue || unread > 0 || replays.length > 0 || disabled.length > 0,
    nextAt: Math.min(...times.filter((at) => at > now)),
  };
}

/** An endpoint to which something is to be sent, and when the first of it is due. */
export interface Waiting extends NextDue {
  readonly endpoint: Endpoint;
}

/** Those of the endpoints to which anything is to be sent, in their order. */
export async function listWaiting(
  db: Reader,
  endpoints: readonly Endpoint[],
): Promise<Readonly<Record<EndpointStatus, readonly Waiting[]>>> {
  const due = await findAllNextDue(db);
  const waiting = endpoints.flatMap((endpoint) => {
    const next = due.get(endpoint.id);
    return next === undefined ? [] : [{ endpoint, ...next }];
  });
  const { enabled = [], disabled = [] } = Object.groupBy(waiting, (one) => one.endpoint.status);
  return { enabled, disabled };
}

export interface Backlog {
  /** Deliveries that wait for their time or for their turn. */
  readonly waiting: number;
  /** How long the oldest of them has been waiting, milliseconds; 0 where none is. */
  readonly oldestMs: number;
  /** Events that are not on their way yet. */
  readonly unread: number;
}

/** As it stands at an instant of the shop's clock. */
export async function measureBacklog(db: Reader, now: number): Promise<Backlog> {
  const { waiting, oldestAt } = await findBacklog(db);
  const starts = (await listAllEndpoints(db)).map(({ startsAfter }) => startsAfter);
  const last = await lastSequence(db);
  const read = Math.max(await findLogCursor(db, CONSUMER), Math.min(...starts, last));
  return {
    waiting,
    oldestMs: oldestAt === null ? 0 : Math.max(now - oldestAt, 0),
    unread: last - read,
  };
}
