// The Tx of SQLite. A guarded one opens a savepoint on its first write, so that it can be undone alone; the others
// save that cost, and are undone with their group, unless all they did was to append rows that wait. It throws when it
// is used after its story ended.

import { newId } from "#kernel/id.ts";
import {
  type Actor,
  type Announcement,
  type HeldRows,
  jsonTextOf,
  run,
  type Statement,
  type Story,
  system,
  type Tx,
  type WriteOptions,
} from "#platform/database/database.ts";
import { hasRow, insertStatement } from "#platform/database/prepared.ts";
import type { RowMemory } from "#platform/database/row-memory.ts";
import { asRows } from "#platform/database/statement-values.ts";
import { events } from "#platform/database/tables.ts";
import type { Vault } from "#platform/vault/vault.ts";

import type { SqliteConnection } from "./connection.ts";
import { isDamage } from "./errors.ts";
import { RETURNS_NONE } from "./statement.ts";
import type { WaitingRows } from "./waiting-rows.ts";

const insertEvent = insertStatement(events);

/** The last sequence of the event log, including the open transaction. */
export interface SequenceMark {
  last: number;
}

interface TxTerms {
  readonly now: number;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly vault: Vault;
  readonly memory: RowMemory;
  readonly waiting: WaitingRows;
  /** True if it can be undone alone. */
  readonly isGuarded: boolean;
  readonly onWake: () => void;
  readonly onScrub: () => void;
}

export class SqliteTx implements Tx, HeldRows {
  readonly now: number;
  readonly actor: Actor;
  readonly vault: Vault;
  readonly memory: RowMemory;
  readonly #requestId: string | null;
  readonly #onWake: () => void;
  readonly #onScrub: () => void;
  readonly #connection: SqliteConnection;
  readonly #sequence: SequenceMark;
  readonly #sequenceBefore: number;
  readonly #waiting: WaitingRows;
  readonly #waitingBefore: number;
  readonly #isGuarded: boolean;
  #isAlive = true;
  #hasSavepoint = false;
  #hasWritten = false;
  /** Set when an error ended the transaction of the whole group; no statement may run after it. */
  #ended: { readonly by: unknown } | null = null;

  constructor(connection: SqliteConnection, sequence: SequenceMark, terms: TxTerms) {
    this.now = terms.now;
    this.actor = terms.actor;
    this.vault = terms.vault;
    this.memory = terms.memory;
    this.#onWake = terms.onWake;
    this.#onScrub = terms.onScrub;
    this.#requestId = terms.requestId;
    this.#isGuarded = terms.isGuarded;
    this.#connection = connection;
    this.#sequence = sequence;
    this.#sequenceBefore = sequence.last;
    this.#waiting = terms.waiting;
    this.#waitingBefore = terms.waiting.mark;
  }

  /** True if the story is still running. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  async [run]<Rows>(statement: Statement<Rows>, values: object): Promise<Rows> {
    return this.#perform(statement, values);
  }

  get held(): HeldRows | undefined {
    return this.#isGuarded ? undefined : this;
  }

  find(save: Statement<unknown>, key: string): object | undefined {
    this.#requireUse();
    return this.#waiting.find(save, key);
  }

  know(save: Statement<unknown>, key: string, row: object): void {
    this.#requireUse();
    this.#waiting.know(save, key, row);
  }

  hold(save: Statement<unknown>, key: string, row: object): void {
    this.#requireUse();
    this.#beforeWrite(save);
    this.#waiting.hold(save, key, row);
  }

  async emit(announcement: Announcement): Promise<void> {
    const { at = this.now } = announcement;
    const sequence = this.#sequence.last + 1;
    const event = {
      id: newId("event", at),
      sequence,
      name: announcement.name,
      subject: announcement.subject,
      actor: this.actor,
      requestId: this.#requestId,
      data: jsonTextOf(announcement.data),
      createdAt: at,
    };
    this.#perform(insertEvent, event);
    // Counted only after the insert succeeded, so that a failed one leaves no gap.
    this.#sequence.last = sequence;
  }

  /** A story sees all that those before it did. */
  alone(): void {
    this.#requireUse();
  }

