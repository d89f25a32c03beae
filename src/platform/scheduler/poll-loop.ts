// Polls repeatedly, one poll at a time, without keeping the process alive.

import type { Database } from "#platform/database/database.ts";

interface PollLoopTerms {
  /** The subject of error messages. */
  readonly what: string;
  readonly poll: () => Promise<void>;
  /** Called when polls begin to fail, once until one succeeds. */
  readonly onFault: (error: unknown) => void;
  /** The pause before the next poll, milliseconds. */
  readonly pauseMs: (isFailing: boolean) => number;
}

export class PollLoop {
  readonly #terms: PollLoopTerms;
  #state: "new" | "running" | "stopped" = "new";
  #alarm: NodeJS.Timeout | undefined;
  #polling: Promise<void> = Promise.resolve();
  #isFailing = false;

  constructor(terms: PollLoopTerms) {
    this.#terms = terms;
  }

  /** Starts polling after a first pause in milliseconds. */
  start(afterMs: number): void {
    if (this.#state !== "new") throw new Error(`${this.#terms.what} can only be started once.`);
    this.#state = "running";
    this.#sleep(afterMs);
  }

  /** Stops polling; resolves when the running poll has ended. */
  async stop(): Promise<void> {
    this.#state = "stopped";
    clearTimeout(this.#alarm);
    await this.#polling;
  }

  #sleep(milliseconds: number): void {
    if (this.#state !== "running") return;
    this.#alarm = setTimeout(() => {
      this.#polling = this.#pollOnce();
    }, milliseconds);
    this.#alarm.unref();
  }

  async #pollOnce(): Promise<void> {
    try {
      await this.#terms.poll();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#terms.onFault(error);
      this.#isFailing = true;
    }
    this.#sleep(this.#terms.pauseMs(this.#isFailing));
  }
}

/** The pause of a shared database, milliseconds; a SQLite file needs none. */
const PAUSE_MS = 20;

/**
 * Calls back shortly after commits that announced something. Returns the function that
 * unsubscribes.
 */
export function throttled(database: Database, listener: () => void): () => void {
  if (!database.isShared) return database.onAnnounced(listener);
  let isScheduled = false;
  const call = () => {
    isScheduled = false;
    listener();
  };
  return database.onAnnounced(() => {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(call, PAUSE_MS).unref();
  });
}
