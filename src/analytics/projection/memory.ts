// The state that counting needs from earlier events: the last purchase of a customer, abandoned
// checkouts, and the refunded amount of each sale.

import type { SalesScope } from "./fact.ts";

/** The channel of a scope that covers all channels. */
export const ALL_CHANNELS = "*";
/** The previous slot of a customer's first purchase. */
export const NEVER = -1;

/** The key of a scope. */
export function scopeKey({ currency, channel }: SalesScope): string {
  return `${currency} ${channel}`;
}

/** The key of a customer in a scope. */
export function customerKey(customerId: string, place: SalesScope): string {
  return `${customerId} ${scopeKey(place)}`;
}

/** Saved values by key, with changes on top. */
export class Remembered<V> {
  readonly #saved: ReadonlyMap<string, V>;
  readonly changes = new Map<string, V>();

  constructor(saved: ReadonlyMap<string, V>) {
    this.#saved = saved;
  }

  get(key: string): V | undefined {
    return this.changes.get(key) ?? this.#saved.get(key);
  }

  set(key: string, value: V): void {
    this.changes.set(key, value);
  }
}

export interface CountedCustomer extends SalesScope {
  readonly customerId: string;
  /** The slot of the last purchase. */
  readonly slot: number;
}

export interface Memory {
  /** By order: the refunded amount of its sale. */
  readonly refunded: Remembered<number>;
  /** By cart or order that started a checkout: whether it was ever abandoned. */
  readonly checkouts: Remembered<boolean>;
  /** By `customerKey`. */
  readonly customers: Remembered<CountedCustomer>;
}
