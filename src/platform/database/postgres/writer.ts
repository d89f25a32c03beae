// Stories on PostgreSQL: each in a transaction and on a connection of its own, many at once. Invariant:
// nobody is told yes before the commit; a story that another one overtook runs again from its start.

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

import { isLostRace } from "./errors.ts";
import { PostgresLink } from "./link.ts";
import type { PostgresServer } from "./server.ts";
import { PostgresTx } from "./transaction.ts";

/** How often a story runs at most, and the longest wait before its first repetition, milliseconds. */
const ATTEMPTS_MAX = 16;
const PAUSE_MS = 4;
/** No later wait is longer: of those who crowd at one row, each attempt lets one through. */
const PAUSE_MS_MAX = 256;
/** How long a story waits for one answer, milliseconds: longer than for a lock. */
const PATIENCE_MS = 30_000;

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
      throw new Error("A write inside a story would wait for itself for ever.");
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

  /** Resolves when what runs has ended; later writes are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#running);
  }

  async #write<T>(story: Story<T>, options: WriteOptions<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const beganAtMs = monotonicMs();
      const link = new PostgresLink(await this.#server.reserve(), PATIENCE_MS);
      try {
        const { value, isHeard } = await this.#perform(link, story, options);
        this.#options.onCommit?.({ size: 1, durationMs: monotonicMs() - beganAtMs });
        if (isHeard) this.#options.onAnnounced();
        return value;
      } catch (error) {
        if (link.isLost) await this.#server.lost();
        if (!isLostRace(error)) throw error;
        if (attempt === ATTEMPTS_MAX) throw toldOf(error);
      } finally {
        await link.release();
      }
      await Bun.sleep(Math.min(PAUSE_MS * 2 ** (attempt - 1), PAUSE_MS_MAX) * randomShare());
    }
  }

  /** Runs the story, or what takes its place; throws what the caller is told, or what calls for another try. */
  async #perform<T>(link: PostgresLink, story: Story<T>, options: WriteOptions<T>) {
    const { otherwise } = options;
    try {
      return await this.#transact(link, story, options);
    } catch (error) {
      if (otherwise === undefined || link.isLost || isLostRace(error)) throw error;
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
      // What the story made of a failure that it did not wait for is of no weight.
      throw link.failure ?? error;
    }
    await tx.commit();
    return { value, isHeard: tx.isHeard };
  }
}

/** Too many want the same row: that passes. A key that is broken each time is a fault of ours. */
function toldOf(error: unknown): unknown {
  if (!(error instanceof WriteConflict)) return error;
  const refusal = storageUnavailable({ headers: { "Retry-After": "1" } });
  refusal.cause = error;
  return refusal;
}
