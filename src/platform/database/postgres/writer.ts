// Runs stories on PostgreSQL, many at once, each in a transaction on its own connection; those that may share one run
// in groups. Invariant: no story is acknowledged before its commit, and a story that conflicts with another one runs
// again from its start, which a story of a group does alone.

import { AsyncLocalStorage } from "node:async_hooks";

import { randomShare } from "#kernel/random.ts";
import { type Clock, monotonicMs } from "#kernel/time.ts";
import {
  type Commit,
  type Story,
  system,
  WriteConflict,
  type WriteOptions,
} from "#platform/database/database.ts";
import { storageUnavailable } from "#platform/database/errors.ts";
import type { Vault } from "#platform/vault/vault.ts";

import { isConflict, UnansweredCommit } from "./errors.ts";
import { PostgresLink } from "./link.ts";
import { Rounds } from "./rounds.ts";
import type { PostgresServer } from "./server.ts";
import { commitWith, PostgresTx, type SharedRounds } from "./transaction.ts";

/** How often a story runs at most, and the longest wait before the first retry, milliseconds. */
const ATTEMPTS_MAX = 16;
const PAUSE_MS = 4;
/**
 * The longest wait before any retry: of the stories that contend for one row, each round lets one
 * through.
 */
const PAUSE_MS_MAX = 256;
/** How long a story waits for one response, milliseconds: longer than the lock timeout. */
const ANSWER_MS_MAX = 30_000;
/**
 * How long a group waits for a lock: all that come later wait with it, also those that need none. Its stories then run
 * alone, and only those wait longer that need the lock.
 */
const GROUP_LOCK_MS = 500;
/** Stories that share a transaction: enough to share its cost, few enough to keep the locks short. */
const GROUP_SIZE_MAX = 32;
/** How long stories run alone after a group was undone, milliseconds: at first, and if the next one is undone as well. */
const ALONE_MS = 100;
const ALONE_MS_MAX = 5_000;

/** A story that waits for a group, with what becomes of its caller. */
interface Member {
  readonly options: Pick<WriteOptions<unknown>, "actor" | "requestId">;
  /** Runs the story; the returned function answers its caller. */
  readonly run: (tx: PostgresTx) => Promise<() => void>;
  /** Runs it in a transaction of its own and answers its caller. */
  readonly runAlone: () => void;
  readonly refuse: (error: unknown) => void;
}

/** A member whose story has ended; null instead of the answer if it has to run alone. */
interface EndedMember {
  readonly member: Member;
  readonly tx: PostgresTx;
  readonly answer: (() => void) | null;
}

export interface PostgresWriterOptions {
  readonly clock: Clock;
  readonly vault: Vault;
  readonly onAnnounced: () => void;
  readonly onCommit?: (commit: Commit) => void;
}

export class PostgresWriter {
  readonly #server: PostgresServer;
  readonly #options: PostgresWriterOptions;
  readonly #insideStory = new AsyncLocalStorage<PostgresTx>();
  readonly #running = new Set<Promise<unknown>>();
  #waiting: Member[] = [];
  #isGrouping = false;
  #aloneUntilMs = 0;
  #aloneMs = ALONE_MS;
  #isClosed = false;

  constructor(server: PostgresServer, options: PostgresWriterOptions) {
    this.#server = server;
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  write<T>(story: Story<T>, options: WriteOptions<T> = {}): Promise<T> {
    if (this.#insideStory.getStore()?.isAlive === true) {
      throw new Error("A write inside a story would never end; pass the story's Tx on.");
    }
    if (this.#isClosed) return Promise.reject(storageUnavailable());
    const written =
      options.mayShare === true ? this.#join(story, options) : this.#write(story, options);
    const running: Promise<unknown> = written.then(
      () => this.#running.delete(running),
      () => this.#running.delete(running),
    );
    this.#running.add(running);
    return written;
  }

  /** Resolves when running stories have ended; later writes are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#running);
  }

  async #write<T>(story: Story<T>, options: WriteOptions<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const beganAtMs = monotonicMs();
      try {
        const { value, needsWake } = await this.#onConnection((link) =>
          this.#perform(link, story, options),
        );
        this.#options.onCommit?.({ size: 1, durationMs: monotonicMs() - beganAtMs });
        if (needsWake) this.#options.onAnnounced();
        return value;
      } catch (error) {
        if (!isConflict(error)) throw error;
        if (attempt === ATTEMPTS_MAX) throw finalErrorOf(error);
      }
      await Bun.sleep(Math.min(PAUSE_MS * 2 ** (attempt - 1), PAUSE_MS_MAX) * randomShare());
    }
  }

  /** Runs the work on a connection, which then goes back to the pool. */
  async #onConnection<T>(work: (link: PostgresLink) => Promise<T>): Promise<T> {
    const link = new PostgresLink(await this.#server.reserve(), ANSWER_MS_MAX);
    try {
      return await work(link);
    } catch (error) {
      if (link.isLost) await this.#server.reconnect();
      throw error;
    } finally {
      await link.release();
      if (link.unanswered !== null) void this.#server.setAside(link.unanswered);
    }
  }

  /**
   * Runs the story, or its `otherwise`. Throws the caller's error, or a conflict that calls for a
   * retry.
   */
  async #perform<T>(link: PostgresLink, story: Story<T>, options: WriteOptions<T>) {
    const { otherwise } = options;
    try {
      return await this.#transact(link, story, options);
    } catch (error) {
      if (otherwise === undefined || link.isLost || isConflict(error)) throw error;
      return this.#transact(link, (tx) => otherwise(tx, error), options);
    }
  }

  async #transact<T>(link: PostgresLink, story: Story<T>, options: WriteOptions<T>) {
    link.begin();
    const tx = this.#newTx(link, options);
    let value: T;
    try {
      value = await this.#insideStory.run(tx, () => story(tx));
    } catch (error) {
      await tx.undo();
      // A failed statement outranks the error that the story made of it.
      throw link.failure ?? error;
    }
    await tx.commit();
    return { value, needsWake: tx.needsWake };
  }

