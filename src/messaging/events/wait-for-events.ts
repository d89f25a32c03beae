// Story: the feed, read as soon as there is something to read. Invariant: whoever waits listens
// before they look, so that what is committed between the two wakes them.

import { monotonicMs } from "#kernel/time.ts";
import type { Shop } from "#platform/database/shop.ts";

import { type Feed, type FeedRequest, readFeed } from "./read-feed.ts";

/** A burst of commits is looked at once in this time, however many wait for it. */
const BETWEEN_LOOKS_MS = 20;

export interface WaitRequest extends FeedRequest {
  /** Of real time, for the first event to come; 0 answers what is there. */
  readonly waitMs: number;
}

/**
 * Events after a sequence: at once where there are some, else as soon as one of them is committed,
 * else none when the time is up or the shop is about to close. Refuses with `event_not_known`.
 */
export async function waitForEvents(shop: Shop, request: WaitRequest): Promise<Feed> {
  if (request.waitMs === 0) return readFeed(shop.database.read, request);
  using bell = new Bell(shop);
  const endsAtMs = monotonicMs() + request.waitMs;
  let lookedAtMs = monotonicMs();
  let feed = await readFeed(shop.database.read, request);
  while (feed.events.length === 0 && !shop.closing.aborted) {
    const leftMs = endsAtMs - monotonicMs();
    if (leftMs <= 0 || !(await bell.rings(leftMs))) break;
    await Bun.sleep(Math.max(0, lookedAtMs + BETWEEN_LOOKS_MS - monotonicMs()));
    // The store may be closed by the time that it would answer.
    if (shop.closing.aborted) break;
    lookedAtMs = monotonicMs();
    feed = await readFeed(shop.database.read, { ...request, after: feed.nextAfter });
  }
  return feed;
}

/** Rings when something was announced, and when the shop is about to close. */
class Bell implements Disposable {
  readonly #stopListening: () => void;
  #ring = Promise.withResolvers<true>();

  constructor({ database, closing }: Shop) {
    const ring = () => this.#ring.resolve(true);
    const stopHearing = database.onAnnounced(ring);
    closing.addEventListener("abort", ring);
    this.#stopListening = () => {
      stopHearing();
      closing.removeEventListener("abort", ring);
    };
  }

  /** True as soon as it has rung since the last time this was asked; false when the time is up. */
  async rings(withinMs: number): Promise<boolean> {
    const silence = Promise.withResolvers<false>();
    const timer = setTimeout(() => silence.resolve(false), withinMs);
    const hasRung = await Promise.race([this.#ring.promise, silence.promise]);
    clearTimeout(timer);
    this.#ring = Promise.withResolvers<true>();
    return hasRung;
  }

  [Symbol.dispose](): void {
    this.#stopListening();
  }
}