  wake(): void {
    this.#requireUse();
    this.#onWake();
  }

  scrub(): void {
    this.#requireUse();
    this.#onScrub();
  }

  /** Keeps the story's writes in the group's transaction. Every later use throws. */
  release(): void {
    this.#isAlive = false;
    if (this.#ended !== null) throw this.#ended.by;
    if (this.#hasSavepoint) this.#connection.command("RELEASE story");
  }

  /**
   * Undoes everything the story wrote and announced; `inseparable` if only its whole group can be undone. Every later
   * use throws. Throws if the error ended the whole group's transaction, because the other stories' writes are lost, too.
   */
  undo(): "nothing" | "undone" | "inseparable" {
    this.#isAlive = false;
    this.#sequence.last = this.#sequenceBefore;
    if (this.#ended !== null) throw this.#ended.by;
    if (this.#hasSavepoint) {
      this.#connection.command("ROLLBACK TO story");
      this.#connection.command("RELEASE story");
    }
    const isDropped = this.#waiting.dropFrom(this.#waitingBefore);
    if (isDropped && !this.#hasWritten) return "nothing";
    return this.#isGuarded ? "undone" : "inseparable";
  }

  #perform<Rows>(statement: Statement<Rows>, values: object): Rows {
    this.#requireUse();
    try {
      if (statement.writes) this.#beforeWrite(statement);
      if (statement.appends === true && !this.#isGuarded) {
        this.#waiting.append(statement, values);
        return asRows<Rows>(RETURNS_NONE);
      }
      this.#waiting.writeBefore(statement, values);
      const rows = this.#connection.run(statement, values);
      if (statement.writes) this.#hasWritten ||= mayHaveWritten(rows);
      return rows;
    } catch (error) {
      throw this.#recordFailure(error);
    }
  }

  #beforeWrite(statement: Statement<unknown>): void {
    this.memory.beforeChangeOf(this.#connection.ready(statement).table);
    this.#guard();
  }

  #guard(): void {
    if (this.#hasSavepoint || !this.#isGuarded) return;
    this.#connection.command("SAVEPOINT story");
    this.#hasSavepoint = true;
  }

  #requireUse(): void {
    if (!this.#isAlive) throw new Error("A transaction's handle was used after its story ended.");
    if (this.#ended !== null) throw this.#ended.by;
  }

  /**
   * A full disk rolls back the transaction, and a later statement would commit on its own
   * (sqlite.org/lang_transaction). After damage to the file nothing more may be written either.
   */
  #recordFailure(error: unknown): unknown {
    if (isDamage(error) || !this.#connection.driver.inTransaction) this.#ended = { by: error };
    return error;
  }
}

/** A write that returns rows wrote none where it returned none. */
function mayHaveWritten(returned: unknown): boolean {
  return returned === RETURNS_NONE || hasRow(returned);
}

/** Runs the story; the returned function acknowledges it after the commit. */
type Run = (tx: Tx) => Promise<() => void>;

/** A story that waits for its group, with what becomes of its caller. */
export interface QueuedStory {
  readonly story: Run;
  readonly otherwise: ((tx: Tx, error: unknown) => Promise<() => void>) | null;
  readonly actor: Actor;
  readonly requestId: string | null;
  refuse(error: unknown): void;
}

/** Resolves or rejects once the story is acknowledged or refused; `queue` takes it. */
export function queuedStory<T>(
  story: Story<T>,
  { actor = system, requestId, otherwise }: WriteOptions<T>,
  queue: (queued: QueuedStory) => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const answering = (value: T) => () => resolve(value);
    queue({
      actor,
      requestId: requestId ?? null,
      story: async (tx) => answering(await story(tx)),
      otherwise: otherwise ? async (tx, error) => answering(await otherwise(tx, error)) : null,
      refuse: reject,
    });
  });
}
