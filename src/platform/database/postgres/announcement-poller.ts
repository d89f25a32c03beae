// Looks what other programs announced, and whether the server answers and is still the primary. Invariant:
// nobody waits for ever for a server that says nothing, and nobody reads for long from one that was demoted.

import type { PostgresServer } from "./server.ts";
import { SEQUENCE } from "./transaction.ts";

/** Between two looks, milliseconds. */
const TICK_MS = 250;
/** So many looks after the last, whoever follows the shop looks for itself: not all that is due is announced. */
const TICKS_UNHEARD_MAX = 8;
/** A look that takes longer raises doubts, milliseconds. */
const SILENCE_MS = 5_000;

const LOOK = "SELECT value, pg_is_in_recovery() FROM counters WHERE name = $1";

export interface AnnouncementPollerTerms {
  readonly announce: () => void;
  /** Told once for each time that the server is lost. */
  readonly onFault: (error: unknown) => void;
  /** The server says nothing. */
  readonly onSilence: () => Promise<unknown>;
  /** Connections lead to a server that only follows another one now. */
  readonly onDemoted: () => Promise<unknown>;
}

export class AnnouncementPoller {
  readonly #server: PostgresServer;
  readonly #terms: AnnouncementPollerTerms;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #seen: unknown = null;
  #unheard = 0;
  /** Whether the server answered when it was last looked at. */
  isAnswering = true;

  constructor(server: PostgresServer, terms: AnnouncementPollerTerms) {
    this.#server = server;
    this.#terms = terms;
  }

  start(): void {
    this.#timer = setTimeout(() => void this.#look(), TICK_MS);
    this.#timer.unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const alarm = setInterval(() => void this.#doubt(), SILENCE_MS);
    try {
      const [row] = await this.#server.ask(LOOK, [SEQUENCE]);
      if (row?.[1] === true) await this.#terms.onDemoted();
      else this.#heard(row?.[0]);
      this.isAnswering = true;
    } catch (error) {
      this.#fail(error);
    } finally {
      clearInterval(alarm);
    }
    if (!this.#isStopped) this.start();
  }

  async #doubt(): Promise<void> {
    try {
      await this.#terms.onSilence();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** What is asked meanwhile tells by itself. */
  #fail(error: unknown): void {
    if (this.isAnswering && !this.#isStopped) this.#terms.onFault(error);
    this.isAnswering = false;
  }

  #heard(last: unknown): void {
    this.#unheard += 1;
    if (last === this.#seen && this.#unheard < TICKS_UNHEARD_MAX) return;
    this.#seen = last;
    this.#unheard = 0;
    this.#terms.announce();
  }
}
