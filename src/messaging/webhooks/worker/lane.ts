// The lane to one endpoint: what is claimed for it, and how much of it may be under way at a time.
// A lane narrows when its endpoint fails and widens again step by step, so that neither a dead
// endpoint holds places that others need, nor one that comes back is met by a crowd.

import {
  asksForQuiet,
  type Delivery,
  isSuccess,
  type Outcome,
  saysGone,
} from "#messaging/webhooks/deliveries/delivery.ts";

const WIDTH_MAX = 4;
/** Failures in a row after which one attempt at a time is enough. */
const NARROW_AFTER = 5;
/** How long an endpoint that has too much to do is left alone, milliseconds. */
const QUIET_MS = 60_000;
/** Claimed ahead of a healthy endpoint, so that no place waits for a commit. */
const AHEAD = 16;

/** How much of what is due may be claimed. */
export interface Room {
  readonly fresh: number;
  /** No more than can be sent at once: what is fresh by then goes first. */
  readonly replayed: number;
}

export class Lane {
  #waiting: Delivery[] = [];
  #inFlight = 0;
  #width: number;
  #failuresInRow: number;
  /** The pacing clock's time at which the endpoint had too much to do. */
  #quietFrom = -Infinity;

  constructor(failuresInRow: number) {
    this.#failuresInRow = failuresInRow;
    this.#width = failuresInRow >= NARROW_AFTER ? 1 : WIDTH_MAX;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** What was claimed for it and has not ended. */
  get claimed(): number {
    return this.#inFlight + this.#waiting.length;
  }

  /** How much longer nothing is sent, milliseconds of the pacing clock. */
  quietMs(paceMs: number): number {
    const sinceMs = paceMs - this.#quietFrom;
    // That clock goes back with the shop's: a time that has not come yet keeps nobody waiting.
    return sinceMs >= 0 && sinceMs < QUIET_MS ? QUIET_MS - sinceMs : 0;
  }

  /** How much may be claimed now, where so many claims are for this lane at a time. */
  room(paceMs: number, claimsMax: number): Room {
    if (this.quietMs(paceMs) > 0) return { fresh: 0, replayed: 0 };
    const places = Math.max(this.#width - this.claimed, 0);
    if (this.#width < WIDTH_MAX) return { fresh: places, replayed: places };
    const ahead = Math.min(AHEAD, claimsMax - this.#inFlight);
    const fresh = this.#waiting.length <= ahead / 2 ? ahead - this.#waiting.length : 0;
    return { fresh, replayed: Math.min(places, fresh) };
  }

  /** False where the lane became too narrow for it since it was asked for room. */
  add(claimed: Delivery, paceMs: number): boolean {
    const isNarrow = this.#width < WIDTH_MAX && this.claimed >= this.#width;
    if (isNarrow || this.quietMs(paceMs) > 0) return false;
    this.#waiting.push(claimed);
    return true;
  }

  /**
   * The next one, what is replayed last, which is under way from now on; null while there is none
   * or no place.
   */
  take(paceMs: number): Delivery | null {
    if (this.#inFlight >= this.#width || this.quietMs(paceMs) > 0) return null;
    const fresh = this.#waiting.findIndex(({ isReplay }) => !isReplay);
    const [next] = this.#waiting.splice(Math.max(fresh, 0), 1);
    if (next !== undefined) this.#inFlight += 1;
    return next ?? null;
  }

  /**
   * One is no longer under way; without an outcome nothing is known of the endpoint. Answers what
   * was claimed ahead and has no place any more, because the lane became narrower.
   */
  finish(outcome: Outcome | null, paceMs: number): Delivery[] {
    this.#inFlight -= 1;
    if (outcome === null) return [];
    if (isSuccess(outcome)) {
      this.#failuresInRow = 0;
      this.#width = Math.min(this.#width * 2, WIDTH_MAX);
      return [];
    }
    this.#failuresInRow += 1;
    // To one that is gone nothing more is sent while that is written down.
    const needsQuiet = asksForQuiet(outcome) || saysGone(outcome);
    if (needsQuiet) this.#quietFrom = paceMs;
    if (!needsQuiet && this.#failuresInRow < NARROW_AFTER) return [];
    this.#width = 1;
    return this.drain();
  }

  /** Everything that was claimed and is not under way, which is no longer here afterwards. */
  drain(): Delivery[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }
}
