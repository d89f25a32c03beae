// Counts events in the background: with a small share of the time while the shop is busy, faster while
// it is idle. Summaries do not depend on it, because they catch up themselves.

import { monotonicMs } from "#kernel/time.ts";
import type { Shop } from "#platform/database/shop.ts";
import { type Leader, soleLeader } from "#platform/scheduler/leader-election.ts";

import { projectEvents } from "./project-events.ts";

/** How long events are collected for one commit, milliseconds. */
const PAUSE_MS = 250;
/** While events occur, the pause is this multiple of the work: 2.5 % of the time is work. */
const PAUSE_FACTOR_BUSY = 39;
/** While no events occur, half of the time is work. */
const PAUSE_FACTOR_IDLE = 1;
/** The pause after a failure, milliseconds. */
const RETRY_MS = 5_000;

export interface ProjectorTerms {
  readonly shop: Shop;
  readonly onFault: (error: unknown) => void;
  /** Which program counts in the background; this one by default. */
  readonly leader?: Leader;
}

export class Projector {
  readonly #terms: ProjectorTerms;
  readonly #leader: Leader;
  #state: "new" | "running" | "stopped" = "new";
  #unsubscribe: readonly (() => void)[] = [];
  #alarm: NodeJS.Timeout | undefined;
  #working: Promise<void> | null = null;
  #isWoken = false;

  constructor(terms: ProjectorTerms) {
    this.#terms = terms;
    this.#leader = terms.leader ?? soleLeader;
  }

  /** Starts counting, whenever this program is the leader. */
  start(): void {
    if (this.#state !== "new") throw new Error("A projector is started once.");
    this.#state = "running";
    this.#unsubscribe = [
      this.#terms.shop.database.onAnnounced(() => this.#wake()),
      this.#leader.onGained(() => this.#wake()),
    ];
    this.#wake();
  }

  /** Stops counting. Resolves when the current commit ends. */
  async stop(): Promise<void> {
    this.#state = "stopped";
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    clearTimeout(this.#alarm);
    await this.#working;
  }

  #wake(): void {
    if (!this.#leader.isLeader()) return;
    this.#isWoken = true;
    if (this.#alarm === undefined && this.#working === null) this.#sleep(PAUSE_MS);
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
    this.#isWoken = false;
    const startedAtMs = monotonicMs();
    let isMore = false;
    let pauseMs = PAUSE_MS;
    try {
      isMore = await this.#terms.shop.database.write(projectEvents);
      const tookMs = monotonicMs() - startedAtMs;
      pauseMs = this.#isWoken
        ? Math.max(PAUSE_MS, PAUSE_FACTOR_BUSY * tookMs)
        : PAUSE_FACTOR_IDLE * tookMs;
    } catch (error) {
      this.#terms.onFault(error);
      isMore = true;
      pauseMs = RETRY_MS;
    }
    this.#working = null;
    if (isMore || this.#isWoken) this.#sleep(pauseMs);
  }
}
