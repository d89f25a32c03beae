// Lookups: the remaining work of the worker, and the wait until the program that holds the lease has done it.

import { CONSUMER } from "#messaging/webhooks/deliveries/delivery.ts";
import {
  findAllNextDue,
  findBacklog,
  findLostClaims,
  type NextDue,
} from "#messaging/webhooks/deliveries/queries.ts";
import { listReplays } from "#messaging/webhooks/deliveries/replay-queries.ts";
import { listAllEndpoints } from "#messaging/webhooks/endpoints/queries.ts";
import type { EndpointStatus } from "#messaging/webhooks/endpoints/webhook-life.ts";
import type { Endpoint } from "#messaging/webhooks/endpoints/webhook.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import { lastSequence } from "#platform/event-log/event-log.ts";
import { findLogCursor } from "#platform/event-log/log-cursors.ts";

/** Matches no claim, so every claim is another one. */
const NO_CLAIM = "";
/** Between two polls, milliseconds. */
const POLL_MS = 75;
/** The longest wait without an attempt in flight: longer than the lease of a program that died. */
const IDLE_MS_MAX = 20_000;

interface WorkLeft {
  /** True if an attempt is in flight. */
  readonly isSending: boolean;
  /** True if there are unread events, running replays, or due or cancellable deliveries. */
  readonly isDue: boolean;
  /** When the next delivery after now is due, on the shop's clock; Infinity if none is pending. */
  readonly nextAt: number;
}

/** The remaining work at an instant of the shop's clock. */
export async function findWorkLeft(db: Reader, now: number): Promise<WorkLeft> {
  const { unread } = await measureBacklog(db, now);
  const replays = await listReplays(db);
  const { enabled, disabled } = await listPendingEndpoints(db, await listAllEndpoints(db));
  const times = enabled.flatMap(({ freshAt, replayedAt }) => [freshAt, replayedAt]);
  const isDue = times.some((at) => at <= now);
  // Read last: deliveries move from due to sending, so reading it first could miss both.
  const isSending = (await findLostClaims(db, NO_CLAIM, 1)).length > 0;
  return {
    isSending,
    isDue: isDue || unread > 0 || replays.length > 0 || disabled.length > 0,
    nextAt: Math.min(...times.filter((at) => at > now)),
  };
}

/**
 * Resolves when nothing is in flight or due, when `isOver` returns true, or when due deliveries stay
 * untouched for `IDLE_MS_MAX`, for example because their endpoint is paused.
 */
export async function deliveredElsewhere(shop: Shop, isOver: () => boolean): Promise<void> {
  for (let idleMs = 0; idleMs < IDLE_MS_MAX && !isOver(); idleMs += POLL_MS) {
    const { isSending, isDue } = await findWorkLeft(shop.database.read, shop.clock.now());
    if (!isSending && !isDue) return;
    if (isSending) idleMs = 0;
    await Bun.sleep(POLL_MS);
  }
}

/** An endpoint with pending deliveries, and when the first of them is due. */
export interface PendingEndpoint extends NextDue {
  readonly endpoint: Endpoint;
}

/** The endpoints that have pending deliveries, by status, in the given order. */
export async function listPendingEndpoints(
  db: Reader,
  endpoints: readonly Endpoint[],
): Promise<Readonly<Record<EndpointStatus, readonly PendingEndpoint[]>>> {
  if (endpoints.length === 0) return { enabled: [], disabled: [] };
  const due = await findAllNextDue(db);
  const pending = endpoints.flatMap((endpoint) => {
    const next = due.get(endpoint.id);
    return next === undefined ? [] : [{ endpoint, ...next }];
  });
  const { enabled = [], disabled = [] } = Object.groupBy(pending, (one) => one.endpoint.status);
  return { enabled, disabled };
}

export interface Backlog {
  /** Pending deliveries. */
  readonly waiting: number;
  /** The age of the oldest pending delivery, milliseconds; 0 if there is none. */
  readonly oldestMs: number;
  /** Events without deliveries yet. */
  readonly unread: number;
}

/** The backlog at an instant of the shop's clock. */
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
