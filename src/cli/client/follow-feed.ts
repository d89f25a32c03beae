// Follows the feed of a shop through its restarts. Invariant: each event comes once and in order;
// where reading failed, it is read again from the same sequence.

import { monotonicMs } from "#kernel/time.ts";

import { type FeedEvent, type FeedPage, type PageRequest, readPage } from "./feed-page.ts";
import type { ShopAccess } from "./shop-access.ts";
import { ShopUnreachable } from "./shop-fault.ts";

const WAIT_SECONDS = 30;
const PAGE_SIZE = 100;
/** Before the first, second … attempt after a failure; the last one from then on. */
const PAUSES_MS = [250, 500, 1000, 2000, 5000] as const;
/** A server that is about to stop lets nobody wait: it is not asked again at once. */
const HURRIED_MS = 1000;

export interface FollowTerms {
  /** Names and patterns, comma-separated; all where nothing is said. */
  readonly events: string | undefined;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Hears what became of the connection. */
  readonly say: (sentence: string) => void;
}

/** Where new events begin. Rejects with a sentence where the feed cannot be read. */
export async function findNewest(
  access: ShopAccess,
  { events, signal }: FollowTerms,
): Promise<number> {
  const request = { after: 0, limit: 1, waitSeconds: 0, events, signal };
  return (await readPage(access, request)).lastSequence;
}

/** Every event after the sequence until the signal comes. Throws what asking again does not mend. */
export async function* followFeed(
  access: ShopAccess,
  start: number,
  terms: FollowTerms,
): AsyncGenerator<FeedEvent> {
  const { events, signal } = terms;
  const reader = new PatientReader(access, terms);
  let after = start;
  while (!signal.aborted) {
    const request = { after, limit: PAGE_SIZE, waitSeconds: WAIT_SECONDS, events, signal };
    const beganAtMs = monotonicMs();
    const page = await reader.read(request);
    if (page === null) continue;
    for (const event of page.events) {
      if (signal.aborted) return;
      yield event;
    }
    if (page.lastSequence < after) {
      // It was put back to an earlier backup, or is another shop by now.
      terms.say(`The feed begins again after ${page.lastSequence}.`);
    }
    after = Math.min(page.nextAfter, page.lastSequence);
    const isHurried = page.events.length === 0 && monotonicMs() - beganAtMs < HURRIED_MS;
    if (isHurried) await pause(PAUSES_MS[0], signal);
  }
}

/** Says once that the shop is away, and once that it is back. */
class PatientReader {
  readonly #access: ShopAccess;
  readonly #terms: FollowTerms;
  #failures = 0;

  constructor(access: ShopAccess, terms: FollowTerms) {
    this.#access = access;
    this.#terms = terms;
  }

  /** The page; null where there was none, after a pause that grows with each failure. */
  async read(request: PageRequest): Promise<FeedPage | null> {
    const { say, signal } = this.#terms;
    try {
      const page = await readPage(this.#access, request);
      if (this.#failures > 0) say("The shop answers again.");
      this.#failures = 0;
      return page;
    } catch (error) {
      if (signal.aborted) return null;
      if (!(error instanceof ShopUnreachable)) throw error;
      if (this.#failures === 0) say(`${error.message} It is asked again until it answers.`);
      await pause(PAUSES_MS[this.#failures] ?? PAUSES_MS.at(-1) ?? 0, signal);
      this.#failures += 1;
      return null;
    }
  }
}

/** Ends early with the signal. */
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
