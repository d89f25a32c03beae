// Lookup: how much is not delivered yet.

import { CONSUMER } from "#messaging/webhooks/deliveries/delivery.ts";
import { findBacklog } from "#messaging/webhooks/deliveries/queries.ts";
import { listAllEndpoints } from "#messaging/webhooks/endpoints/queries.ts";
import type { Reader } from "#platform/database/store.ts";
import { lastSequence } from "#platform/event-log/event-log.ts";
import { findLogCursor } from "#platform/event-log/log-cursors.ts";

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