  #newTx(
    link: PostgresLink,
    { actor = system, requestId }: Member["options"],
    shared?: SharedRounds,
  ): PostgresTx {
    const now = this.#options.clock.now();
    const { vault } = this.#options;
    return new PostgresTx(link, {
      now,
      actor,
      requestId: requestId ?? null,
      vault,
      ...(shared && { shared }),
    });
  }

  /** Queues the story for the next group; all of one turn of the event loop get into one. */
  #join<T>(story: Story<T>, options: WriteOptions<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.push({
      options,
      run: async (tx) => {
        const value = await story(tx);
        return () => resolve(value);
      },
      runAlone: () => void this.#write(story, options).then(resolve, reject),
      refuse: reject,
    });
    if (!this.#isGrouping) {
      this.#isGrouping = true;
      setImmediate(() => void this.#runGroups());
    }
    return promise;
  }

  async #runGroups(): Promise<void> {
    while (this.#waiting.length > 0) {
      const members = this.#waiting.splice(0, GROUP_SIZE_MAX);
      const isAlone = members.length === 1 || monotonicMs() < this.#aloneUntilMs;
      if (isAlone) for (const { runAlone } of members) runAlone();
      else await this.#runGroup(members);
    }
    this.#isGrouping = false;
  }

  /** Answers or refuses every member, or runs it alone. */
  async #runGroup(members: readonly Member[]): Promise<void> {
    const beganAtMs = monotonicMs();
    let ended: readonly EndedMember[];
    try {
      ended = await this.#onConnection((link) => this.#share(link, members));
    } catch (error) {
      for (const { refuse } of members) refuse(error);
      return;
    }
    const committed = ended.filter(({ answer }) => answer !== null);
    const durationMs = monotonicMs() - beganAtMs;
    if (committed.length > 0) this.#options.onCommit?.({ size: committed.length, durationMs });
    if (committed.some(({ tx }) => tx.needsWake)) this.#options.onAnnounced();
    for (const { member, answer } of ended) (answer ?? member.runAlone)();
  }

  /** Members with an answer are committed. Throws if it is not known whether they are. */
  async #share(link: PostgresLink, members: readonly Member[]): Promise<readonly EndedMember[]> {
    const ended = await this.#runTogether(link, members);
    try {
      await commitGroup(link, ended);
      this.#aloneMs = ALONE_MS;
      return ended;
    } catch (error) {
      if (link.isLost || error instanceof UnansweredCommit) throw error;
      this.#aloneUntilMs = monotonicMs() + this.#aloneMs;
      this.#aloneMs = Math.min(this.#aloneMs * 2, ALONE_MS_MAX);
      return ended.map((one) => ({ ...one, answer: null }));
    }
  }

  async #runTogether(link: PostgresLink, members: readonly Member[]): Promise<EndedMember[]> {
    link.begin();
    link.send(`SET LOCAL lock_timeout = ${GROUP_LOCK_MS}`);
    const rounds = new Rounds(link);
    const ended = Promise.all(
      members.map(async (member, story) => {
        const tx = this.#newTx(link, member.options, { rounds, story });
        try {
          const answer = await this.#insideStory.run(tx, () => member.run(tx));
          return { member, tx, answer: tx.hasLeft ? null : answer };
        } catch {
          // Alone it throws again, to its caller.
          return { member, tx, answer: null };
        } finally {
          tx.end();
        }
      }),
    );
    await rounds.runUntil(ended);
    return ended;
  }
}

/** Commits the stories that ended well. Throws, and nothing is written, if another one wrote or a statement failed. */
async function commitGroup(link: PostgresLink, ended: readonly EndedMember[]): Promise<void> {
  const isBroken = link.failure !== null;
  if (isBroken || ended.some(({ answer, tx }) => answer === null && tx.hasWritten)) {
    link.send("ROLLBACK");
    await link.settled();
    throw link.failure ?? new WriteConflict("The group");
  }
  const events = ended.flatMap(({ answer, tx }) => (answer === null ? [] : tx.events));
  await commitWith(link, events);
}

/** Contention passes, so the caller may retry. A key that breaks on every attempt is a bug. */
function finalErrorOf(error: unknown): unknown {
  if (!(error instanceof WriteConflict)) return error;
  const refusal = storageUnavailable({ headers: { "Retry-After": "1" } });
  refusal.cause = error;
  return refusal;
}
