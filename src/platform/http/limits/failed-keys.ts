// Slows down whoever keeps presenting wrong API keys. Counts failures per address in bounded
// memory; a valid key is never delayed, because only the answer to a failure waits.

/** How many addresses are remembered: about 1 MB. Beyond it the longest quiet one is forgotten. */
const ADDRESSES_MAX = 10_000;
/** After this long without a failure an address starts afresh; a person has fixed the key by then. */
const QUIET_MS = 15 * 60_000;

/** The delay from so many failures on, longest first. */
const delays = [
  // Holds a socket of ours as well as of the guesser: longer would cost us more than the guesser.
  { failures: 21, delayMs: 2_000 },
  // No deployment with an old key tries this often without a pause.
  { failures: 11, delayMs: 500 },
  // Felt by a loop, hardly by a person who tries again.
  { failures: 6, delayMs: 100 },
  // A typo, a rotated key, a storefront that loads five resources at once.
  { failures: 0, delayMs: 0 },
] as const;

interface Failures {
  readonly count: number;
  readonly lastMs: number;
}

/** The failed authentications of each address. Instants are monotonic milliseconds. */
export class FailedKeys {
  /** In the order of the latest failure, the oldest first. */
  readonly #addresses = new Map<string, Failures>();
  readonly #capacity: number;

  constructor(capacity: number = ADDRESSES_MAX) {
    this.#capacity = capacity;
  }

  /** How many addresses are remembered now. */
  get size(): number {
    return this.#addresses.size;
  }

  /** Notes a failure; the address becomes the last to be forgotten. */
  failed(address: string, nowMs: number): void {
    const count = this.#count(address, nowMs) + 1;
    this.#addresses.delete(address);
    this.#addresses.set(address, { count, lastMs: nowMs });
    if (this.#addresses.size <= this.#capacity) return;
    const [oldest] = this.#addresses.keys();
    if (oldest !== undefined) this.#addresses.delete(oldest);
  }

  /** How long the answer to a failure from this address waits, after the failure was noted. */
  delayMs(address: string, nowMs: number): number {
    const count = this.#count(address, nowMs);
    return delays.find((step) => count >= step.failures)?.delayMs ?? 0;
  }

  #count(address: string, nowMs: number): number {
    const known = this.#addresses.get(address);
    return known === undefined || nowMs - known.lastMs >= QUIET_MS ? 0 : known.count;
  }
}
