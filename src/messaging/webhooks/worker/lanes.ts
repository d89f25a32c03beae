// The lanes to all endpoints, served in turn: by endpoint, never by delivery, so that who has much to
// be sent delays nobody else.

import type { Demand } from "#messaging/webhooks/deliveries/claims.ts";
import type { Delivery } from "#messaging/webhooks/deliveries/delivery.ts";
import {
  type Endpoint,
  type EndpointHealth,
  healthy,
} from "#messaging/webhooks/endpoints/webhook.ts";

import { Lane, type Room } from "./lane.ts";
import type { Waiting } from "./lookups.ts";

/** Attempts under way at a time, to all endpoints together. */
const IN_FLIGHT_MAX = 64;
/** Claimed and not yet on record: bounds what a crash leaves open, and memory. */
const CLAIMED_MAX = 256;

/** What time it is: of the shop, and of the clock that paces its calls, milliseconds. */
export interface Moment {
  readonly now: number;
  readonly paceMs: number;
}

export class Lanes {
  readonly #lanes = new Map<string, Lane>();
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
      if (!this.#lanes.has(id)) this.#lanes.set(id, new Lane(failuresInRow));
    }
  }

  to(id: string): Lane | undefined {
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
  next(paceMs: number): { readonly lane: Lane; readonly delivery: Delivery } | null {
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
