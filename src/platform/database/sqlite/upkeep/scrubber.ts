// Removes what was deleted from the bytes of the files, too. SQLite overwrites deleted rows
// (secure_delete), but two places keep their words: the full-text index, which only marks a text as
// deleted until its segments are merged, and the log, whose old pages stay until they are
// overwritten.

import type { SqliteConnection } from "#platform/database/sqlite/connection.ts";

/**
 * Pages of the index that one step merges: about 10 ms, in which no story runs. An index of 200,000
 * texts takes about 150 steps.
 */
const PAGES_PER_STEP = 25;
/** A merge that changes fewer rows than this had nothing left to do (sqlite.org/fts5, 6.5). */
const LEAST_CHANGES = 2;

const MERGE = "INSERT INTO search_documents(search_documents, rank) VALUES ('merge', ?)";

export class Scrubber {
  readonly #connection: SqliteConnection;
  /** Due after a commit that deleted personal data. */
  #due: "nothing" | "begin" | "merge" | "log" = "nothing";

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** Starts over: what is deleted now may be in segments that were merged already. */
  request(): void {
    this.#due = "begin";
  }

  get isDue(): boolean {
    return this.#due !== "nothing";
  }

  /**
   * Does one step; no transaction may be open. Returns false if another program reads the log: the
   * caller tries again after the next commit.
   */
  step(): boolean {
    if (this.#due === "begin") {
      // A negative number first puts all segments into one merge.
      this.#merge(-PAGES_PER_STEP);
      this.#due = "merge";
    } else if (this.#due === "merge") {
      if (this.#merge(PAGES_PER_STEP) < LEAST_CHANGES) this.#due = "log";
    } else if (this.#due === "log") {
      const [row] = this.#connection.command("PRAGMA wal_checkpoint(TRUNCATE)");
      if (row?.["busy"] !== 0) return false;
      this.#due = "nothing";
    }
    return true;
  }

  /** Returns how many rows of the index were changed. */
  #merge(pages: number): number {
    const before = this.#changes();
    this.#connection.command(MERGE, pages);
    return this.#changes() - before;
  }

  #changes(): number {
    return Number(this.#connection.command("SELECT total_changes() AS changes")[0]?.["changes"]);
  }
}
