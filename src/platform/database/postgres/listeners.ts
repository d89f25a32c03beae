// Listeners of a PostgreSQL database inside this program. Invariant: after each announcement all of
// them are called, immediately or within the pause. Several announcements share one call, because
// stories commit one by one here and every listener queries the server.

import { monotonicMs } from "#kernel/time.ts";
import { notifySafely } from "#platform/process/lazy.ts";

/** Between two calls, milliseconds: short beside a webhook, long beside an order. */
const PAUSE_MS = 20;

export class Listeners {
  readonly #all = new Set<() => void>();
  #calledAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /** Returns the function that unsubscribes. */
  add(listener: () => void): () => void {
    this.#all.add(listener);
    return () => void this.#all.delete(listener);
  }

  announce(): void {
    if (this.#timer !== undefined) return;
    const pause = this.#calledAtMs + PAUSE_MS - monotonicMs();
    if (pause > 0) this.#timer = setTimeout(() => this.#call(), pause);
    else this.#call();
  }

  /** Ends all calls. */
  close(): void {
    clearTimeout(this.#timer);
    this.#all.clear();
  }

  #call(): void {
    this.#timer = undefined;
    this.#calledAtMs = monotonicMs();
    for (const listener of this.#all) notifySafely(listener);
  }
}
