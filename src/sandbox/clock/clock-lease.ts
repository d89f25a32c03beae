// Who moves the clock of a test shop: one program at a time where several share it. Invariant: an offset
// is written only by who has the lease in that very commit, so that no two journeys cross.

import { type Clock, realClock } from "#kernel/time.ts";
import type { Database, Tx } from "#platform/database/database.ts";
import { storageUnavailable } from "#platform/database/errors.ts";
import { newHolder, releaseLease, renewLease, takeLease } from "#platform/database/leases.ts";
import { CLOCK_LEASE } from "#platform/scheduler/clock-follower.ts";
import { findClockOffset, saveClockOffset } from "#platform/scheduler/clock-offset.ts";

/** Longer than one step takes; each step renews it. */
const LEASE_MS = 60_000;
/** Between two tries while another program is on the way, milliseconds. */
const POLL_MS = 50;
const RETRY_AFTER = { "Retry-After": "1" } as const;

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
   * Afterwards nobody else moves the clock, also in no other program. Refuses `storage_unavailable`
   * where waiting is over before.
   */
  async take(isOver: () => boolean): Promise<void> {
    if (!this.#database.isShared) return;
    while (!(await this.#database.write((tx) => takeLease(tx, this.#claim())))) {
      if (isOver()) throw storageUnavailable({ headers: RETRY_AFTER });
      await Bun.sleep(POLL_MS);
    }
  }

  async release(): Promise<void> {
    if (!this.#database.isShared) return;
    await this.#database.write((tx) => releaseLease(tx, this.#claim()));
  }

  /**
   * Afterwards a restart begins with this offset; answers what it is. Where others follow the clock it
   * never falls, so that nobody's goes back.
   */
  async keep(tx: Tx, offsetMs: number): Promise<number> {
    await this.#require(tx);
    const kept = this.#database.isShared ? Math.max(offsetMs, await findClockOffset(tx)) : offsetMs;
    await saveClockOffset(tx, kept);
    return kept;
  }

  /** Afterwards the clock shows the machine's time, everywhere. */
  async drop(tx: Tx): Promise<void> {
    await this.#require(tx);
    await saveClockOffset(tx, 0);
  }

  /** Throws where this program stood still so long that another one moves the clock now. */
  async #require(tx: Tx): Promise<void> {
    if (!this.#database.isShared || (await renewLease(tx, this.#claim()))) return;
    throw new Error("Another program moves the clock of the test shop.");
  }

  #claim() {
    const now = this.#machine.now();
    return { name: CLOCK_LEASE, holder: this.#holder, now, until: now + LEASE_MS };
  }
}
