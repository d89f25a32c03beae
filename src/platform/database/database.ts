// What the rest of the house knows of a database: a Reader, a Tx and a Store. The two handles carry
// the power of whoever holds them; neither can open a transaction or run free-form SQL.

import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";

import type { Vault } from "#platform/vault/vault.ts";

/** The calls of drizzle that statements are built with; PostgreSQL's types on both engines. */
export type Builder = Pick<
  PgDatabase<PgQueryResultHKT>,
  "select" | "selectDistinct" | "insert" | "update" | "delete"
>;

/** A statement before it is prepared, as every drizzle builder is. */
export interface Preparable<Rows> {
  prepare(name: string): { execute(values?: Record<string, unknown>): Promise<Rows> };
}

/** A statement to be prepared once per connection; the object itself is its identity. */
export interface Statement<Rows> {
  readonly writes: boolean;
  /** Rows that nobody else changes until the transaction that read them ends. */
  readonly locks?: boolean;
  build(builder: Builder): Preparable<Rows>;
}

/**
 * How a handle runs a prepared statement or a piece of engine's own SQL; only this folder calls it, and a
 * handle that stands for another one passes it on.
 */
export const run: unique symbol = Symbol("run");

/** May read. A Reader of `store.read` sees committed rows only. */
export interface Reader {
  [run]<Rows>(statement: Statement<Rows>, values: object): Promise<Rows>;
}

/** Who acts: the key of a request, a schedule of ours, or the operator at the command line. */
export interface Actor {
  readonly type: "api_key" | "system" | "operator";
  readonly id: string | null;
}

/** A fact for the world: `data` is the payload as the wire has it. */
export interface Announcement {
  readonly name: string;
  /** The id of what it is about; its timeline is read by it. */
  readonly subject: string;
  readonly data: unknown;
}

/**
 * May read, write and announce, inside one transaction. Every use after the end of its story
 * throws. Invariant: what is emitted is committed with what was written, or not at all.
 */
export interface Tx extends Reader {
  /** The shop's time, frozen for the whole story, epoch milliseconds. */
  readonly now: number;
  readonly actor: Actor;
  /** Seals what must stay readable to us and to nobody who copies the database. */
  readonly vault: Vault;
  emit(announcement: Announcement): Promise<void>;
  /** After the commit, whoever follows the shop looks whether there is something to do. */
  wake(): void;
}

/**
 * What a story read was changed by another one before it could write. Where several run at once the
 * store runs the story again, and it sees the change; one that is always overtaken fails with this.
 */
export class WriteConflict extends Error {
  constructor(what: string) {
    super(`${what} was changed by somebody else meanwhile.`);
    this.name = "Overtaken";
  }
}

/** A piece of work in one transaction, which may run more than once. Throwing undoes all of it; returning commits. */
export type Story<T> = (tx: Tx) => Promise<T>;

export interface WriteOptions<T> {
  readonly actor?: Actor;
  readonly requestId?: string;
  /**
   * Runs when the story threw, after everything it wrote was undone and in the same commit; what it
   * returns takes the place of the story's result, what it throws is told to the caller.
   */
  readonly otherwise?: (tx: Tx, error: unknown) => Promise<T>;
}

/** What one commit took. */
export interface Commit {
  /** Stories that shared it. */
  readonly size: number;
  readonly durationMs: number;
}

/** One mode's database. */
export interface Database {
  readonly read: Reader;
  /** Runs reads that belong together: all of them see what was committed at one moment. */
  readTogether<T>(reads: (db: Reader) => Promise<T>): Promise<T>;
  readonly vault: Vault;
  /** Whether other programs write to it, too. */
  readonly isShared: boolean;
  /** The home of this program, by which its leases are known; of all who share it, nobody else's. */
  readonly home: string;
  /** Names of work that this program does now and that nothing else in it may begin, too. */
  readonly inProgress: Set<string>;
  /** Runs the story, alone or guarded against its neighbors; resolves only when its commit is durable. */
  write<T>(story: Story<T>, options?: WriteOptions<T>): Promise<T>;
  /** Whether writes are taken: not after the file or its disk failed, until the next start. */
  isWritable(): boolean;
  /** Bytes of the database, and of what is not yet written back into it. */
  sizes(): Promise<{ readonly database: number; readonly log: number }>;
  /** Calls back after each commit that announced something, or nudged. Returns how to stop it. */
  onAnnounced(listener: () => void): () => void;
  /** Finishes queued writes and closes the files. */
  close(): Promise<void>;
}

/** A database under audit. Disposing it ends the snapshot. */
export interface VerifiedDatabase extends AsyncDisposable {
  /** Sees what was committed when the database was opened, and nothing later. */
  readonly reader: Reader;
  /** What the engine itself finds wrong: broken pages and indexes, rows that point nowhere. */
  faults(): string[];
}
