// Counts what each client address did in a sliding window, exactly and in bounded memory.

import type { WindowTerms } from "#platform/http/contract/route-limit.ts";

/** Addresses that are remembered. Beyond it the one that was quiet for longest is dropped. */
const ADDRESSES_MAX = 10_000;

/**
 * One window per address. Instants are monotonic milliseconds, at most `limit` of an address. Addresses
 * without an instant in the window are forgotten.
 */
export class AddressWindows {
  readonly #terms: WindowTerms;
  readonly #capacity: number;
  /** Ordered by the latest instant, the oldest first. */
  readonly #taken = new Map<string, number[]>();

  constructor(terms: WindowTerms, capacity: number = ADDRESSES_MAX) {
    this.#terms = terms;
    this.#capacity = capacity;
  }

  /** The number of remembered addresses. */
  get size(): number {
    return this.#taken.size;
  }

  /** Counts one for the address; or returns the milliseconds to wait, and counts nothing. */
  take(address: string, nowMs: number): number | null {
    const { limit, windowMs } = this.#terms;
    this.#forget(nowMs - windowMs);
    const instants = (this.#taken.get(address) ?? []).filter((at) => at > nowMs - windowMs);
    const [oldest = nowMs] = instants;
    if (instants.length >= limit) return oldest + windowMs - nowMs;
    instants.push(nowMs);
    this.#taken.delete(address);
    this.#taken.set(address, instants);
    return null;
  }

  /** Takes back what was counted for the address at this instant, because it came to nothing. */
  giveBack(address: string, atMs: number): void {
    const instants = this.#taken.get(address) ?? [];
    const index = instants.lastIndexOf(atMs);
    if (index !== -1) instants.splice(index, 1);
  }

  #forget(untilMs: number): void {
    for (const [address, instants] of this.#taken) {
      if (this.#taken.size < this.#capacity && (instants.at(-1) ?? untilMs) > untilMs) return;
      this.#taken.delete(address);
    }
  }
}
