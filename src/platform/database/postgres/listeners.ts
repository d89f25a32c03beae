// Whoever follows a shop on PostgreSQL from inside this program. Invariant: after each announcement all of
// them are called once more, at once or a moment later. Not for each: stories end here one by one, not in
// groups, and everybody who is called asks the server.

import { monotonicMs } from "#kernel/time.ts";
import { notifySafely } from "#platform/process/notify-safely.ts";

/** Between two calls, milliseconds: short beside the way to a receiver, long beside an order. */
const PAUSE_MS = 20;

export class Listeners {
  readonly #all = new Set<() => void>();
  #calledAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /** Answers how to stop it. */
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

  /** Nobody is called any more. */
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
