// Lookup: the feed of events, oldest first. A client that stores the last sequence and continues
// after it misses no event, even when its webhooks fail.

import type { Fault } from "#kernel/fault.ts";
import type { Reader } from "#platform/database/database.ts";
import { eventsAfter, lastSequence, type LoggedEvent } from "#platform/event-log/event-log.ts";
import { nearestName } from "#platform/process/nearest-name.ts";

import { eventNotKnown, eventPatterns, namesMatching } from "./event.ts";

export interface FeedRequest {
  readonly after: number;
  readonly patterns: readonly string[] | undefined;
  readonly limit: number;
}

export interface Feed {
  readonly events: readonly LoggedEvent[];
  readonly hasMore: boolean;
  /** The `after` of the next request: the last event returned, or the newest one if no more match. */
  readonly nextAfter: number;
  /** The sequence of the newest event in the log, matching or not. */
  readonly lastSequence: number;
}

/**
 * Events after a sequence, up to the newest event at the start of the read. That bound becomes
 * `nextAfter`, so events that do not match are scanned once and later events are never skipped.
 * Refuses with `event_not_known`.
 */
export async function readFeed(db: Reader, request: FeedRequest): Promise<Feed> {
  const newest = await lastSequence(db);
  const found = await eventsAfter(db, {
    after: request.after,
    until: newest,
    limit: request.limit + 1,
    name: request.patterns === undefined ? undefined : namesOf(request.patterns),
  });
  const events = found.slice(0, request.limit);
  const hasMore = found.length > request.limit;
  const nextAfter = hasMore ? events.at(-1)?.sequence : Math.max(request.after, newest);
  return { events, hasMore, nextAfter: nextAfter ?? request.after, lastSequence: newest };
}

function namesOf(patterns: readonly string[]): string[] {
  const faults: Fault[] = [];
  const names = patterns.flatMap((pattern) => {
    const matching = namesMatching(pattern);
    if (matching.length === 0) {
      const nearest = nearestName(pattern, eventPatterns);
      const hint = nearest === null ? "" : `; is it ${nearest}?`;
      faults.push({
        parameter: "event",
        code: "invalid_choice",
        detail: `There is no event with this name${hint}`,
      });
    }
    return matching;
  });
  if (faults.length > 0) throw eventNotKnown({ faults });
  return [...new Set<string>(names)];
}
