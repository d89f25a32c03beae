// Who does what is to be done once in the background of a shop: of several programs over one database,
// the one that holds a lease. Invariant: whoever thinks that it is theirs stops thinking so seconds
// before another one may take it, so clocks that differ by as much make no two leaders.

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
import { notifySafely } from "#platform/process/notify-safely.ts";

import { PollLoop } from "./poll-loop.ts";

const NAME = "background";
/** How long the work of a program that is gone waits at most, milliseconds. */
const LEASE_MS = 15_000;
/** By how much machines' clocks may differ before two think that it is theirs. */
const MARGIN_MS = 3_000;
/** Twice as often as is needed: one renewal may fail. */
const RENEW_MS = 5_000;
/** Between two looks of those that wait, and after something failed. */
const LOOK_MS = 1_000;
/** Leases of all kinds that ended so long ago are forgotten, so often. */
const FORGET_MS = 600_000;

/** Whether the background is ours to look after. Explicit calls do not ask. */
export interface Leader {
  isLeader(): boolean;
  /**
   * Calls back when it is ours from now on; not anew where nobody else had it in between. Returns how
   * to stop it.
   */
  onGained(listener: (isAnew: boolean) => void): () => void;
  /** Whether it still is; if so, it becomes nobody else's before this transaction ends. */
  hold(tx: Tx): Promise<boolean>;
}

/** Where no other program is. */
export const alone: Leader = {
  isLeader: () => true,
  onGained: () => () => {},
  hold: async () => true,
};

/** The same, but nothing of it is ours for a while; whoever ends that wakes who waits. */
export function pausedWhile(leader: Leader, isPaused: () => boolean): Leader {
  return {
    isLeader: () => leader.isLeader() && !isPaused(),
    onGained: (listener) => leader.onGained(listener),
    hold: (tx) => leader.hold(tx),
  };
}

export interface LeaderElectionTerms {
  readonly database: Database;
  /** Told once for each time that the store cannot be asked. */
  readonly onFault: (error: unknown) => void;
  /** What leases are kept on, and what passes on this machine; other clocks for tests. */
  readonly clock?: Clock;
  readonly passedMs?: () => number;
}

export class LeaderElection implements Leader {
  readonly #terms: LeaderElectionTerms;
  readonly #clock: Clock;
  readonly #passedMs: () => number;
  /** Which start of the program this is. */
  readonly #holder: string;
  readonly #listeners = new Set<(isAnew: boolean) => void>();
  #oursUntilMs = -Infinity;
  #forgetAtMs = -Infinity;
  readonly #looks: PollLoop;

  constructor(terms: LeaderElectionTerms) {
    this.#terms = terms;
    this.#holder = newHolder(terms.database);
    this.#clock = terms.clock ?? realClock;
    this.#passedMs = terms.passedMs ?? monotonicMs;
    this.#looks = new PollLoop({
      what: "A leadership",
      look: () => this.look(),
      onFault: terms.onFault,
      pauseMs: (isFailing) => (this.isLeader() && !isFailing ? RENEW_MS : LOOK_MS),
    });
  }

  isLeader(): boolean {
    return this.#passedMs() < this.#oursUntilMs;
  }

  onGained(listener: (isAnew: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async hold(tx: Tx): Promise<boolean> {
    const isHeld = await lockLease(tx, { name: NAME, holder: this.#holder });
    if (!isHeld) this.#oursUntilMs = -Infinity;
    return isHeld;
  }

  /** From now on it becomes ours when it is nobody's, and stays it. */
  start(): void {
    this.#looks.start(0);
  }

  /** Afterwards it is not ours, and whoever waits may have it at once. */
  async stop(): Promise<void> {
    await this.#looks.stop();
    const wasLeader = this.#oursUntilMs > -Infinity;
    this.#oursUntilMs = -Infinity;
    if (!wasLeader) return;
    try {
      const lease = { name: NAME, holder: this.#holder };
      await this.#terms.database.write((tx) => releaseLease(tx, lease));
    } catch (error) {
      // It ends by itself.
      this.#terms.onFault(error);
    }
  }

  /** Takes it where it is nobody's, keeps it where it is ours. */
  async look(): Promise<void> {
    const askedAtMs = this.#passedMs();
    const now = this.#clock.now();
    const found = await this.#ask({
      name: NAME,
      holder: this.#holder,
      now,
      until: now + LEASE_MS,
    });
    const wasLeader = this.isLeader();
    this.#oursUntilMs = found === "theirs" ? -Infinity : askedAtMs + LEASE_MS - MARGIN_MS;
    if (found === "theirs") return;
    if (found === "anew" || !wasLeader) {
      for (const listener of this.#listeners) notifySafely(() => listener(found === "anew"));
    }
    await this.#forget(now);
  }

  async #ask(claim: LeaseClaim): Promise<"kept" | "anew" | "theirs"> {
    const { database } = this.#terms;
    // Who waits only reads.
    const lease = await findLease(database.read, NAME);
    const isTheirs = lease !== undefined && lease.holder !== claim.holder;
    if (isTheirs && lease.until > claim.now) return "theirs";
    return database.write(async (tx) => {
      if (await renewLease(tx, claim)) return "kept";
      return (await takeLease(tx, claim)) ? "anew" : "theirs";
    });
  }

  async #forget(now: number): Promise<void> {
    if (this.#passedMs() < this.#forgetAtMs) return;
    this.#forgetAtMs = this.#passedMs() + FORGET_MS;
    await this.#terms.database.write((tx) => forgetEndedLeases(tx, now - FORGET_MS));
  }
}
