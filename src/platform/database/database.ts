// The interfaces of a database: Reader, Tx and Database, implemented by both engines. A Reader can
// only read and a Tx can also write; neither can open a transaction or run free-form SQL.

import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";

import type { Difference } from "#kernel/difference.ts";
import type { Vault } from "#platform/vault/vault.ts";

import type { RowMemory } from "./row-memory.ts";

/** The drizzle calls that statements are built with; both engines use PostgreSQL's types. */
export type Builder = Pick<
  PgDatabase<PgQueryResultHKT>,
  "select" | "selectDistinct" | "insert" | "update" | "delete"
>;

/** A statement before it is prepared; every drizzle builder has this shape. */
export interface Preparable<Rows> {
  prepare(name: string): { execute(values?: Record<string, unknown>): Promise<Rows> };
}

/**
 * The things that stories which share a transaction write, in the order in which every story locks it, so that no two
 * wait for each other. `src/invariants.md` has the whole order.
 */
export const lockPlaces = ["customer", "variant", "stock", "number", "timer"] as const;

/** A statement, prepared once per connection. Engines cache it by object identity. */
export interface Statement<Rows> {
  readonly writes: boolean;
  /** True if the rows it reads stay locked until the transaction ends: for it alone, or against changes. */
  readonly locks?: "alone" | "shared";
  /** True if it inserts one whole row and returns nothing. Such a row may wait until something reads its table. */
  readonly appends?: boolean;
  /** True if its caller asks only if it wrote a row: the row that it returns says nothing else. */
  readonly confirms?: boolean;
  /**
   * The place of its rows in the order of locks. It checks as it writes, so that stories which share a transaction may
   * run it.
   */
  readonly lockPlace?: (typeof lockPlaces)[number];
  /**
   * The column of its only table that selects its rows: it reads and changes no row but those whose value there is the
   * one that it is given under the column's name, or one of those given.
   */
  readonly by?: string;
  build(builder: Builder): Preparable<Rows>;
}

/**
 * Runs a prepared statement. A symbol, because only this folder's modules may call it; a handle that
 * wraps another one passes the call on.
 */
export const run: unique symbol = Symbol("run");

/** Can read. `database.read` sees committed rows only. */
export interface Reader {
  [run]<Rows>(statement: Statement<Rows>, values: object): Promise<Rows>;
  /** Opens what is sealed in the rows. The reader of an audit or a copy opens nothing. */
  readonly vault: Vault;
  /** The rows that need no reading; absent where others may change the rows at any time. */
  readonly memory?: RowMemory;
}

export const actorTypes = ["api_key", "person", "system", "operator", "gateway"] as const;

/**
 * Who acts: the API key of a request, the person at the dashboard, the server itself, or the operator at the
 * command line.
 */
export interface Actor {
  readonly type: (typeof actorTypes)[number];
  readonly id: string | null;
  /** That of a person, who may have been removed since; keys are found by their id. */
  readonly name?: string;
}

/** The server itself. */
export const system: Actor = { type: "system", id: null };

/** The operator at the command line. */
export const operator: Actor = { type: "operator", id: null };

/** A value that was written as JSON text already, so that it is not built and printed once more. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The JSON text of the value, which is none of the values that JSON leaves out. */
export function jsonTextOf(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError("An event needs a payload.");
  return text;
}

/** An event to be appended to the event log; `data` is the payload in the form of the wire, or its `JsonText`. */
export interface Announcement {
  readonly name: string;
  /** The id of the resource that the event is about. Timelines are read by it. */
  readonly subject: string;
  readonly data: unknown;
  /** Epoch milliseconds; the transaction's time unless a story retells an earlier one. */
  readonly at?: number;
}

/**
 * Rows that story after story of a group changes, such as the stock of what sells. The changes are held in memory, and
 * the last of each row is written with the group, or before a statement that reads or changes the row's table.
 */
export interface HeldRows {
  /** The row as the stories so far left it; undefined if it is not known. */
  find(save: Statement<unknown>, key: string): object | undefined;
  /** The row as a statement of this story has just written it. */
  know(save: Statement<unknown>, key: string, row: object): void;
  /** `save` is given the row, and returns one if it wrote it. */
  hold(save: Statement<unknown>, key: string, row: object): void;
}

