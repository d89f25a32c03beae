// Keeps the projection up to date in the background. Invariant: it takes a small share of the time
// while the shop is busy, and catches up when it is not; a reader who asks does not depend on it.

import { monotonicMs } from "#kernel/time.ts";
import type { Shop } from "#platform/database/shop.ts";
import { alone, type Leader } from "#platform/scheduler/leader-election.ts";

import { projectEvents } from "./project-events.ts";

/** One commit for all that happens in this time, milliseconds. */
const PAUSE_MS = 250;
/** While things happen, it rests so many times as long as it worked: 2.5 % of the time is its own. */
const RESTS_BUSY = 39;
/** While nothing does, half of the time is. */
const RESTS_IDLE = 1;
/** After something failed, milliseconds. */
const RETRY_MS = 5_000;

export interface ProjectorTerms {
  readonly shop: Shop;
  readonly onFault: (error: unknown) => void;
  /** Whose it is to count in the background; ours where nothing is said. */
  readonly leader?: Leader;
}

export class Projector {
  readonly #terms: ProjectorTerms;
  readonly #leader: Leader;
  #state: "new" | "running" | "stopped" = "new";
  #unsubscribe: readonly (() => void)[] = [];
  #alarm: NodeJS.Timeout | undefined;
  #working: Promise<void> | null = null;
  #isCalled = false;

  constructor(terms: ProjectorTerms) {
    this.#terms = terms;
    this.#leader = terms.leader ?? alone;
  }

  /** From now on what happens is counted, wherever it is ours to count. */
  start(): void {
    if (this.#state !== "new") throw new Error("A projector is started once.");
    this.#state = "running";
    this.#unsubscribe = [
      this.#terms.shop.database.onAnnounced(() => this.#hear()),
      this.#leader.onGained(() => this.#hear()),
    ];
    this.#hear();
  }

  /** Nothing more is counted; resolves when what is being counted is through. */
  async stop(): Promise<void> {
    this.#state = "stopped";
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    clearTimeout(this.#alarm);
    await this.#working;
  }

  #hear(): void {
    if (!this.#leader.isLeader()) return;
    this.#isCalled = true;
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
    this.#isCalled = false;
    const startedAtMs = monotonicMs();
    let isMore = false;
    let pauseMs = PAUSE_MS;
    try {
      isMore = await this.#terms.shop.database.write(projectEvents);
      const tookMs = monotonicMs() - startedAtMs;
      pauseMs = this.#isCalled ? Math.max(PAUSE_MS, RESTS_BUSY * tookMs) : RESTS_IDLE * tookMs;
    } catch (error) {
      this.#terms.onFault(error);
      isMore = true;
      pauseMs = RETRY_MS;
    }
    this.#working = null;
    if (isMore || this.#isCalled) this.#sleep(pauseMs);
  }
}
