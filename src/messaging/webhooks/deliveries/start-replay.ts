// Story: what happened before is sent again, to one endpoint.

import type { Id } from "#kernel/id.ts";
import { findEndpointRow } from "#messaging/webhooks/endpoints/queries.ts";
import {
  replayRunning,
  webhookDisabled,
  webhookNotFound,
} from "#messaging/webhooks/endpoints/webhook.ts";
import type { Tx } from "#platform/database/store.ts";
import { lastSequence, sequenceBefore, sequenceUntil } from "#platform/event-log/event-log.ts";

import { findReplay, insertReplay, type Replay } from "./replay-queries.ts";

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
  tx.nudge();
  return replay;
}
