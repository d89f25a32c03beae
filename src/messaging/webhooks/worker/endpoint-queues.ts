// The queues of deliveries to each endpoint: what is claimed for it, how much of it may be under way at a time, and whose turn it is.

import type { Demand } from "#messaging/webhooks/deliveries/claims.ts";
import {
  asksForQuiet,
  type Delivery,
  type DeliveryOutcome,
  isSuccess,
  saysGone,
} from "#messaging/webhooks/deliveries/delivery.ts";
import {
  type Endpoint,
  type EndpointHealth,
  healthy,
} from "#messaging/webhooks/endpoints/webhook.ts";

import type { Waiting } from "./lookups.ts";

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

export class EndpointQueue {
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
  finish(outcome: DeliveryOutcome | null, paceMs: number): Delivery[] {
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

/** Attempts under way at a time, to all endpoints together. */
const IN_FLIGHT_MAX = 64;
/** Claimed and not yet on record: bounds what a crash leaves open, and memory. */
const CLAIMED_MAX = 256;

/** What time it is: of the shop, and of the clock that paces its calls, milliseconds. */
export interface Moment {
  readonly now: number;
  readonly paceMs: number;
}

export class EndpointQueues {
  readonly #lanes = new Map<string, EndpointQueue>();
  /** Whose turn it is. */
  #turn = 0;

  /** What was claimed and has not ended. */
  get claimed(): number {
    return [...this.#lanes.values()].reduce((sum, lane) => sum + lane.claimed, 0);
  }

  /**
   * Afterwards there is a lane to each of these endpoints. One that leads to nobody else any more is
   * closed, so that who is enabled again begins anew.
   */
  async open(
    listening: readonly Endpoint[],
    findHealth: () => Promise<ReadonlyMap<string, EndpointHealth>>,
  ): Promise<void> {
    const known = new Set<string>(listening.map(({ id }) => id));
    for (const [id, lane] of this.#lanes) {
      if (!known.has(id) && lane.claimed === 0) this.#lanes.delete(id);
    }
    if (listening.every(({ id }) => this.#lanes.has(id))) return;
    const health = await findHealth();
    for (const { id } of listening) {
      const { failuresInRow } = health.get(id) ?? healthy;
      if (!this.#lanes.has(id)) this.#lanes.set(id, new EndpointQueue(failuresInRow));
    }
  }

  to(id: string): EndpointQueue | undefined {
    return this.#lanes.get(id);
  }

  /**
   * How much each endpoint can take of what is due, beside so much that is being written down. Each
   * may hold its share of all claims: dead ones leave the others theirs.
   */
  demands(waiting: readonly Waiting[], moment: Moment, beingRecorded: number): readonly Demand[] {
    const demands: Demand[] = [];
    let left = CLAIMED_MAX - this.claimed - beingRecorded;
    for (const one of rotated(waiting, this.#turn)) {
      const room = this.#room(one, moment);
      const fresh = one.freshAt <= moment.now ? room.fresh : 0;
      const replayed = one.replayedAt <= moment.now ? room.replayed : 0;
      const rows = Math.min(Math.max(fresh, replayed), left);
      if (rows <= 0) continue;
      demands.push({ endpoint: one.endpoint, rows, replayedRows: replayed });
      left -= rows;
    }
    return demands;
  }

  /** When the first of what waits may be sent, on the shop's clock. */
  sendableAt({ endpoint, freshAt, replayedAt }: Waiting, { now, paceMs }: Moment): number {
    const dueAt = Math.min(freshAt, replayedAt);
    const quietMs = this.to(endpoint.id)?.quietMs(paceMs) ?? 0;
    return quietMs > 0 ? Math.max(dueAt, now + Math.ceil(quietMs)) : dueAt;
  }

  /** The same for what finds a place then; Infinity where an attempt has to end first. */
  claimableAt(waiting: Waiting, moment: Moment): number {
    const { endpoint, freshAt, replayedAt } = waiting;
    if ((this.to(endpoint.id)?.quietMs(moment.paceMs) ?? 0) > 0) {
      return this.sendableAt(waiting, moment);
    }
    const { fresh, replayed } = this.#room(waiting, moment);
    return Math.min(fresh > 0 ? freshAt : Infinity, replayed > 0 ? replayedAt : Infinity);
  }

  /**
   * What is to be sent next, and on which lane; null where nothing is or nothing may be. A place is
   * left for each endpoint to which nothing is under way, so that a crowd of dead ones delays nobody.
   */
  next(paceMs: number): { readonly lane: EndpointQueue; readonly delivery: Delivery } | null {
    const lanes = [...this.#lanes.values()];
    const left = IN_FLIGHT_MAX - lanes.reduce((sum, lane) => sum + lane.inFlight, 0);
    const idle = lanes.filter(({ inFlight }) => inFlight === 0).length;
    for (const lane of rotated(lanes, this.#turn)) {
      this.#turn = (this.#turn + 1) % lanes.length;
      if (left <= (lane.inFlight === 0 ? 0 : idle)) continue;
      const delivery = lane.take(paceMs);
      if (delivery !== null) return { lane, delivery };
    }
    return null;
  }

  /** Everything that was claimed and is not under way. */
  drain(): Delivery[] {
    return [...this.#lanes.values()].flatMap((lane) => lane.drain());
  }

  #room({ endpoint }: Waiting, { paceMs }: Moment): Room {
    const claimsMax = Math.floor(CLAIMED_MAX / Math.max(this.#lanes.size, 1));
    return this.to(endpoint.id)?.room(paceMs, claimsMax) ?? { fresh: 0, replayed: 0 };
  }
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const first = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}
