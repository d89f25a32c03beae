// The lane to one endpoint: what is claimed for it, and how much of it may be under way at a time.
// A lane narrows when its endpoint fails and widens again step by step, so that neither a dead
// endpoint holds places that others need, nor one that comes back is met by a crowd.

import type { ClaimedDelivery } from "./claim-due.ts";
import { asksForQuiet, isSuccess, type Outcome } from "./delivery.ts";

const WIDTH_MAX = 4;
/** Failures in a row after which one attempt at a time is enough. */
const NARROW_AFTER = 5;
/** How long an endpoint that has too much to do is left alone, milliseconds. */
const QUIET_MS = 60_000;
/** Claimed ahead of a healthy endpoint, so that no place waits for a commit. */
const AHEAD = 16;

export class Lane {
  #waiting: ClaimedDelivery[] = [];
  #inFlight = 0;
  #width: number;
  #failuresInRow: number;
  #quietUntil = 0;

  constructor(failuresInRow: number) {
    this.#failuresInRow = failuresInRow;
    this.#width = failuresInRow >= NARROW_AFTER ? 1 : WIDTH_MAX;
  }

  get isIdle(): boolean {
    return this.#inFlight === 0 && this.#waiting.length === 0;
  }

  /** The pacing clock's time before which nothing is sent. */
  get quietUntil(): number {
    return this.#quietUntil;
  }

  /** How many more may be claimed now. */
  room(paceMs: number): number {
    if (paceMs < this.#quietUntil) return 0;
    if (this.#width === WIDTH_MAX) {
      return this.#waiting.length <= AHEAD / 2 ? AHEAD - this.#waiting.length : 0;
    }
    return Math.max(this.#width - this.#inFlight - this.#waiting.length, 0);
  }

  add(claimed: ClaimedDelivery): void {
    this.#waiting.push(claimed);
  }

  /** The next one, which is under way from now on; null while there is none or no place. */
  take(paceMs: number): ClaimedDelivery | null {
    if (this.#inFlight >= this.#width || paceMs < this.#quietUntil) return null;
    const next = this.#waiting.shift() ?? null;
    if (next !== null) this.#inFlight += 1;
    return next;
  }

  /**
   * One is no longer under way. Answers what was claimed ahead and has no place any more, because
   * the lane became narrower.
   */
  finish(outcome: Outcome | "dropped", paceMs: number): ClaimedDelivery[] {
    this.#inFlight -= 1;
    if (outcome === "dropped") return [];
    if (isSuccess(outcome)) {
      this.#failuresInRow = 0;
      this.#width = Math.min(this.#width * 2, WIDTH_MAX);
      return [];
    }
    this.#failuresInRow += 1;
    const needsQuiet = asksForQuiet(outcome);
    if (needsQuiet) this.#quietUntil = paceMs + QUIET_MS;
    if (!needsQuiet && this.#failuresInRow < NARROW_AFTER) return [];
    this.#width = 1;
    return this.drain();
  }

  /** Everything that was claimed and is not under way, which is no longer here afterwards. */
  drain(): ClaimedDelivery[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }
}
