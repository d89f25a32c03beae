// The lanes to all endpoints, served in turn: by endpoint, never by delivery, so that who has much to
// be sent delays nobody else.

import type { Endpoint, EndpointHealth } from "#webhooks/webhook.ts";
import { healthy } from "#webhooks/webhook.ts";

import type { ClaimedDelivery } from "./claim-due.ts";
import { Lane } from "./lane.ts";

export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  /** Whose turn it is. */
  #turn = 0;

  get areIdle(): boolean {
    return [...this.#lanes.values()].every((lane) => lane.isIdle);
  }

  /** Afterwards there is a lane to each endpoint; those that lead nowhere any more are closed. */
  open(endpoints: readonly Endpoint[], health: ReadonlyMap<string, EndpointHealth>): void {
    const known = new Set<string>(endpoints.map(({ id }) => id));
    for (const [id, lane] of this.#lanes) {
      if (!known.has(id) && lane.isIdle) this.#lanes.delete(id);
    }
    for (const { id } of endpoints) {
      const { failuresInRow } = health.get(id) ?? healthy;
      if (!this.#lanes.has(id)) this.#lanes.set(id, new Lane(failuresInRow));
    }
  }

  lacks(endpoints: readonly Endpoint[]): boolean {
    return endpoints.some(({ id }) => !this.#lanes.has(id));
  }

  to(id: string): Lane | undefined {
    return this.#lanes.get(id);
  }

  /** The endpoints, beginning with another one each time. */
  inTurn(endpoints: readonly Endpoint[]): Endpoint[] {
    return rotated(endpoints, this.#turn);
  }

  /** What is to be sent next, and on which lane; null where nothing is or nothing may be. */
  next(paceMs: number): { readonly lane: Lane; readonly claimed: ClaimedDelivery } | null {
    const lanes = [...this.#lanes.values()];
    for (const lane of rotated(lanes, this.#turn)) {
      this.#turn = (this.#turn + 1) % lanes.length;
      const claimed = lane.take(paceMs);
      if (claimed !== null) return { lane, claimed };
    }
    return null;
  }

  /** Everything that was claimed and is not under way. */
  drain(): ClaimedDelivery[] {
    return [...this.#lanes.values()].flatMap((lane) => lane.drain());
  }
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const first = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}
