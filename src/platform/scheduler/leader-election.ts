// Elects the program that does a shop's background work: of all programs on one database, the one
// that holds a lease. Invariant: a leader stops considering itself one seconds before another can
// take the lease, so clocks that differ by less make no two leaders.

import { type Clock, monotonicMs, realClock } from "#kernel/time.ts";
import type { Database, Tx } from "#platform/database/database.ts";
import {
  findLease,
  forgetEndedLeases,
  type LeaseClaim,
  lockLease,
  newHolder,
  releaseLease,
  renewLease,
  takeLease,
} from "#platform/database/leases.ts";
import { findMismatch, type SchemaMismatch } from "#platform/database/migrations.ts";
import { notifySafely } from "#platform/process/lazy.ts";

import { PollLoop } from "./poll-loop.ts";

const NAME = "background";
/** How long work waits at most after its leader died, milliseconds. */
const LEASE_MS = 15_000;
/** How far machines' clocks may differ without two leaders at once. */
const MARGIN_MS = 3_000;
/** One renewal may fail before the lease ends. */
const RENEW_MS = 5_000;
/** Between two polls of followers, and after a failure, milliseconds. */
const POLL_MS = 1_000;
/** Age at which expired leases are deleted, and how often that happens, milliseconds. */
const EXPIRED_MS = 600_000;

/** True if this program leads. Work that a request asks for does not depend on it. */
export interface Leader {
  isLeader(): boolean;
  /**
   * Calls back when this program becomes the leader. `isTaken` is false if it only renewed its
   * lease, so no other program led meanwhile. Returns the function that unsubscribes.
   */
  onGained(listener: (isTaken: boolean) => void): () => void;
  /** True if this program still leads, locking the lease until the transaction ends. */
  lock(tx: Tx): Promise<boolean>;
}

/** The leader where no other program shares the database. */
export const soleLeader: Leader = {
  isLeader: () => true,
  onGained: () => () => {},
  lock: async () => true,
};

/** The same leader, paused at times. After a pause the caller wakes the workers. */
export function pausedWhile(leader: Leader, isPaused: () => boolean): Leader {
  return {
    isLeader: () => leader.isLeader() && !isPaused(),
    onGained: (listener) => leader.onGained(listener),
    lock: (tx) => leader.lock(tx),
  };
}

export interface LeaderElectionTerms {
  readonly database: Database;
  /** Called once per outage of the database. */
  readonly onFault: (error: unknown) => void;
  /** Called at each poll once a program served the shop beside which this one cannot work. */
  readonly onReplaced?: (reason: SchemaMismatch) => void;
  /** The clock of leases, and monotonic time; replaced in tests. */
  readonly clock?: Clock;
  readonly passedMs?: () => number;
}

export class LeaderElection implements Leader {
  readonly #terms: LeaderElectionTerms;
  readonly #clock: Clock;
  readonly #passedMs: () => number;
  /** Identifies this run of the program. */
  readonly #holder: string;
  readonly #listeners = new Set<(isTaken: boolean) => void>();
  #leaderUntilMs = -Infinity;
  #deleteAtMs = -Infinity;
  readonly #loop: PollLoop;

  constructor(terms: LeaderElectionTerms) {
    this.#terms = terms;
    this.#holder = newHolder(terms.database);
    this.#clock = terms.clock ?? realClock;
    this.#passedMs = terms.passedMs ?? monotonicMs;
    this.#loop = new PollLoop({
      what: "The leader election",
      poll: () => this.poll(),
      onFault: terms.onFault,
      pauseMs: (isFailing) => (this.isLeader() && !isFailing ? RENEW_MS : POLL_MS),
    });
  }

  isLeader(): boolean {
    return this.#passedMs() < this.#leaderUntilMs;
  }

  onGained(listener: (isTaken: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async lock(tx: Tx): Promise<boolean> {
    const isLeader = await lockLease(tx, { name: NAME, holder: this.#holder });
    if (!isLeader) this.#leaderUntilMs = -Infinity;
    return isLeader;
  }

  /** Starts trying to become the leader. */
  start(): void {
    this.#loop.start(0);
  }

  /** Gives up the lease, so that another program can take it at once. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    const wasLeader = this.#leaderUntilMs > -Infinity;
    this.#leaderUntilMs = -Infinity;
    if (!wasLeader) return;
    try {
      const lease = { name: NAME, holder: this.#holder };
      await this.#terms.database.write((tx) => releaseLease(tx, lease));
    } catch (error) {
      // The lease expires anyway.
      this.#terms.onFault(error);
    }
  }

  /** Renews the lease if it is held here, and takes it if it is free. A program that was replaced leads no more. */
  async poll(): Promise<void> {
    const mismatch = await findMismatch(this.#terms.database.read);
    if (mismatch !== null) {
      this.#leaderUntilMs = -Infinity;
      this.#terms.onReplaced?.(mismatch);
      return;
    }
    const askedAtMs = this.#passedMs();
    const now = this.#clock.now();
    const found = await this.#ask({
      name: NAME,
      holder: this.#holder,
      now,
      until: now + LEASE_MS,
    });
    const wasLeader = this.isLeader();
    this.#leaderUntilMs = found === "held elsewhere" ? -Infinity : askedAtMs + LEASE_MS - MARGIN_MS;
    if (found === "held elsewhere") return;
    if (found === "taken" || !wasLeader) {
      for (const listener of this.#listeners) notifySafely(() => listener(found === "taken"));
    }
    await this.#deleteExpired(now);
  }

  async #ask(claim: LeaseClaim): Promise<"renewed" | "taken" | "held elsewhere"> {
    const { database } = this.#terms;
    // Followers only read.
    const lease = await findLease(database.read, NAME);
    const isHeldElsewhere = lease !== undefined && lease.holder !== claim.holder;
    if (isHeldElsewhere && lease.until > claim.now) return "held elsewhere";
    return database.write(async (tx) => {
      if (await renewLease(tx, claim)) return "renewed";
      return (await takeLease(tx, claim)) ? "taken" : "held elsewhere";
    });
  }

  async #deleteExpired(now: number): Promise<void> {
    if (this.#passedMs() < this.#deleteAtMs) return;
    this.#deleteAtMs = this.#passedMs() + EXPIRED_MS;
    await this.#terms.database.write((tx) => forgetEndedLeases(tx, now - EXPIRED_MS));
  }
}
