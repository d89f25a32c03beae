// What is done for the file between two groups, after the callers of the first were answered. SQLite would checkpoint
// within a COMMIT, and all callers of that group would wait for it although their changes are on the disk.

import { isDamage } from "#platform/database/errors.ts";

import type { SqliteConnection } from "./connection.ts";
import { Scrubber } from "./scrubber.ts";

/**
 * Pages in the write-ahead log before a checkpoint: 4 MB. No story runs meanwhile; four times as many made the 99th
 * percentile four times as slow.
 */
const CHECKPOINT_PAGES = 1000;

export class Upkeep {
  readonly #connection: SqliteConnection;
  readonly #scrubber: Scrubber;
  readonly #onDamage: () => void;
  #isLogLong = false;
  /** False after a step that failed: it is done again after the next commit. */
  #isDue = false;

  constructor(connection: SqliteConnection, onDamage: () => void) {
    this.#connection = connection;
    this.#scrubber = new Scrubber(connection);
    this.#onDamage = onDamage;
  }

  /** Deleted personal data is to leave the bytes of the files. */
  requestScrub(): void {
    this.#scrubber.request();
  }

  get isDue(): boolean {
    return this.#isDue;
  }

  /** A group was committed: measures the log. */
  noteCommit(): void {
    this.#attempt(() => {
      // Moves no page, and tells the length of the log in a microsecond (sqlite.org/pragma, wal_checkpoint).
      const [row] = this.#connection.command("PRAGMA wal_checkpoint(NOOP)");
      this.#isLogLong = Number(row?.["log"]) - Number(row?.["checkpointed"]) >= CHECKPOINT_PAGES;
      return this.#isLogLong || this.#scrubber.isDue;
    });
  }

  /** Does one step, the checkpoint first; no transaction may be open. A full disk, say, makes it fail. */
  step(): void {
    this.#attempt(() => {
      if (!this.#isLogLong) return this.#scrubber.step() && this.#scrubber.isDue;
      this.#isLogLong = false;
      this.#connection.command("PRAGMA wal_checkpoint(PASSIVE)");
      return this.#scrubber.isDue;
    });
  }

  #attempt(work: () => boolean): void {
    this.#isDue = false;
    try {
      this.#isDue = work();
    } catch (error) {
      if (isDamage(error)) this.#onDamage();
    }
  }
}
