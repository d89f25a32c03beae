// Follows the event feed of a shop across its restarts. Invariant: each event is returned once and in order;
// a failed read is repeated from the same sequence.

import { monotonicMs } from "#kernel/time.ts";

import { type FeedEvent, type FeedPage, type PageRequest, readPage } from "./feed-page.ts";
import type { ShopAccess } from "./shop-access.ts";
import { ShopUnreachable } from "./shop-answer.ts";

const WAIT_SECONDS = 30;
const PAGE_SIZE = 100;
/** Pauses before the first, second … retry; the last one repeats. */
const PAUSES_MS = [250, 500, 1000, 2000, 5000] as const;
/** A stopping server answers a long poll early: an empty page this soon is followed by a pause. */
const EARLY_MS = 1000;

export interface FollowTerms {
  /** Names and patterns, comma-separated; undefined for all. */
  readonly events: string | undefined;
  /** Stops following. */
  readonly signal: AbortSignal;
  /** Prints a change of the connection. */
  readonly print: (sentence: string) => void;
}

/** The sequence of the newest event. Rejects with ShopFault where the feed cannot be read. */
export async function findNewest(
  access: ShopAccess,
  { events, signal }: FollowTerms,
): Promise<number> {
  const request = { after: 0, limit: 1, waitSeconds: 0, events, signal };
  return (await readPage(access, request)).lastSequence;
}

/** Every event after the sequence, until the signal. Throws errors that a retry cannot resolve. */
export async function* followFeed(
  access: ShopAccess,
  start: number,
  terms: FollowTerms,
): AsyncGenerator<FeedEvent> {
  const { events, signal } = terms;
  const reader = new RetryingReader(access, terms);
  let after = start;
  while (!signal.aborted) {
    const request = { after, limit: PAGE_SIZE, waitSeconds: WAIT_SECONDS, events, signal };
    const startedAtMs = monotonicMs();
    const page = await reader.read(request);
    if (page === null) continue;
    for (const event of page.events) {
      if (signal.aborted) return;
      yield event;
    }
    if (page.lastSequence < after) {
      // A backup was restored, or the address now belongs to another shop.
      terms.print(`The feed went back to sequence ${page.lastSequence}; following it from there.`);
    }
    after = Math.min(page.nextAfter, page.lastSequence);
    const isEarly = page.events.length === 0 && monotonicMs() - startedAtMs < EARLY_MS;
    if (isEarly) await pause(PAUSES_MS[0], signal);
  }
}

/** Prints once that the shop is unreachable, and once that it is back. */
class RetryingReader {
  readonly #access: ShopAccess;
  readonly #terms: FollowTerms;
  #failures = 0;

  constructor(access: ShopAccess, terms: FollowTerms) {
    this.#access = access;
    this.#terms = terms;
  }

  /** The page; null after a failure, and a pause that grows with each one in a row. */
  async read(request: PageRequest): Promise<FeedPage | null> {
    const { print, signal } = this.#terms;
    try {
      const page = await readPage(this.#access, request);
      if (this.#failures > 0) print("The shop is reachable again.");
      this.#failures = 0;
      return page;
    } catch (error) {
      if (signal.aborted) return null;
      if (!(error instanceof ShopUnreachable)) throw error;
      if (this.#failures === 0) print(`${error.message} Retrying until the shop answers.`);
      await pause(PAUSES_MS[this.#failures] ?? PAUSES_MS.at(-1) ?? 0, signal);
      this.#failures += 1;
      return null;
    }
  }
}

/** Sleeps; the signal ends it early. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    resolve();
  };
  const timer = setTimeout(end, milliseconds);
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  return promise;
}
