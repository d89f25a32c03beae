// The shop's clock: another clock, moved ahead. It can stand still for a while, so that what is due
// at an instant happens at exactly that instant.

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

  /** Milliseconds that it is ahead of the clock it was made from. */
  get offsetMs(): number {
    return this.#standsAt === null ? this.#offsetMs : this.#standsAt - this.#source.now();
  }

  /** How often it was moved or stopped here. */
  get moves(): number {
    return this.#moves;
  }

  get isStanding(): boolean {
    return this.#standsAt !== null;
  }

  /** Afterwards it shows this instant until it runs on. */
  standAt(atMs: number): void {
    this.#moves += 1;
    this.#standsAt = atMs;
  }

  /** Afterwards it runs, so far ahead. */
  runOn(offsetMs: number): void {
    this.#moves += 1;
    this.#offsetMs = offsetMs;
    this.#standsAt = null;
  }
}
