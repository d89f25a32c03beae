// Counts what each unit did in a sliding window of 60 slots, in memory. Invariant: a unit below its limit is never
// refused; in all budgets together so many units are remembered, and the one that was quiet for longest goes first.

import type { Budget } from "#platform/http/contract/budget-terms.ts";

const SLOTS = 60;
/** Units that are remembered in all budgets: 12 MB of counts, and as much again if all are networks of a fair one. */
const UNITS_MAX = 50_000;

/** One unit in one budget. */
export interface Charge {
  readonly budget: Pick<Budget, "name" | "unit" | "limit" | "perMs" | "fair">;
  readonly unit: string;
  /** The network whose share a fair budget counts. */
  readonly network: string;
}

export interface UsedUp<C extends Charge> {
  readonly charge: C;
  /** Until it has room again, milliseconds. */
  readonly waitMs: number;
}

/** The counts of 60 slots. */
class Slots {
  sum = 0;
  readonly #counts = new Uint32Array(SLOTS);
  #newest = -Infinity;

  /** Forgets the slots that left the window that ends with this one. */
  moveTo(slot: number): void {
    for (let at = Math.max(this.#newest + 1, slot - SLOTS + 1, 0); at <= slot; at += 1)
      this.#set(at, 0);
    this.#newest = Math.max(this.#newest, slot);
  }

  add(slot: number, count: 1 | -1): void {
    if (slot <= this.#newest - SLOTS) return;
    const before = this.#counts[slot % SLOTS] ?? 0;
    this.#set(slot, Math.max(before + count, 0));
  }

  /** The first slot of the window that counted something; the newest if none did. */
  oldest(): number {
    for (let at = Math.max(this.#newest - SLOTS + 1, 0); at < this.#newest; at += 1) {
      if (this.#counts[at % SLOTS] !== 0) return at;
    }
    return this.#newest;
  }

  #set(slot: number, count: number): void {
    this.sum += count - (this.#counts[slot % SLOTS] ?? 0);
    this.#counts[slot % SLOTS] = count;
  }
}

/** A unit of a budget; a fair budget has also one for each network. */
interface Unit {
  readonly counted: Slots;
  /** The requests of a network, also those that were refused; null for any other unit. */
  asked: Slots | null;
  readonly perMs: number;
  usedAtMs: number;
}

/** The networks of a fair budget in one mode. */
interface Shares {
  readonly networks: Set<Unit>;
  /** The slot in which the share was reckoned. */
  slot: number;
  share: number;
}

export class Budgets {
  readonly #capacity: number;
  /** Ordered by the latest use, the oldest first. */
  readonly #units = new Map<string, Unit>();
  readonly #shares = new Map<string, Shares>();

  constructor(capacity: number = UNITS_MAX) {
    this.#capacity = capacity;
  }

  /** The number of remembered units. */
  get size(): number {
    return this.#units.size;
  }

  /** Counts one for each charge; or returns the one that is used up, and counts nothing. Monotonic milliseconds. */
  take<C extends Charge>(charges: readonly C[], nowMs: number): UsedUp<C> | null {
    this.#forget(nowMs);
    for (const charge of charges) {
      const waitMs = this.#waitMs(charge, nowMs);
      if (waitMs !== null) return { charge, waitMs };
    }
    this.#count(charges, nowMs, 1);
    return null;
  }

  /** Takes back what was counted at this instant, because it came to nothing. */
  giveBack(charges: readonly Charge[], atMs: number): void {
    this.#count(charges, atMs, -1);
  }

  /** The number of uses that the unit has left, and how long its first use counts, milliseconds. */
  peek(
    { budget, unit }: Charge,
    nowMs: number,
  ): { readonly left: number; readonly freesInMs: number } {
    const known = this.#units.get(keyOf(budget, unit))?.counted;
    if (known === undefined) return { left: budget.limit, freesInMs: 0 };
    known.moveTo(slotAt(budget, nowMs));
    const freesInMs = known.sum === 0 ? 0 : leavesInMs(known, budget, nowMs);
    return { left: Math.max(budget.limit - known.sum, 0), freesInMs };
  }

  /** How long the charge has to wait; null if it may be counted. */
  #waitMs(charge: Charge, nowMs: number): number | null {
    const { budget } = charge;
    const counted = this.#unit(keyOf(budget, charge.unit), budget, nowMs).counted;
    if (budget.fair !== true) {
      return counted.sum < budget.limit ? null : leavesInMs(counted, budget, nowMs);
    }
    const network = this.#network(charge, nowMs);
    network.asked?.add(slotAt(budget, nowMs), 1);
    if (counted.sum < budget.limit) return null;
    const share = this.#shareOf(charge, nowMs);
    return network.counted.sum < share ? null : leavesInMs(network.counted, budget, nowMs);
  }

  /**
   * The largest share with which the networks of the window, each with what it asked for, stay within the limit; at
   * least 1, so that a newcomer always gets in. Reckoned once a slot.
   */
  #shareOf({ budget, unit }: Charge, nowMs: number): number {
    const slot = slotAt(budget, nowMs);
    const shares = this.#sharesOf(keyOf(budget, unit));
    if (shares.slot === slot) return shares.share;
    const asked = [...shares.networks].map((network) => {
      network.asked?.moveTo(slot);
      return network.asked?.sum ?? 0;
    });
    shares.slot = slot;
    shares.share = Math.max(fairShare(asked, budget.limit), 1);
    return shares.share;
  }

  #sharesOf(key: string): Shares {
    const known = this.#shares.get(key);
    if (known !== undefined) return known;
    const shares: Shares = { networks: new Set(), slot: -1, share: Infinity };
    this.#shares.set(key, shares);
    return shares;
  }

  #network({ budget, unit, network }: Charge, nowMs: number): Unit {
    const key = keyOf(budget, unit);
    const found = this.#unit(`${key} ${network}`, budget, nowMs);
    found.asked ??= new Slots();
    found.asked.moveTo(slotAt(budget, nowMs));
    this.#sharesOf(key).networks.add(found);
    return found;
  }

  #count(charges: readonly Charge[], atMs: number, count: 1 | -1): void {
    for (const { budget, unit, network } of charges) {
      const key = keyOf(budget, unit);
      const slot = slotAt(budget, atMs);
      this.#units.get(key)?.counted.add(slot, count);
      if (budget.fair === true) this.#units.get(`${key} ${network}`)?.counted.add(slot, count);
    }
  }

