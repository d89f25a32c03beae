// Delays the responses to repeated wrong API keys, by address, in bounded memory. Valid keys are
// never delayed.

/**
 * Addresses that are remembered, about 1 MB. Beyond it the one with the oldest failure is dropped.
 */
const ADDRESSES_MAX = 10_000;
/** After this long without a failure an address starts from zero. */
const QUIET_MS = 15 * 60_000;

/** Delays by number of failures, the longest first. */
const delays = [
  // A longer delay would cost the server's sockets more than the guesser's.
  { failures: 21, delayMs: 2_000 },
  // A misconfigured client does not retry this often without a pause.
  { failures: 11, delayMs: 500 },
  // Slows down a loop, but hardly a person who retries.
  { failures: 6, delayMs: 100 },
  // A typo, a rotated key, or a storefront that loads five resources at once.
  { failures: 0, delayMs: 0 },
] as const;

interface Failures {
  readonly count: number;
  readonly lastMs: number;
}

/** Failed authentications by address. Instants are monotonic milliseconds. */
export class FailedKeys {
  /** Ordered by the latest failure, the oldest first. */
  readonly #addresses = new Map<string, Failures>();
  readonly #capacity: number;

  constructor(capacity: number = ADDRESSES_MAX) {
    this.#capacity = capacity;
  }

  /** The number of remembered addresses. */
  get size(): number {
    return this.#addresses.size;
  }

  /** Records a failure; the address is now the last to be dropped. */
  failed(address: string, nowMs: number): void {
    const count = this.#count(address, nowMs) + 1;
    this.#addresses.delete(address);
    this.#addresses.set(address, { count, lastMs: nowMs });
    if (this.#addresses.size <= this.#capacity) return;
    const [oldest] = this.#addresses.keys();
    if (oldest !== undefined) this.#addresses.delete(oldest);
  }

  /** The delay of the response, after the failure was recorded. */
  delayMs(address: string, nowMs: number): number {
    const count = this.#count(address, nowMs);
    return delays.find((step) => count >= step.failures)?.delayMs ?? 0;
  }

  #count(address: string, nowMs: number): number {
    const known = this.#addresses.get(address);
    return known === undefined || nowMs - known.lastMs >= QUIET_MS ? 0 : known.count;
  }
}
