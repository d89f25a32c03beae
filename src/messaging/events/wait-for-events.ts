// Long polling of the feed. Invariant: a waiting request subscribes to commits before its first
// read, so an event that is committed between the two still wakes it.

import { monotonicMs } from "#kernel/time.ts";
import type { Shop } from "#platform/database/shop.ts";

import { type Feed, type FeedRequest, readFeed } from "./read-feed.ts";

/** The least time between two reads: a burst of commits costs each waiting request one read. */
const POLL_INTERVAL_MS_MIN = 20;

export interface WaitRequest extends FeedRequest {
  /** Real time to wait for the first event; 0 returns at once. */
  readonly waitMs: number;
}

/**
 * Returns the events after a sequence; if there are none, waits until one is committed. Returns an
 * empty page after `waitMs` or when the shop closes. Refuses with `event_not_known`.
 */
export async function waitForEvents(shop: Shop, request: WaitRequest): Promise<Feed> {
  if (request.waitMs === 0) return readFeed(shop.database.read, request);
  using signal = new CommitSignal(shop);
  const endsAtMs = monotonicMs() + request.waitMs;
  let polledAtMs = monotonicMs();
  let feed = await readFeed(shop.database.read, request);
  while (feed.events.length === 0 && !shop.closing.aborted) {
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