  /** The unit, as the newest, with the window that ends now. */
  #unit(key: string, budget: Charge["budget"], nowMs: number): Unit {
    const found = this.#units.get(key) ?? {
      counted: new Slots(),
      asked: null,
      perMs: budget.perMs,
      usedAtMs: nowMs,
    };
    this.#units.delete(key);
    this.#units.set(key, found);
    found.usedAtMs = nowMs;
    found.counted.moveTo(slotAt(budget, nowMs));
    return found;
  }

  #forget(nowMs: number): void {
    for (const [key, unit] of this.#units) {
      const isOver = unit.usedAtMs <= nowMs - unit.perMs;
      if (this.#units.size < this.#capacity && !isOver) return;
      this.#units.delete(key);
      for (const [name, { networks }] of this.#shares) {
        if (unit.asked !== null) networks.delete(unit);
        else if (name === key) this.#shares.delete(name);
      }
    }
  }
}

/**
 * The largest whole number L with which the sum of the smaller of each amount and L is within the limit.
 * @internal Exported for tests.
 */
export function fairShare(amounts: readonly number[], limit: number): number {
  const ascending = Float64Array.from(amounts).sort();
  let left = limit;
  for (const [index, amount] of ascending.entries()) {
    const sharers = ascending.length - index;
    if (amount * sharers > left) return Math.floor(left / sharers);
    left -= amount;
  }
  return Infinity;
}

function keyOf({ name, unit: kind }: Charge["budget"], unit: string): string {
  return `${name} ${kind} ${unit}`;
}

function slotAt({ perMs }: Charge["budget"], nowMs: number): number {
  return Math.floor(nowMs / (perMs / SLOTS));
}

/** How long until the first count of the window leaves it. */
function leavesInMs(slots: Slots, { perMs }: Charge["budget"], nowMs: number): number {
  return (slots.oldest() + SLOTS) * (perMs / SLOTS) - nowMs;
}
