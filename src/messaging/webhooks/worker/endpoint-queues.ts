// One queue per endpoint: its claimed deliveries, how many of them may be in flight, and the turns of
// the queues. Failing and overloaded endpoints are limited, so they do not delay the others.

import type { Demand } from "#messaging/webhooks/deliveries/claims.ts";
import {
  type Delivery,
  type DeliveryOutcome,
  isGone,
  isOverloaded,
  isSuccess,
} from "#messaging/webhooks/deliveries/delivery.ts";
import {
  type Endpoint,
  type EndpointHealth,
  healthy,
} from "#messaging/webhooks/endpoints/webhook.ts";

import type { PendingEndpoint } from "./lookups.ts";

/** Attempts in flight to one endpoint. */
const CONCURRENCY_MAX = 4;
/** Failures in a row after which an endpoint gets one attempt at a time. */
const FAILURES_IN_ROW_MAX = 5;
/** How long an overloaded endpoint gets no attempts, milliseconds. */
const PAUSE_MS = 60_000;
/** Deliveries claimed ahead for a healthy endpoint, so that its attempts do not wait for a commit. */
const CLAIMED_AHEAD = 16;

/** How many due deliveries may be claimed. */
export interface Capacity {
  readonly fresh: number;
  /** Not claimed ahead, so that new deliveries are sent before replayed ones. */
  readonly replayed: number;
}

export class EndpointQueue {
  #waiting: Delivery[] = [];
  #inFlight = 0;
  #concurrency: number;
  #failuresInRow: number;
  /** When the pause began, on the pacing clock. */
  #pausedAtMs = -Infinity;

