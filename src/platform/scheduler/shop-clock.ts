// The shop's clock, its stored offset from the machine's, and how it follows another program that moves it.
// Invariant: the clock never goes back, except to the machine's time when the shop is reset.

import { sql } from "drizzle-orm";

import { type Clock, realClock } from "#kernel/time.ts";
import type { Database, Reader, Tx } from "#platform/database/database.ts";
import { findLease } from "#platform/database/leases.ts";
import { prepared, preparedWrite } from "#platform/database/prepared.ts";
import { shopClock } from "#platform/database/tables.ts";

import { PollLoop } from "./poll-loop.ts";

/** The id of the only row. */
const ID = 1;

const onlyOffset = prepared()((db) => db.select().from(shopClock));
const upsert = preparedWrite<{ offsetMs: number }>()((tx, at) =>
  tx
    .insert(shopClock)
    .values({ id: ID, offsetMs: at.offsetMs })
    .onConflictDoUpdate({ target: shopClock.id, set: { offsetMs: sql`excluded.offset_ms` } }),
);

/** How far the shop's clock is ahead of the machine's, milliseconds. */
export async function findClockOffset(db: Reader): Promise<number> {
  return (await onlyOffset(db, {}))[0]?.offsetMs ?? 0;
}

/** Stores the offset, which survives a restart. */
export async function saveClockOffset(tx: Tx, offsetMs: number): Promise<void> {
  await upsert(tx, { offsetMs });
}

/** The lease of a program that is moving the clock. */
export const CLOCK_LEASE = "clock";
/** Between two polls, milliseconds. Each step of an advance waits this long for other programs. */
const POLL_MS = 250;

interface ClockFollowerTerms {
  readonly database: Database;
  readonly clock: ShopClock;
  /** Called when another program moved the clock or finished moving it. */
  readonly onMoved: () => void;
  /** Called once per outage of the database. */
  readonly onFault: (error: unknown) => void;
  /** The clock of leases; replaced in tests. */
  readonly machine?: Clock;
}

/** Sets the clock to the stored offset; returns whether it changed. */
export async function followOffset(database: Database, clock: ShopClock): Promise<boolean> {
  const seen = clock.moves;
  const offsetMs = await findClockOffset(database.read);
  // The clock was moved here meanwhile, so the offset is outdated.
  if (clock.moves !== seen || clock.isStanding) return false;
  const isEmptied = offsetMs === 0 && clock.offsetMs !== 0;
  if (offsetMs <= clock.offsetMs && !isEmptied) return false;
  clock.runOn(offsetMs);
  return true;
}

export class ClockFollower {
  readonly #terms: ClockFollowerTerms;
  readonly #machine: Clock;
  readonly #loop: PollLoop;
  #isMoving = false;

  constructor(terms: ClockFollowerTerms) {
    this.#terms = terms;
    this.#machine = terms.machine ?? realClock;
    this.#loop = new PollLoop({
      what: "The clock follower",
      poll: () => this.poll(),
      onFault: terms.onFault,
      pauseMs: () => POLL_MS,
    });
  }

  /** True if a program is moving the clock and firing the timers on the way. */
  get isMoving(): boolean {
    return this.#isMoving;
  }

  /** Starts polling. */
  start(): void {
    this.#loop.start(POLL_MS);
  }

  /** Stops polling. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async poll(): Promise<void> {
    const { database, clock, onMoved } = this.#terms;
    const isMoved = await followOffset(database, clock);
    // After the offset, because the lease is taken before the clock is moved.
    const lease = await findLease(database.read, CLOCK_LEASE);
    const wasMoving = this.#isMoving;
    this.#isMoving = lease !== undefined && lease.until > this.#machine.now();
    if (isMoved || (wasMoving && !this.#isMoving)) onMoved();
  }
}

/** A source clock plus an offset. It can be stopped, so that timers fire exactly at their due times. */
export class ShopClock implements Clock {
  readonly #source: Clock;
  #offsetMs = 0;
  #standsAt: number | null = null;
  #moves = 0;

  constructor(source: Clock) {
    this.#source = source;
  }

  now(): number {
    return this.#standsAt ?? this.#source.now() + this.#offsetMs;
  }

  /** How far it is ahead of its source, milliseconds. */
  get offsetMs(): number {
    return this.#standsAt === null ? this.#offsetMs : this.#standsAt - this.#source.now();
  }

  /** How often it was moved or stopped in this program. */
  get moves(): number {
    return this.#moves;
  }

  get isStanding(): boolean {
    return this.#standsAt !== null;
  }

  /** Stops the clock at the instant. */
  standAt(atMs: number): void {
    this.#moves += 1;
    this.#standsAt = atMs;
  }

  /** Lets the clock run with the offset. */
  runOn(offsetMs: number): void {
    this.#moves += 1;
    this.#offsetMs = offsetMs;
    this.#standsAt = null;
  }
}