/**
 * Can read, write and announce events inside one transaction. Every use after the end of the story
 * throws. Invariant: events commit together with the rows that were written, or not at all.
 */
export interface Tx extends Reader {
  /** The shop's time, fixed for the whole story, epoch milliseconds. */
  readonly now: number;
  readonly actor: Actor;
  /** True if all that the story writes is undone at its end, so that it needs no index. */
  readonly isTrial?: boolean;
  emit(announcement: Announcement): Promise<void>;
  /** Absent where every change is written at once. */
  readonly held?: HeldRows | undefined;
  /**
   * Says that the story decides on what other stories of its transaction may change meanwhile, so that it needs one of
   * its own. If it is called before the story writes, it costs those others nothing.
   */
  alone(): void;
  /** Wakes the database's listeners after the commit, even if the story announces no event. */
  wake(): void;
  /**
   * Tells the engine that the story deletes personal data. Soon after the commit it is no longer in
   * the bytes of the database's files, as far as the engine can do that.
   */
  scrub(): void;
}

/**
 * Another story changed a row between this story's read and its write. On an engine that runs
 * stories concurrently, the story runs again and reads the change; if it conflicts every time, the
 * caller gets this error.
 */
export class WriteConflict extends Error {
  constructor(what: string) {
    super(`${what} was changed by a concurrent story.`);
    this.name = "WriteConflict";
  }
}

/**
 * Work in one transaction. It may run more than once, so it has no effects outside its Tx. Throwing
 * rolls back, returning commits.
 */
export type Story<T> = (tx: Tx) => Promise<T>;

export interface WriteOptions<T> {
  readonly actor?: Actor;
  readonly requestId?: string;
  /**
   * On PostgreSQL, whether it may share its transaction, and so its commit, with other such stories. Once it calls
   * `alone`, or locks rows to decide on them, it runs again in one of its own. It awaits nothing but its Tx: the others
   * wait with it.
   */
  readonly mayShare?: boolean;
  /**
   * Runs after the story threw and its writes were undone, in the same transaction. Its result
   * replaces the story's result; an error that it throws is passed to the caller.
   */
  readonly otherwise?: (tx: Tx, error: unknown) => Promise<T>;
}

/** One commit, for metrics. */
export interface Commit {
  /** How many stories shared the commit. */
  readonly size: number;
  readonly durationMs: number;
}

/** The database of one mode. */
export interface Database {
  readonly read: Reader;
  /** Runs several reads on one snapshot: all of them see the same committed state. */
  readTogether<T>(reads: (db: Reader) => Promise<T>): Promise<T>;
  readonly vault: Vault;
  /** True if other programs write to the same database. */
  readonly isShared: boolean;
  /**
   * Identifies the data directory of this program; leases are held under it. Unique among the
   * programs that share a database.
   */
  readonly home: string;
  /** Names of work in progress in this program, and how often each is. */
  readonly inProgress: Map<string, number>;
  /** Runs the story, isolated from concurrent ones; resolves once its commit is durable. */
  write<T>(story: Story<T>, options?: WriteOptions<T>): Promise<T>;
  /**
   * True if writes are accepted. False until the next start after the file or its disk failed, and
   * while another file is in its place, or none.
   */
  isWritable(): boolean;
  /** Size in bytes of the database, and of its write-ahead log. */
  sizes(): Promise<{ readonly database: number; readonly log: number }>;
  /**
   * Calls back after each commit that announced an event or called `wake`. Returns the function
   * that unsubscribes.
   */
  onAnnounced(listener: () => void): () => void;
  /**
   * Closes the file between two commits, runs the work on it, and opens it again: what the work leaves there is the
   * database from then on. Absent where the database is no file.
   */
  readonly whileClosed?: (work: (path: string) => void) => Promise<void>;
  /** Finishes queued writes and closes the connections. */
  close(): Promise<void>;
}

/** The state that was committed when the database was opened. Disposing it ends the snapshot. */
export interface Snapshot extends AsyncDisposable {
  readonly reader: Reader;
}

/** A database opened for an audit. */
export interface VerifiedDatabase extends Snapshot {
  /** Faults the engine itself detects: broken pages and indexes, and dangling references. */
  faults(): string[];
  /** Tables, triggers and views that this program's migrations did not make, or not so. */
  schemaDifferences(): Difference[];
}
