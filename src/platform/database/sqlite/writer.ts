// Group commit: stories run one after the other, each in a savepoint of its own, and one COMMIT
// with one sync to the disk answers them all. Invariant: nobody is told yes before that commit, and
// when it fails everybody of the group is told no.

import { AsyncLocalStorage } from "node:async_hooks";

import { type Clock, monotonicMs } from "#kernel/time.ts";
import type { Actor, Commit, Story, Tx, WriteOptions } from "#platform/database/database.ts";
import { groupFailure, isDamage, storageUnavailable } from "#platform/database/errors.ts";
import type { Vault } from "#platform/vault/vault.ts";

import type { SqliteConnection } from "./connection.ts";
import { type SequenceMark, SqliteTx } from "./transaction.ts";

/** Stories per commit: enough to share one sync, few enough that none waits long. */
const GROUP_SIZE_MAX = 64;
/** Work per commit in milliseconds; the story that passes it is the group's last. */
const GROUP_MS_MAX = 5;

const SYSTEM: Actor = { type: "system", id: null };

type StoryResult = { readonly answer: () => void } | { readonly error: unknown };

interface Job {
  /** The story; its answer is told after the commit. */
  readonly story: (tx: Tx) => Promise<() => void>;
  readonly otherwise: ((tx: Tx, error: unknown) => Promise<() => void>) | null;
  readonly actor: Actor;
  readonly requestId: string | null;
  refuse(error: unknown): void;
}

export interface WriterOptions {
  readonly clock: Clock;
  readonly vault: Vault;
  readonly lastSequence: number;
  readonly onAnnounced: () => void;
  readonly onCommit?: (commit: Commit) => void;
  /** Work per commit, milliseconds; 5 where nothing else is said. */
  readonly groupMsMax?: number;
}

export class SqliteWriter {
  readonly #connection: SqliteConnection;
  readonly #clock: Clock;
  readonly #vault: Vault;
  readonly #sequence: SequenceMark;
  readonly #onAnnounced: () => void;
  readonly #onCommit: (commit: Commit) => void;
  readonly #groupMsMax: number;
  readonly #insideStory = new AsyncLocalStorage<SqliteTx>();
  readonly #idle: (() => void)[] = [];
  #queue: Job[] = [];
  #isDraining = false;
  #isClosed = false;
  #isBroken = false;
  /** Also where the story that did it was undone: a look too many does no harm. */
  #isNudged = false;

  constructor(connection: SqliteConnection, options: WriterOptions) {
    this.#connection = connection;
    this.#clock = options.clock;
    this.#vault = options.vault;
    this.#sequence = { last: options.lastSequence };
    this.#onAnnounced = options.onAnnounced;
    this.#onCommit = options.onCommit ?? (() => {});
    this.#groupMsMax = options.groupMsMax ?? GROUP_MS_MAX;
  }

  get isWritable(): boolean {
    return !this.#isClosed && !this.#isBroken;
  }

  write<T>(story: Story<T>, options: WriteOptions<T> = {}): Promise<T> {
    if (this.#insideStory.getStore()?.isAlive === true) {
      throw new Error("A write inside a story would wait for itself for ever.");
    }
    if (!this.isWritable) return Promise.reject(storageUnavailable());
    const { otherwise } = options;
    return new Promise<T>((resolve, reject) => {
      const answering = (value: T) => () => resolve(value);
      this.#queue.push({
        actor: options.actor ?? SYSTEM,
        requestId: options.requestId ?? null,
        story: async (tx) => answering(await story(tx)),
        otherwise: otherwise ? async (tx, error) => answering(await otherwise(tx, error)) : null,
        refuse: reject,
      });
      this.#schedule();
    });
  }

  /** Resolves when the queue is empty; later writes are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#isDraining) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** A turn of the event loop later, so that every request of this turn joins the group. */
  #schedule(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    setImmediate(() => void this.#drain());
  }

  async #drain(): Promise<void> {
    await this.#commitGroup();
    if (this.#isBroken) {
      for (const job of this.#queue.splice(0)) job.refuse(storageUnavailable());
    }
    if (this.#queue.length > 0) {
      setImmediate(() => void this.#drain());
      return;
    }
    this.#isDraining = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #commitGroup(): Promise<void> {
    const members: Job[] = [];
    const answers: (() => void)[] = [];
    const sequenceBefore = this.#sequence.last;
    const beganAtMs = monotonicMs();
    try {
      this.#connection.command("BEGIN IMMEDIATE");
      const end = beganAtMs + this.#groupMsMax;
      while (members.length < GROUP_SIZE_MAX && monotonicMs() < end) {
        const job = this.#queue.shift();
        if (job === undefined) break;
        members.push(job);
        answers.push(await this.#runMember(job));
      }
      this.#connection.command("COMMIT");
    } catch (error) {
      this.#sequence.last = sequenceBefore;
      this.#failGroup(members, error);
      return;
    }
    for (const answer of answers) answer();
    this.#onCommit({ size: members.length, durationMs: monotonicMs() - beganAtMs });
    if (!this.#isNudged && this.#sequence.last === sequenceBefore) return;
    this.#isNudged = false;
    this.#onAnnounced();
  }

  /** Runs one story, or what takes its place; throws only what ended the whole transaction. */
  async #runMember(job: Job): Promise<() => void> {
    const { otherwise } = job;
    const first = await this.#attempt(job, job.story);
    if ("answer" in first) return first.answer;
    if (otherwise === null) return () => job.refuse(first.error);
    const second = await this.#attempt(job, (tx) => otherwise(tx, first.error));
    return "answer" in second ? second.answer : () => job.refuse(second.error);
  }

  /** What the story wrote is in the group's transaction, or all of it is undone. */
  async #attempt(job: Job, story: Job["story"]): Promise<StoryResult> {
    const tx = new SqliteTx(this.#connection, this.#sequence, {
      now: this.#clock.now(),
      actor: job.actor,
      requestId: job.requestId,
      vault: this.#vault,
      onNudge: () => (this.#isNudged = true),
    });
    try {
      const answer = await this.#insideStory.run(tx, () => story(tx));
      tx.keep();
      return { answer };
    } catch (error) {
      tx.undo();
      return { error };
    }
  }

  #failGroup(members: readonly Job[], error: unknown): void {
    if (isDamage(error)) this.#isBroken = true;
    if (this.#connection.driver.inTransaction) this.#rollback();
    // A group that never began takes the writes that were waiting for it along.
    const failed = members.length > 0 ? members : this.#queue.splice(0, GROUP_SIZE_MAX);
    const told = groupFailure(error);
    for (const job of failed) job.refuse(told);
  }

  /** A transaction that can be neither committed nor undone ends all writing; the file is whole. */
  #rollback(): void {
    try {
      this.#connection.command("ROLLBACK");
    } catch {
      this.#isBroken = true;
    }
  }
}
