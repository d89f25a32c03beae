// Polls for events that other programs committed, and checks whether the server answers and is
// still the primary. Invariant: connections to a silent or demoted server are given up within
// seconds.

import type { PostgresServer } from "./server.ts";
import { SEQUENCE } from "./transaction.ts";

/** Between two polls, milliseconds. */
const POLL_MS = 250;
/** After this many silent polls wake the followers anyway: due work may exist without an event. */
const SILENT_POLLS_MAX = 8;
/** A poll that takes longer makes the server suspect, milliseconds. */
const SILENCE_MS = 5_000;

const POLL = "SELECT value, pg_is_in_recovery() FROM counters WHERE name = $1";

export interface AnnouncementPollerTerms {
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
