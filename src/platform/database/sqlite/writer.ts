// Group commit: stories run one after the other and share one COMMIT with one sync to the disk; the rows that they
// append are written together before it. A story that fails after it wrote, or a row that cannot be written, has the
// group run again, with a savepoint for each story and each row written at once. Invariant: no story is acknowledged before
// the commit, and if that fails every story of the group fails.

import { AsyncLocalStorage } from "node:async_hooks";

import { type Clock, monotonicMs } from "#kernel/time.ts";
import type { Commit, Story, WriteOptions } from "#platform/database/database.ts";
import { storageUnavailable } from "#platform/database/errors.ts";
import { RowMemory } from "#platform/database/row-memory.ts";
import type { Vault } from "#platform/vault/vault.ts";

import type { SqliteConnection } from "./connection.ts";
import { groupFailure, isDamage } from "./errors.ts";
import { type QueuedStory, queuedStory, type SequenceMark, SqliteTx } from "./transaction.ts";
import { Upkeep } from "./upkeep.ts";
import { WaitingRows } from "./waiting-rows.ts";

// How long a group of stories works: the longer, the more of them share a commit. Reads need not wait for it, since
// they see what is committed on a connection of their own.

/** Milliseconds of work per commit; the story that exceeds it is the group's last. */
const GROUP_MS_MAX = 20;
/** Milliseconds of work before the event loop gets a turn, in which reads are answered. */
const TURN_MS = 2;

class GroupTime {
  readonly beganAtMs = monotonicMs();
  readonly #endMs: number;
  #turnEndMs = this.beganAtMs + TURN_MS;

  constructor(groupMsMax = GROUP_MS_MAX) {
    this.#endMs = this.beganAtMs + groupMsMax;
  }

  /**
   * Returns whether the group may work on, after the event loop had its turn where it is due: reads are answered in it,
   * and where no story waits, the requests that have come meanwhile bring more, which would need a commit of their own.
   */
  async goesOn(isAnyWaiting: boolean): Promise<boolean> {
    const now = monotonicMs();
    if (isAnyWaiting && now < this.#turnEndMs) return true;
    if (now >= this.#endMs) return false;
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#turnEndMs = monotonicMs() + TURN_MS;
    return true;
  }
}

/** Stories per commit, whose rows wait in memory; the time of a group ends it sooner. */
const GROUP_SIZE_MAX = 256;

type StoryResult = { readonly answer: () => void } | { readonly error: unknown };

export interface WriterOptions {
  readonly clock: Clock;
  readonly vault: Vault;
  /** The last sequence of the event log, from which events are numbered on. */
  readonly lastSequence: () => number;
  readonly onAnnounced: () => void;
  /** Throws if a commit would be lost; its group is then refused. */
  readonly beforeCommit?: () => void;
  readonly onCommit?: (commit: Commit) => void;
  /** Milliseconds of work per commit; 20 by default. */
  readonly groupMsMax?: number;
}

export class SqliteWriter {
  readonly #connection: SqliteConnection;
  readonly #clock: Clock;
  readonly #vault: Vault;
  readonly #lastSequence: () => number;
  readonly #sequence: SequenceMark;
  readonly #onAnnounced: () => void;
  readonly #beforeCommit: () => void;
  readonly #onCommit: (commit: Commit) => void;
  readonly #groupMsMax: number | undefined;
  readonly #upkeep: Upkeep;
  /** Rows that need no reading. */
  readonly memory: RowMemory;
  readonly #waiting: WaitingRows;
  readonly #insideStory = new AsyncLocalStorage<SqliteTx>();
  readonly #idle: (() => void)[] = [];
  readonly #between: (() => void)[] = [];
  #queue: QueuedStory[] = [];
  #isDraining = false;
  #isClosed = false;
  #isBroken = false;
  /**
   * True if stories get savepoints, which cost a tenth of an order: in a group that is run again, and until there is a
   * group that needed none.
   */
  #isGuarded = false;
  /** True if a story of the current group was undone alone. */
  #wasAnyUndone = false;
  /** Stays set if the story that requested it is undone: an extra wake does no harm. */
  #isWakeRequested = false;

  constructor(connection: SqliteConnection, options: WriterOptions) {
    this.#connection = connection;
    this.#upkeep = new Upkeep(connection, () => (this.#isBroken = true));
    this.memory = new RowMemory(() => connection.dataVersion());
    this.#waiting = new WaitingRows(connection);
    this.#clock = options.clock;
    this.#vault = options.vault;
    this.#lastSequence = options.lastSequence;
    this.#sequence = { last: options.lastSequence() };
    this.#onAnnounced = options.onAnnounced;
    this.#beforeCommit = options.beforeCommit ?? (() => {});
    this.#onCommit = options.onCommit ?? (() => {});
    this.#groupMsMax = options.groupMsMax;
  }

  get isWritable(): boolean {
    return !this.#isClosed && !this.#isBroken;
  }

  write<T>(story: Story<T>, options: WriteOptions<T> = {}): Promise<T> {
    if (this.#insideStory.getStore()?.isAlive === true) {
      throw new Error("A write inside a story would never end; pass the story's Tx on.");
    }
    if (!this.isWritable) return Promise.reject(storageUnavailable());
    return queuedStory(story, options, (queued) => {
      this.#queue.push(queued);
      this.#schedule();
    });
  }

  /** Runs the work between two commits, while no transaction is open. It may replace the rows. */
  between(work: () => void): Promise<void> {
    if (!this.isWritable) return Promise.reject(storageUnavailable());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#between.push(() => {
      try {
        work();
        resolve();
      } catch (error) {
        reject(error);
      }
    });
    this.#schedule();
    return promise;
  }

