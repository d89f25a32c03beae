// Brings the projection up to date before a summary is read. Invariant: concurrent callers share one
// write at a time, because one connection to the database is enough for all of them.

import { isUnavailable } from "#kernel/refusal.ts";
import { monotonicMs, nextTurn } from "#kernel/time.ts";
import type { Database } from "#platform/database/database.ts";

import { findProjectionBacklog, projectEvents, type ProjectionBacklog } from "./project-events.ts";

export interface CaughtUp extends ProjectionBacklog {
  /** True if a retry can succeed: false while the database accepts no writes. */
  readonly isWritable: boolean;
}

export class CatchUp {
  readonly #database: Database;
  /** The running write; its result says whether the database accepts writes. */
  #running: Promise<boolean> | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Counts every event that was committed before the call. Stops early after `withinMs`, or if the
   * database accepts no writes.
   */
  async run(withinMs: number): Promise<CaughtUp> {
    const { read } = this.#database;
    const endsAtMs = monotonicMs() + withinMs;
    const start = await findProjectionBacklog(read);
    const target = start.sequence + start.behind;
    let { sequence } = start;
    let isWritable = true;
    while (isWritable && sequence < target && monotonicMs() < endsAtMs) {
      await nextTurn();
      this.#running ??= this.#project().finally(() => (this.#running = null));
      isWritable = await this.#running;
      sequence = (await findProjectionBacklog(read)).sequence;
    }
    return { sequence, behind: Math.max(0, target - sequence), isWritable };
  }

  async #project(): Promise<boolean> {
    try {
      await this.#database.write(projectEvents);
      return true;
    } catch (error) {
      if (isUnavailable(error)) return false;
      throw error;
    }
  }
}
