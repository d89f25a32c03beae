// What counting must remember of the past: a customer's last purchase, checkouts that were left, and how
// much of a sale went back already.

import type { Place } from "./fact.ts";

/** Stands for all channels of a currency. */
export const ALL_CHANNELS = "*";
/** In place of the purchase before a customer's first. */
export const NEVER = -1;

/** How a scope is known. */
export function scopeKey({ currency, channel }: Place): string {
  return `${currency} ${channel}`;
}

/** How a customer is known in one scope. */
export function customerKey(customerId: string, place: Place): string {
  return `${customerId} ${scopeKey(place)}`;
}

/** What is known from before by a key, and what became known since. */
export class Remembered<V> {
  readonly #before: ReadonlyMap<string, V>;
  readonly learnt = new Map<string, V>();

  constructor(before: ReadonlyMap<string, V>) {
    this.#before = before;
  }

  get(key: string): V | undefined {
    return this.learnt.get(key) ?? this.#before.get(key);
  }

  set(key: string, value: V): void {
    this.learnt.set(key, value);
  }
}

export interface CountedCustomer extends Place {
  readonly customerId: string;
  /** Of the last purchase. */
  readonly slot: number;
}

export interface Memory {
  /** By order: how much of its sale went back. */
  readonly refunded: Remembered<number>;
  /** By cart or order whose checkout began: whether it was ever left. */
  readonly checkouts: Remembered<boolean>;
  /** By `buyerKey`. */
  readonly customers: Remembered<CountedCustomer>;
}
