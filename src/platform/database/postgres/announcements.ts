// Polls for events that other programs committed, and checks whether the server answers and is
// still the primary. Invariant: connections to a silent or demoted server are given up within
// seconds.

import { monotonicMs } from "#kernel/time.ts";
import { notifySafely } from "#platform/process/lazy.ts";

import type { PostgresServer } from "./server.ts";
import { SEQUENCE } from "./transaction.ts";

/** Between two polls, milliseconds. */
const POLL_MS = 250;
/** After this many silent polls wake the followers anyway: due work may exist without an event. */
const SILENT_POLLS_MAX = 8;
/** A poll that takes longer makes the server suspect, milliseconds. */
const SILENCE_MS = 5_000;

const POLL = "SELECT value, pg_is_in_recovery() FROM counters WHERE name = $1";

interface AnnouncementPollerTerms {
  readonly announce: () => void;
  /** Called once per outage. */
  readonly onFault: (error: unknown) => void;
  /** A poll got no answer in time. */
  readonly onSilence: () => Promise<unknown>;
  /** The server became a standby of another one. */
  readonly onDemoted: () => Promise<unknown>;
}

export class AnnouncementPoller {
  readonly #server: PostgresServer;
  readonly #terms: AnnouncementPollerTerms;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #seen: unknown = null;
  #silentPolls = 0;
  /** True if the last poll was answered. */
  isAnswering = true;

  constructor(server: PostgresServer, terms: AnnouncementPollerTerms) {
    this.#server = server;
    this.#terms = terms;
  }

  start(): void {
    this.#timer = setTimeout(() => void this.#poll(), POLL_MS);
    this.#timer.unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #poll(): Promise<void> {
    const alarm = setInterval(() => void this.#reportSilence(), SILENCE_MS);
    try {
      const [row] = await this.#server.ask(POLL, [SEQUENCE]);
      if (row?.[1] === true) await this.#terms.onDemoted();
      else this.#noteSequence(row?.[0]);
      this.isAnswering = true;
    } catch (error) {
      this.#fail(error);
    } finally {
      clearInterval(alarm);
    }
    if (!this.#isStopped) this.start();
  }

  async #reportSilence(): Promise<void> {
    try {
      await this.#terms.onSilence();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Running statements report the fault themselves. */
  #fail(error: unknown): void {
    if (this.isAnswering && !this.#isStopped) this.#terms.onFault(error);
    this.isAnswering = false;
  }

  #noteSequence(last: unknown): void {
    this.#silentPolls += 1;
    if (last === this.#seen && this.#silentPolls < SILENT_POLLS_MAX) return;
    this.#seen = last;
    this.#silentPolls = 0;
    this.#terms.announce();
  }
}

// Listeners of a PostgreSQL database inside this program. Invariant: after each announcement all of
// them are called, immediately or within the pause. Several announcements share one call, because
// stories commit one by one here and every listener queries the server.

/** Between two calls, milliseconds: short beside a webhook, long beside an order. */
const PAUSE_MS = 20;

export class Listeners {
  readonly #all = new Set<() => void>();
  #calledAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /** Returns the function that unsubscribes. */
  add(listener: () => void): () => void {
    this.#all.add(listener);
    return () => void this.#all.delete(listener);
  }

  announce(): void {
    if (this.#timer !== undefined) return;
    const pause = this.#calledAtMs + PAUSE_MS - monotonicMs();
    if (pause > 0) this.#timer = setTimeout(() => this.#call(), pause);
    else this.#call();
  }

  /** Ends all calls. */
  close(): void {
    clearTimeout(this.#timer);
    this.#all.clear();
  }

  #call(): void {
    this.#timer = undefined;
    this.#calledAtMs = monotonicMs();
    for (const listener of this.#all) notifySafely(listener);
  }
}
