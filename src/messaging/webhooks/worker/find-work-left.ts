// Lookup: what is left to do for whoever delivers, as the store knows it; for those that wait for it and
// do not do it themselves.

import { findLostClaims } from "#messaging/webhooks/deliveries/queries.ts";
import { listReplays } from "#messaging/webhooks/deliveries/replay-queries.ts";
import { listAllEndpoints } from "#messaging/webhooks/endpoints/queries.ts";
import type { Reader } from "#platform/database/store.ts";

import { listWaiting } from "./list-waiting.ts";
import { measureBacklog } from "./measure-backlog.ts";

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
