// The state that counting needs from earlier events, and its lookup for some facts: the last purchase of a customer,
// abandoned checkouts, and the refunded amount of each sale.

import type { Reader } from "#platform/database/database.ts";

import type { Fact, SalesScope } from "./fact.ts";
import { findCheckouts, findCustomers, findRefunded, findScopesOf } from "./queries.ts";

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

interface CountedCustomer extends SalesScope {
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

/** The memory, limited to the keys that the facts can read. */
export async function recallMemory(db: Reader, facts: readonly Fact[]): Promise<Memory> {
  const checkouts = await findCheckouts(db, distinct(facts.flatMap(subjectsOf)));
  const refunded = await findRefunded(db, distinct(facts.flatMap(refundsOf)));
  return {
    checkouts: new Remembered(new Map(checkouts.map((row) => [row.subject, row.isLeft]))),
    refunded: new Remembered(new Map(refunded.map((row) => [row.orderId, row.refundedMinor]))),
    customers: new Remembered(await recallCustomers(db, facts)),
  };
}

/** Carts and orders whose checkout state the fact depends on. */
function subjectsOf(fact: Fact): string[] {
  switch (fact.kind) {
    case "placed":
      return fact.cartId === null ? [] : [fact.cartId];
    case "paid":
      return fact.cartId === null ? [fact.orderId] : [fact.orderId, fact.cartId];
    case "checkout":
    case "abandoned":
      return [fact.subject];
    default:
      return [];
  }
}

function refundsOf(fact: Fact): string[] {
  return fact.kind === "refunded" ? [fact.orderId] : [];
}

async function recallCustomers(
  db: Reader,
  facts: readonly Fact[],
): Promise<Map<string, CountedCustomer>> {
  const paid = facts.filter((fact) => fact.kind === "paid");
  const ids = paid.map(({ customerId }) => customerId).filter((id) => id !== null);
  const scopes = await findScopesOf(db, distinct(paid.map(({ currency }) => currency)));
  const placeOf = new Map(scopes.map((scope) => [scope.number, scope]));
  const found = await findCustomers(db, distinct(ids), [...placeOf.keys()]);
  const customers = new Map<string, CountedCustomer>();
  for (const { scope, customerId, lastSlot: slot } of found) {
    const place = placeOf.get(scope);
    if (place === undefined) continue;
    const { currency, channel } = place;
    customers.set(customerKey(customerId, place), { customerId, slot, currency, channel });
  }
  return customers;
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
