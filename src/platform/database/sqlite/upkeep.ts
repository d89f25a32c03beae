// Work on the file between two groups, after the callers of the first were answered. SQLite would checkpoint
// within a COMMIT, and all callers of that group would wait for it although their changes are on the disk.

import { Checkpointer } from "./checkpointer.ts";
import type { SqliteConnection } from "./connection.ts";
import { isDamage } from "./errors.ts";

// Removes what was deleted from the bytes of the files, too. SQLite overwrites deleted rows
// (secure_delete), but two places keep their words: the full-text index, which only marks a text as
// deleted until its segments are merged, and the log, whose old pages stay until they are
// overwritten.

/**
 * Pages of the index that one step merges: about 10 ms, in which no story runs. An index of 200,000
 * texts takes about 150 steps.
 */
const PAGES_PER_STEP = 25;
/** A merge that changes fewer rows than this had nothing left to do (sqlite.org/fts5, 6.5). */
const LEAST_CHANGES = 2;

const MERGE = "INSERT INTO search_documents(search_documents, rank) VALUES ('merge', ?)";

class Scrubber {
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

/** Pages of the write-ahead log before they are copied: 10 MB. A page that many commits change is copied less often. */
const CHECKPOINT_PAGES = 2500;
/**
 * The length of the log from which stories wait for a last copy, 30 MB: one that is copied whole is used from its
 * beginning again. They wait when little is left to copy, which is 4 MB and takes a few milliseconds.
 */
const REWIND_PAGES = 3 * CHECKPOINT_PAGES;
const REWIND_COPY_PAGES = 1000;

export class Upkeep {
  readonly #connection: SqliteConnection;
  readonly #checkpointer: Checkpointer;
  readonly #scrubber: Scrubber;
  readonly #onDamage: () => void;
  #isLogLong = false;
  #isRewindDue = false;
  #pages = 0;
  /**
   * The length from which the next wait is. A log that a reader holds, such as a backup, is not used from its beginning,
   * so that waiting for each group would be in vain. With as many pages more they wait however much is left: a slow disk
   * cannot make the log ever longer.
   */
  #rewindFrom = REWIND_PAGES;
  /** The thread could not copy the log: the next copy is made here, where the error tells why. */
  #hasThreadFailed = false;
  /** False after a step that failed: it is done again after the next commit. */
  #isDue = false;

  constructor(connection: SqliteConnection, onDamage: () => void) {
    this.#connection = connection;
    this.#checkpointer = new Checkpointer(connection.driver.filename);
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
      const pages = Number(row?.["log"]);
      const toCopy = pages - Number(row?.["checkpointed"]);
      this.#isLogLong = toCopy >= CHECKPOINT_PAGES;
      if (pages < this.#pages) this.#rewindFrom = REWIND_PAGES;
      this.#pages = pages;
      const isLast = toCopy <= REWIND_COPY_PAGES || pages >= this.#rewindFrom + REWIND_PAGES;
      this.#isRewindDue = toCopy > 0 && pages >= this.#rewindFrom && isLast;
      return this.#isLogLong || this.#scrubber.isDue;
    });
  }

  /** Does one step, the checkpoint first; no transaction may be open. A full disk, say, makes it fail. */
  async step(): Promise<void> {
    // The scrubber empties the log, which it cannot while the thread copies it.
    if (!this.#isLogLong) await this.rest();
    this.#attempt(() => {
      if (!this.#isLogLong) return this.#scrubber.step() && this.#scrubber.isDue;
      this.#isLogLong = false;
      this.#checkpoint();
      return this.#scrubber.isDue;
    });
  }

  /** Resolves once the next group may lengthen the log, or use it from its beginning. */
  async pace(): Promise<void> {
    if (!this.#isRewindDue) return;
    this.#isRewindDue = false;
    this.#rewindFrom = this.#pages + REWIND_PAGES;
    // A copy that runs does not see the last commits.
    await this.rest();
    await this.#copyOnThread();
  }

  /** Resolves once no thread works on the files. */
  async rest(): Promise<void> {
    await this.#checkpointer.running;
  }

  /** Ends the thread. */
  close(): Promise<void> {
    return this.#checkpointer.close();
  }

  #checkpoint(): void {
    if (this.#hasThreadFailed) {
      this.#hasThreadFailed = false;
      this.#connection.command("PRAGMA wal_checkpoint(PASSIVE)");
    } else void this.#copyOnThread();
  }

  async #copyOnThread(): Promise<void> {
    if ((await this.#checkpointer.start()) === "failed") this.#hasThreadFailed = true;
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
