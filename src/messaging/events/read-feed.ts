// Lookup: the feed of events, oldest first. Who stores the last sequence and asks again loses
// nothing, whatever became of pushes.

import { nearestName } from "#kernel/nearest-name.ts";
import { type Fault } from "#kernel/refusal.ts";
import type { Reader } from "#platform/database/database.ts";
import { eventsAfter, lastSequence, type LoggedEvent } from "#platform/event-log/event-log.ts";

import { eventNames, eventNotKnown, namesMatching } from "./event.ts";

export interface FeedRequest {
  readonly after: number;
  readonly patterns: readonly string[] | undefined;
  readonly limit: number;
}

export interface Feed {
  readonly events: readonly LoggedEvent[];
  readonly hasMore: boolean;
  /** The sequence to continue after: of the last event, or the newest where no more match. */
  readonly nextAfter: number;
  /** Of the newest event that the shop had, whether it matches or not. */
  readonly lastSequence: number;
}

/**
 * Events after a sequence, up to the one that was the newest when the reading began: so nobody looks
 * twice through events that they did not ask for, and none is passed over. Refuses with `event_not_known` for a name that nothing has.
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
      const nearest = nearestName(pattern, eventNames);
      const hint = nearest === null ? "" : `; is it ${nearest}?`;
      faults.push({
        parameter: "event",
        code: "invalid_choice",
        detail: `There is no event of this name${hint}`,
      });
    }
    return matching;
  });
  if (faults.length > 0) throw eventNotKnown({ faults });
  return [...new Set<string>(names)];
}
