// The shop's clock: a source clock plus an offset. It can be stopped, so that timers fire exactly
// at their due times.

import type { Clock } from "#kernel/time.ts";

export class ShopClock implements Clock {
  readonly #source: Clock;
  #offsetMs = 0;
  #standsAt: number | null = null;
  #moves = 0;

  constructor(source: Clock) {
    this.#source = source;
  }

  now(): number {
    return this.#standsAt ?? this.#source.now() + this.#offsetMs;
  }

  /** How far it is ahead of its source, milliseconds. */
  get offsetMs(): number {
    return this.#standsAt === null ? this.#offsetMs : this.#standsAt - this.#source.now();
  }

  /** How often it was moved or stopped in this program. */
  get moves(): number {
    return this.#moves;
  }

  get isStanding(): boolean {
    return this.#standsAt !== null;
  }

  /** Stops the clock at the instant. */
  standAt(atMs: number): void {
    this.#moves += 1;
    this.#standsAt = atMs;
  }

  /** Lets the clock run with the offset. */
  runOn(offsetMs: number): void {
    this.#moves += 1;
    this.#offsetMs = offsetMs;
    this.#standsAt = null;
  }
}
