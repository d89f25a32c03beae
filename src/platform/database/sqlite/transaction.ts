// A transaction's handle on SQLite. It opens its savepoint with its first write, so a story that
// only reads and refuses costs none, and it throws when it is used after its story ended.

import { newId } from "#kernel/id.ts";
import {
  type Actor,
  type Announcement,
  run,
  type Statement,
  type Tx,
} from "#platform/database/database.ts";
import { isDamage } from "#platform/database/errors.ts";
import { insertStatement } from "#platform/database/prepared.ts";
import { events } from "#platform/database/tables.ts";
import type { Vault } from "#platform/vault/vault.ts";

import type { SqliteConnection } from "./connection.ts";

const insertEvent = insertStatement(events);

/** The last number of the event log, as far as the open transaction has come. */
export interface SequenceMark {
  last: number;
}

export interface TxTerms {
  readonly now: number;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly vault: Vault;
  readonly onNudge: () => void;
}

export class SqliteTx implements Tx {
  readonly now: number;
  readonly actor: Actor;
  readonly vault: Vault;
  readonly #requestId: string | null;
  readonly #onNudge: () => void;
  readonly #connection: SqliteConnection;
  readonly #sequence: SequenceMark;
  readonly #sequenceBefore: number;
  #isAlive = true;
  #hasSavepoint = false;
  /** Set when an error ended the transaction of the whole group: nothing may run after it. */
  #ended: { readonly by: unknown } | null = null;

  constructor(connection: SqliteConnection, sequence: SequenceMark, terms: TxTerms) {
    this.now = terms.now;
    this.actor = terms.actor;
    this.vault = terms.vault;
    this.#onNudge = terms.onNudge;
    this.#requestId = terms.requestId;
    this.#connection = connection;
    this.#sequence = sequence;
    this.#sequenceBefore = sequence.last;
  }

  /** Whether the story still runs. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  async [run]<Rows>(statement: Statement<Rows>, values: object): Promise<Rows> {
    return this.#perform(statement, values);
  }

  async emit(announcement: Announcement): Promise<void> {
    const sequence = this.#sequence.last + 1;
    const event = {
      id: newId("event", this.now),
      sequence,
      name: announcement.name,
      subject: announcement.subject,
      actor: this.actor,
      requestId: this.#requestId,
      data: JSON.stringify(announcement.data),
      createdAt: this.now,
    };
    this.#perform(insertEvent, event);
    // Only now, and in the same turn: an event that could not be kept leaves no gap.
    this.#sequence.last = sequence;
  }

  wake(): void {
    this.#requireUse();
    this.#onNudge();
  }

  /** Keeps what was written in the group's transaction. From here on every use throws. */
  keep(): void {
    this.#isAlive = false;
    if (this.#ended !== null) throw this.#ended.by;
    if (this.#hasSavepoint) this.#connection.command("RELEASE story");
  }

  /**
   * Undoes everything written and announced, and from here on every use throws. Throws when more
   * than the story is undone, since the neighbors have lost theirs too.
   */
  undo(): void {
    this.#isAlive = false;
    this.#sequence.last = this.#sequenceBefore;
    if (this.#ended !== null) throw this.#ended.by;
    if (!this.#hasSavepoint) return;
    this.#connection.command("ROLLBACK TO story");
    this.#connection.command("RELEASE story");
  }

  #perform<Rows>(statement: Statement<Rows>, values: object): Rows {
    this.#requireUse();
    try {
      if (statement.writes) this.#openSavepoint();
      return this.#connection.run(statement, values);
    } catch (error) {
      throw this.#noted(error);
    }
  }

  #openSavepoint(): void {
    if (this.#hasSavepoint) return;
    this.#connection.command("SAVEPOINT story");
    this.#hasSavepoint = true;
  }

  #requireUse(): void {
    if (!this.#isAlive) throw new Error("A transaction's handle was used after its story ended.");
    if (this.#ended !== null) throw this.#ended.by;
  }

  /**
   * A full disk ends the transaction by itself, and a statement that ran after it would commit on
   * its own (sqlite.org/lang_transaction). Damage ends it too: nothing may be built on it.
   */
  #noted(error: unknown): unknown {
    if (isDamage(error) || !this.#connection.driver.inTransaction) this.#ended = { by: error };
    return error;
  }
}
