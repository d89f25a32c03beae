// Background work that follows the log of events, a short step at a time: with a small share of the time
// while the shop is busy, with half of it while it is idle. Only the leader works.

import { monotonicMs } from "#kernel/time.ts";
import type { Database } from "#platform/database/database.ts";

import { type Leader, soleLeader } from "./leader-election.ts";

/** While no events occur, half of the time is work. */
const PAUSE_FACTOR_IDLE = 1;
/**
 * The longest pause after a step, milliseconds. A step may have taken minutes in which the program did not run, such as
 * those of a laptop that was closed.
 */
const PAUSE_MS_MAX = 2_000;
/** The pause after a failure, milliseconds. */
const RETRY_MS = 5_000;

/** How often the work is done. */
export interface Pace {
  /** How long events are collected before the first step for them, milliseconds. */
  readonly collectMs: number;
  /** While events occur, the pause between two steps is this multiple of the last one. */
  readonly busyFactor: number;
  /** And never less than this, milliseconds. */
  readonly busyMs: number;
}

export interface PacedWorkTerms {
  readonly database: Database;
  readonly pace: Pace;
  /** Does a few milliseconds of the work. Returns whether more is left. */
  readonly step: () => Promise<boolean>;
  readonly onFault: (error: unknown) => void;
  /** Which program does the work; this one by default. */
  readonly leader?: Leader;
}

export class PacedWork {
  readonly #terms: PacedWorkTerms;
  readonly #leader: Leader;
  #state: "new" | "running" | "stopped" = "new";
  #unsubscribe: readonly (() => void)[] = [];
  #alarm: NodeJS.Timeout | undefined;
  #working: Promise<void> | null = null;
  /** True if events occurred since the last step began, and since the one before it. */
  #isWoken = false;
  #wasWoken = false;

  constructor(terms: PacedWorkTerms) {
    this.#terms = terms;
    this.#leader = terms.leader ?? soleLeader;
  }

  /** Starts working, whenever this program is the leader. */
  start(): void {
    if (this.#state !== "new") throw new Error("Paced work is started once.");
    this.#state = "running";
    this.#unsubscribe = [
      this.#terms.database.onAnnounced(() => this.#wake()),
      this.#leader.onGained(() => this.#wake()),
    ];
    this.#wake();
  }

  /** Stops working. Resolves when the current step ends. */
  async stop(): Promise<void> {
    this.#state = "stopped";
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    clearTimeout(this.#alarm);
    await this.#working;
  }

  #wake(): void {
    if (!this.#leader.isLeader()) return;
    this.#isWoken = true;
    if (this.#alarm === undefined && this.#working === null) {
      this.#sleep(this.#terms.pace.collectMs);
    }
  }

  #sleep(milliseconds: number): void {
    if (this.#state !== "running") return;
    this.#alarm = setTimeout(() => {
      this.#alarm = undefined;
      if (!this.#leader.isLeader()) return;
      this.#working = this.#work();
    }, milliseconds);
    this.#alarm.unref();
  }

  async #work(): Promise<void> {
    this.#wasWoken = this.#isWoken;
    this.#isWoken = false;
    const startedAtMs = monotonicMs();
    let isMore = true;
    let pauseMs = RETRY_MS;
    try {
      isMore = await this.#terms.step();
      pauseMs = this.#pauseMs(isMore, monotonicMs() - startedAtMs);
    } catch (error) {
      this.#terms.onFault(error);
    }
    this.#working = null;
    if (isMore || this.#isWoken) this.#sleep(pauseMs);
  }

  #pauseMs(isMore: boolean, tookMs: number): number {
    const { collectMs, busyFactor, busyMs } = this.#terms.pace;
    const isBusy = this.#isWoken || this.#wasWoken;
    const restMs = Math.min((isBusy ? busyFactor : PAUSE_FACTOR_IDLE) * tookMs, PAUSE_MS_MAX);
    if (!isBusy) return restMs;
    return Math.max(isMore ? busyMs : collectMs, restMs);
  }
}