  constructor(failuresInRow: number) {
    this.#failuresInRow = failuresInRow;
    this.#concurrency = failuresInRow >= FAILURES_IN_ROW_MAX ? 1 : CONCURRENCY_MAX;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Claimed deliveries, including those in flight. */
  get claimed(): number {
    return this.#inFlight + this.#waiting.length;
  }

  /** The rest of the pause, milliseconds of the pacing clock; 0 if the endpoint is not paused. */
  pauseLeftMs(paceMs: number): number {
    const sinceMs = paceMs - this.#pausedAtMs;
    // The pacing clock moves back with the shop's clock; a pause that began later has then ended.
    return sinceMs >= 0 && sinceMs < PAUSE_MS ? PAUSE_MS - sinceMs : 0;
  }

  /** How many deliveries may be claimed now; `claimsMax` bounds the claims of this queue. */
  capacity(paceMs: number, claimsMax: number): Capacity {
    if (this.pauseLeftMs(paceMs) > 0) return { fresh: 0, replayed: 0 };
    const free = Math.max(this.#concurrency - this.claimed, 0);
    if (this.#concurrency < CONCURRENCY_MAX) return { fresh: free, replayed: free };
    const ahead = Math.min(CLAIMED_AHEAD, claimsMax - this.#inFlight);
    const fresh = this.#waiting.length <= ahead / 2 ? ahead - this.#waiting.length : 0;
    return { fresh, replayed: Math.min(free, fresh) };
  }

  /** Queues a claimed delivery; false if the capacity shrank since the claim. */
  add(claimed: Delivery, paceMs: number): boolean {
    const isLimited = this.#concurrency < CONCURRENCY_MAX && this.claimed >= this.#concurrency;
    if (isLimited || this.pauseLeftMs(paceMs) > 0) return false;
    this.#waiting.push(claimed);
    return true;
  }

  /** The next delivery, now in flight, replayed ones last; null if there is none or no capacity. */
  take(paceMs: number): Delivery | null {
    if (this.#inFlight >= this.#concurrency || this.pauseLeftMs(paceMs) > 0) return null;
    const fresh = this.#waiting.findIndex(({ isReplay }) => !isReplay);
    const [next] = this.#waiting.splice(Math.max(fresh, 0), 1);
    if (next !== undefined) this.#inFlight += 1;
    return next ?? null;
  }

  /**
   * Ends an attempt and adjusts the concurrency; a null outcome says nothing about the endpoint.
   * Returns the waiting deliveries, to be released, if the queue was limited or paused.
   */
  finish(outcome: DeliveryOutcome | null, paceMs: number): Delivery[] {
    this.#inFlight -= 1;
    if (outcome === null) return [];
    if (isSuccess(outcome)) {
      this.#failuresInRow = 0;
      this.#concurrency = Math.min(this.#concurrency * 2, CONCURRENCY_MAX);
      return [];
    }
    this.#failuresInRow += 1;
    // An endpoint that is gone pauses until the saved outcome disables it.
    const needsPause = isOverloaded(outcome) || isGone(outcome);
    if (needsPause) this.#pausedAtMs = paceMs;
    if (!needsPause && this.#failuresInRow < FAILURES_IN_ROW_MAX) return [];
    this.#concurrency = 1;
    return this.drain();
  }

  /** Removes and returns the claimed deliveries that are not in flight. */
  drain(): Delivery[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }
}

/** Attempts in flight to all endpoints together. */
const IN_FLIGHT_MAX = 64;
/** Claims without a saved outcome: bounds memory, and the attempts that a crash leaves unknown. */
const CLAIMED_MAX = 256;

/** The shop's time and the time of the pacing clock, milliseconds. */
export interface Moment {
  readonly now: number;
  readonly paceMs: number;
}

export class EndpointQueues {
  readonly #queues = new Map<string, EndpointQueue>();
  /** The index of the queue whose turn is next. */
  #turn = 0;

  /** Claimed deliveries of all queues, including those in flight. */
  get claimed(): number {
    return [...this.#queues.values()].reduce((sum, queue) => sum + queue.claimed, 0);
  }

  /**
   * Opens a queue for each enabled endpoint and drops the empty queues of other endpoints, so an
   * endpoint that is enabled again starts without its old limits.
   */
  async open(
    enabled: readonly Endpoint[],
    findHealth: () => Promise<ReadonlyMap<string, EndpointHealth>>,
  ): Promise<void> {
    const known = new Set<string>(enabled.map(({ id }) => id));
    for (const [id, queue] of this.#queues) {
      if (!known.has(id) && queue.claimed === 0) this.#queues.delete(id);
    }
    if (enabled.every(({ id }) => this.#queues.has(id))) return;
    const health = await findHealth();
    for (const { id } of enabled) {
      const { failuresInRow } = health.get(id) ?? healthy;
      if (!this.#queues.has(id)) this.#queues.set(id, new EndpointQueue(failuresInRow));
    }
  }

  get(id: string): EndpointQueue | undefined {
    return this.#queues.get(id);
  }

  /**
   * How many due deliveries to claim for each endpoint, given the number of unsaved outcomes. Each
   * endpoint has an equal share of all claims, so failing endpoints do not use up those of others.
   */
  demands(
    pending: readonly PendingEndpoint[],
    moment: Moment,
    unsavedOutcomes: number,
  ): readonly Demand[] {
    const demands: Demand[] = [];
    let left = CLAIMED_MAX - this.claimed - unsavedOutcomes;
    for (const one of rotated(pending, this.#turn)) {
      const capacity = this.#capacity(one, moment);
      const fresh = one.freshAt <= moment.now ? capacity.fresh : 0;
      const replayed = one.replayedAt <= moment.now ? capacity.replayed : 0;
      const rows = Math.min(Math.max(fresh, replayed), left);
      if (rows <= 0) continue;
      demands.push({ endpoint: one.endpoint, rows, replayedRows: replayed });
      left -= rows;
    }
    return demands;
  }

  /** When the endpoint's first delivery is due and the endpoint not paused, on the shop's clock. */
  sendableAt({ endpoint, freshAt, replayedAt }: PendingEndpoint, { now, paceMs }: Moment): number {
    const dueAt = Math.min(freshAt, replayedAt);
    const pauseMs = this.get(endpoint.id)?.pauseLeftMs(paceMs) ?? 0;
    return pauseMs > 0 ? Math.max(dueAt, now + Math.ceil(pauseMs)) : dueAt;
  }

  /** The same, but only for deliveries within capacity; Infinity if an attempt must end first. */
  claimableAt(pending: PendingEndpoint, moment: Moment): number {
    const { endpoint, freshAt, replayedAt } = pending;
    if ((this.get(endpoint.id)?.pauseLeftMs(moment.paceMs) ?? 0) > 0) {
      return this.sendableAt(pending, moment);
    }
    const { fresh, replayed } = this.#capacity(pending, moment);
    return Math.min(fresh > 0 ? freshAt : Infinity, replayed > 0 ? replayedAt : Infinity);
  }

  /**
   * The next delivery to send, with its queue; null if there is none or no capacity. Each endpoint
   * without an attempt in flight has one attempt reserved, so slow endpoints do not delay idle ones.
   */
  next(paceMs: number): { readonly queue: EndpointQueue; readonly delivery: Delivery } | null {
    const queues = [...this.#queues.values()];
    const left = IN_FLIGHT_MAX - queues.reduce((sum, queue) => sum + queue.inFlight, 0);
    const idle = queues.filter(({ inFlight }) => inFlight === 0).length;
    for (const queue of rotated(queues, this.#turn)) {
      this.#turn = (this.#turn + 1) % queues.length;
      if (left <= (queue.inFlight === 0 ? 0 : idle)) continue;
      const delivery = queue.take(paceMs);
      if (delivery !== null) return { queue, delivery };
    }
    return null;
  }

  /** Removes and returns the claimed deliveries that are not in flight, of all queues. */
  drain(): Delivery[] {
    return [...this.#queues.values()].flatMap((queue) => queue.drain());
  }

  #capacity({ endpoint }: PendingEndpoint, { paceMs }: Moment): Capacity {
    const claimsMax = Math.floor(CLAIMED_MAX / Math.max(this.#queues.size, 1));
    return this.get(endpoint.id)?.capacity(paceMs, claimsMax) ?? { fresh: 0, replayed: 0 };
  }
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const first = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}