  /** Resolves when the queue is empty; later writes are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#isDraining) await new Promise<void>((resolve) => this.#idle.push(resolve));
    await this.#upkeep.close();
  }

  /** Waits for the next turn of the event loop, so that all requests of this turn join the group. */
  #schedule(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    setImmediate(() => void this.#drain());
  }

  async #drain(): Promise<void> {
    if (this.#between.length > 0) await this.#upkeep.rest();
    this.#workBetween();
    if (this.#isUpkeepDue) await this.#upkeep.step();
    if (this.#queue.length > 0 && !this.#isBroken) {
      await this.#upkeep.pace();
      await this.#commitGroup();
    }
    if (this.#isBroken) {
      for (const job of this.#queue.splice(0)) job.refuse(storageUnavailable());
    }
    if (this.#queue.length + this.#between.length > 0 || this.#isUpkeepDue) {
      setImmediate(() => void this.#drain());
      return;
    }
    this.#isDraining = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  get #isUpkeepDue(): boolean {
    return this.#upkeep.isDue && !this.#isBroken;
  }

  /** If the database cannot be read afterwards, writing stops until the next start. */
  #workBetween(): void {
    const works = this.#between.splice(0);
    if (works.length === 0) return;
    for (const work of works) work();
    this.memory.forget();
    try {
      this.#sequence.last = this.#lastSequence();
    } catch {
      this.#isBroken = true;
    }
  }

  async #commitGroup(): Promise<void> {
    const members: QueuedStory[] = [];
    let answers: (() => void)[] = [];
    const sequenceBefore = this.#sequence.last;
    const time = new GroupTime(this.#groupMsMax);
    this.#wasAnyUndone = false;
    try {
      this.#begin();
      while (members.length < GROUP_SIZE_MAX && (await time.goesOn(this.#queue.length > 0))) {
        const job = this.#queue.shift();
        if (job === undefined) break;
        members.push(job);
        const answer = await this.#runMember(job);
        if (answer !== "inseparable") answers.push(answer);
        else answers = await this.#runAgain(members, sequenceBefore);
      }
      if (!this.#areWritten()) answers = await this.#runAgain(members, sequenceBefore);
      this.#beforeCommit();
      this.#connection.command("COMMIT");
      this.memory.afterTransaction();
      this.#isGuarded = this.#wasAnyUndone;
    } catch (error) {
      this.#sequence.last = sequenceBefore;
      this.#failGroup(members, error);
      return;
    }
    for (const answer of answers) answer();
    this.#upkeep.noteCommit();
    this.#onCommit({ size: members.length, durationMs: monotonicMs() - time.beganAtMs });
    if (!this.#isWakeRequested && this.#sequence.last === sequenceBefore) return;
    this.#isWakeRequested = false;
    this.#onAnnounced();
  }

  /** From here to the end of the transaction no other connection writes. */
  #begin(): void {
    this.#waiting.clear();
    this.#connection.command("BEGIN IMMEDIATE");
    this.memory.check();
  }

  /** Writes the rows that wait; returns false if one of them cannot be written. */
  #areWritten(): boolean {
    try {
      this.#waiting.write();
      return true;
    } catch (error) {
      if (isDamage(error) || !this.#connection.driver.inTransaction) throw error;
      return false;
    }
  }

  /** Undoes what the group wrote so far, and runs its stories again, each of which can then be undone alone. */
  async #runAgain(
    members: readonly QueuedStory[],
    sequenceBefore: number,
  ): Promise<(() => void)[]> {
    this.#connection.command("ROLLBACK");
    this.#sequence.last = sequenceBefore;
    this.memory.afterTransaction();
    this.#begin();
    this.#isGuarded = true;
    const answers: (() => void)[] = [];
    for (const job of members) {
      const answer = await this.#runMember(job);
      if (answer === "inseparable") throw new Error("A guarded story can be undone.");
      answers.push(answer);
    }
    return answers;
  }

  /**
   * Runs one story, or its `otherwise`; `inseparable` if it failed and can be undone only with its whole group. Throws
   * only if the whole transaction was ended.
   */
  async #runMember(job: QueuedStory): Promise<(() => void) | "inseparable"> {
    const { otherwise } = job;
    const first = await this.#attempt(job, job.story);
    if (first === "inseparable") return first;
    if ("answer" in first) return first.answer;
    if (otherwise === null) return () => job.refuse(first.error);
    const second = await this.#attempt(job, (tx) => otherwise(tx, first.error));
    if (second === "inseparable") return second;
    return "answer" in second ? second.answer : () => job.refuse(second.error);
  }

  /** Runs the story; if it throws, its writes are undone, as far as that is possible for it alone. */
  async #attempt(
    job: QueuedStory,
    story: QueuedStory["story"],
  ): Promise<StoryResult | "inseparable"> {
    const tx = new SqliteTx(this.#connection, this.#sequence, {
      now: this.#clock.now(),
      actor: job.actor,
      requestId: job.requestId,
      vault: this.#vault,
      memory: this.memory,
      waiting: this.#waiting,
      isGuarded: this.#isGuarded,
      onWake: () => (this.#isWakeRequested = true),
      onScrub: () => this.#upkeep.requestScrub(),
    });
    try {
      const answer = await this.#insideStory.run(tx, () => story(tx));
      tx.release();
      return this.#waiting.hasFailed ? "inseparable" : { answer };
    } catch (error) {
      const undoing = tx.undo();
      if (undoing === "inseparable" || this.#waiting.hasFailed) return "inseparable";
      if (undoing === "undone") this.#wasAnyUndone = true;
      return { error };
    }
  }

  #failGroup(members: readonly QueuedStory[], error: unknown): void {
    if (isDamage(error)) this.#isBroken = true;
    if (this.#connection.driver.inTransaction) this.#rollback();
    this.memory.afterTransaction();
    // If BEGIN itself failed, the waiting stories fail instead.
    const failed = members.length > 0 ? members : this.#queue.splice(0, GROUP_SIZE_MAX);
    const failure = groupFailure(error);
    for (const job of failed) job.refuse(failure);
  }

  /** If the rollback fails, writing stops until the next start; the file stays intact. */
  #rollback(): void {
    try {
      this.#connection.command("ROLLBACK");
    } catch {
      this.#isBroken = true;
    }
  }
}
