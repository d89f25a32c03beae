// Runs stories on PostgreSQL, many at once, each in a transaction on its own connection. Invariant:
// no story is acknowledged before its commit, and a story that conflicts with another one runs
// again from its start.

import { AsyncLocalStorage } from "node:async_hooks";

import { randomShare } from "#kernel/random.ts";
import { type Clock, monotonicMs } from "#kernel/time.ts";
import {
  type Actor,
  type Commit,
  type Story,
  WriteConflict,
  type WriteOptions,
} from "#platform/database/database.ts";
import { storageUnavailable } from "#platform/database/errors.ts";
import type { Vault } from "#platform/vault/vault.ts";

import { isConflict } from "./errors.ts";
import { PostgresLink } from "./link.ts";
import type { PostgresServer } from "./server.ts";
import { PostgresTx } from "./transaction.ts";

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

const SYSTEM: Actor = { type: "system", id: null };

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
    const written = this.#write(story, options);
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
      const link = new PostgresLink(await this.#server.reserve(), ANSWER_MS_MAX);
      try {
        const { value, needsWake } = await this.#perform(link, story, options);
        this.#options.onCommit?.({ size: 1, durationMs: monotonicMs() - beganAtMs });
        if (needsWake) this.#options.onAnnounced();
        return value;
      } catch (error) {
        if (link.isLost) await this.#server.reconnect();
        if (!isConflict(error)) throw error;
        if (attempt === ATTEMPTS_MAX) throw finalErrorOf(error);
      } finally {
        await link.release();
        if (link.unanswered !== null) void this.#server.setAside(link.unanswered);
      }
      await Bun.sleep(Math.min(PAUSE_MS * 2 ** (attempt - 1), PAUSE_MS_MAX) * randomShare());
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
    const tx = new PostgresTx(link, {
      now: this.#options.clock.now(),
      actor: options.actor ?? SYSTEM,
      requestId: options.requestId ?? null,
      vault: this.#options.vault,
    });
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
}

/** Contention passes, so the caller may retry. A key that breaks on every attempt is a bug. */
function finalErrorOf(error: unknown): unknown {
  if (!(error instanceof WriteConflict)) return error;
  const refusal = storageUnavailable({ headers: { "Retry-After": "1" } });
  refusal.cause = error;
  return refusal;
}
