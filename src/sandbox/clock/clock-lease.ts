// The lease for moving the clock of a test shop: one program at a time where several share the shop.
// Invariant: an offset is written only in a transaction that holds the lease, so no two moves overlap.

import { type Clock, realClock } from "#kernel/time.ts";
import type { Database, Tx } from "#platform/database/database.ts";
import { storageUnavailable } from "#platform/database/errors.ts";
import { newHolder, releaseLease, renewLease, takeLease } from "#platform/database/leases.ts";
import { CLOCK_LEASE, findClockOffset, saveClockOffset } from "#platform/scheduler/shop-clock.ts";

/** Longer than one step of a move takes; each step renews the lease. */
const LEASE_MS = 60_000;
/** Between two attempts to take the lease, milliseconds. */
const POLL_MS = 50;

export class ClockLease {
  readonly #database: Database;
  readonly #machine: Clock;
  readonly #holder: string;

  constructor(database: Database, machine: Clock = realClock) {
    this.#database = database;
    this.#holder = newHolder(database);
    this.#machine = machine;
  }

  /**
   * Waits until no other program moves the clock, then takes the lease. Refuses with
   * `storage_unavailable` if `isOver` becomes true first.
   */
  async take(isOver: () => boolean): Promise<void> {
    if (!this.#database.isShared) return;
    while (!(await this.#database.write((tx) => takeLease(tx, this.#claim())))) {
      if (isOver()) throw storageUnavailable({ headers: { "Retry-After": "1" } });
      await Bun.sleep(POLL_MS);
    }
  }

  async release(): Promise<void> {
    if (!this.#database.isShared) return;
    await this.#database.write((tx) => releaseLease(tx, this.#claim()));
  }

  /**
   * Saves the offset, with which a restart begins, and returns it. In a shared shop the offset never
   * falls, so that the clock of no program goes back.
   */
  async save(tx: Tx, offsetMs: number): Promise<number> {
    await this.#require(tx);
    const saved = this.#database.isShared
      ? Math.max(offsetMs, await findClockOffset(tx))
      : offsetMs;
    await saveClockOffset(tx, saved);
    return saved;
  }

  /** Saves an offset of zero: every program returns to the machine's time. */
  async reset(tx: Tx): Promise<void> {
    await this.#require(tx);
    await saveClockOffset(tx, 0);
  }

  /** Throws if this program stood still for so long that another one took the lease. */
  async #require(tx: Tx): Promise<void> {
    if (!this.#database.isShared || (await renewLease(tx, this.#claim()))) return;
    throw new Error("Another program moves the clock of the test shop.");
  }

  #claim() {
    const now = this.#machine.now();
    return { name: CLOCK_LEASE, holder: this.#holder, now, until: now + LEASE_MS };
  }
}
