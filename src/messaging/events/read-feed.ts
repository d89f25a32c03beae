// Lookup: the feed of events, oldest first. A client that stores the last sequence and continues
// after it misses no event, even when its webhooks fail.

import type { Fault } from "#kernel/fault.ts";
import type { Id } from "#kernel/id.ts";
import { monotonicMs, nextTurn } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import {
  eventsAfter,
  findEvent,
  lastSequence,
  type LoggedEvent,
} from "#platform/event-log/event-log.ts";
import { nearestName } from "#platform/process/nearest-name.ts";

import { eventNotFound, eventNotKnown, eventPatterns, namesMatching } from "./event.ts";

interface FeedRequest {
  readonly after: number;
  readonly patterns: readonly string[] | undefined;
  readonly limit: number;
}

export interface Feed {
  readonly events: readonly LoggedEvent[];
  readonly hasMore: boolean;
  /** The `after` of the next request: the last event returned, or the last one that was looked at if no more match. */
  readonly nextAfter: number;
  /** The sequence of the newest event in the log, matching or not. */
  readonly lastSequence: number;
}

/** Events of all names that one request for some of them looks at, and those between which others have their turn. */
const LOOKS_MAX = 20_000;
const LOOKS_AT_ONCE = 2_000;

/**
 * Events after a sequence, up to the newest event at the start of the read, of which a request for some names looks at
 * `looksMost`: there is more then, and the page may be short or empty. The place that it looked to becomes `nextAfter`,
 * so events that do not match are scanned once and later events are never skipped. Refuses with `event_not_known`.
 */
export async function readFeed(
  db: Reader,
  request: FeedRequest,
  looksMost = LOOKS_MAX,
): Promise<Feed> {
  const newest = await lastSequence(db);
  const asked = { after: request.after, limit: request.limit + 1 };
  const until =
    request.patterns === undefined ? newest : Math.min(newest, request.after + looksMost);
  const found =
    request.patterns === undefined
      ? await eventsAfter(db, { ...asked, until })
      : await eventsNamed(db, { ...asked, until, name: namesOf(request.patterns) });
  const events = found.slice(0, request.limit);
  const isFull = found.length > request.limit;
  const nextAfter = isFull ? events.at(-1)?.sequence : Math.max(request.after, until);
  const hasMore = isFull || until < newest;
  return { events, hasMore, nextAfter: nextAfter ?? request.after, lastSequence: newest };
}

/** Read in parts: the events of several names come from the index in the order of their names. */
async function eventsNamed(
  db: Reader,
  span: { after: number; until: number; limit: number; name: readonly string[] },
): Promise<LoggedEvent[]> {
  const found: LoggedEvent[] = [];
  let { after } = span;
  while (after < span.until && found.length < span.limit) {
    if (after > span.after) await nextTurn();
    const until = Math.min(span.until, after + LOOKS_AT_ONCE);
    const limit = span.limit - found.length;
    found.push(...(await eventsAfter(db, { ...span, after, until, limit })));
    after = until;
  }
  return found;
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

// Long polling of the feed. Invariant: a waiting request subscribes to commits before its first
// read, so an event that is committed between the two still wakes it.

/** The least time between two reads: a burst of commits costs each waiting request one read. */
const POLL_INTERVAL_MS_MIN = 20;

export interface WaitRequest extends FeedRequest {
  /** Real time to wait for the first event; 0 returns at once. */
  readonly waitMs: number;
}

/**
 * Returns the events after a sequence; if there are none up to the newest, waits until one is committed. Returns an
 * empty page after `waitMs` or when the shop closes. Refuses with `event_not_known`.
 */
export async function waitForEvents(shop: Shop, request: WaitRequest): Promise<Feed> {
  if (request.waitMs === 0) return readFeed(shop.database.read, request);
  using signal = new CommitSignal(shop);
  const endsAtMs = monotonicMs() + request.waitMs;
  let polledAtMs = monotonicMs();
  let feed = await readFeed(shop.database.read, request);
  while (feed.events.length === 0 && !feed.hasMore && !shop.closing.aborted) {
    const leftMs = endsAtMs - monotonicMs();
    if (leftMs <= 0 || !(await signal.wait(leftMs))) break;
    await Bun.sleep(Math.max(0, polledAtMs + POLL_INTERVAL_MS_MIN - monotonicMs()));
    // The database may already be closed.
    if (shop.closing.aborted) break;
    polledAtMs = monotonicMs();
    feed = await readFeed(shop.database.read, { ...request, after: feed.nextAfter });
  }
  return feed;
}

/** Fires on each commit that emitted events, and when the shop closes. */
class CommitSignal implements Disposable {
  readonly #unsubscribe: () => void;
  #fired = Promise.withResolvers<true>();

  constructor({ database, closing }: Shop) {
    const fire = () => this.#fired.resolve(true);
    const unsubscribe = database.onAnnounced(fire);
    closing.addEventListener("abort", fire);
    this.#unsubscribe = () => {
      unsubscribe();
      closing.removeEventListener("abort", fire);
    };
  }

  /** True once the signal has fired since the previous call; false after the timeout. */
  async wait(withinMs: number): Promise<boolean> {
    const timeout = Promise.withResolvers<false>();
    const timer = setTimeout(() => timeout.resolve(false), withinMs);
    const hasFired = await Promise.race([this.#fired.promise, timeout.promise]);
    clearTimeout(timer);
    this.#fired = Promise.withResolvers<true>();
    return hasFired;
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
  }
}

/** The event with this id. Refuses with `event_not_found`. */
export async function getEvent(db: Reader, id: Id<"event">): Promise<LoggedEvent> {
  const event = await findEvent(db, id);
  if (event === undefined) throw eventNotFound();
  return event;
}
