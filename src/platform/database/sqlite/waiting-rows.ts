// Rows that the stories of a group append, such as orders, movements and events. They wait, and are written together:
// between the stories' own work each would find the processor's caches cold, at twice the cost. What reads or changes
// one of their tables has them written first, so that no story can tell.

import type { Statement } from "#platform/database/database.ts";
import { translateError } from "#platform/database/errors.ts";

import type { SqliteConnection } from "./connection.ts";
import { changedTable, type ReadyStatement } from "./statement.ts";

interface WaitingRow {
  /** Its place among all that were appended since the transaction began. */
  readonly place: number;
  readonly values: object;
  readonly ready: ReadyStatement;
  readonly bound: readonly unknown[];
}

export class WaitingRows {
  readonly #connection: SqliteConnection;
  readonly #rows = new Map<string, WaitingRow[]>();
  /** For each table those that its rows refer to. */
  readonly #parents = new Map<string, readonly string[]>();
  #appended = 0;
  /** The places below are those of rows that were written. */
  #written = 0;
  #hasFailed = false;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** The place of the next row. */
  get mark(): number {
    return this.#appended;
  }

  /** Whether a row that waited could not be written: which story it belongs to is not known. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** The row of a statement that appends. */
  add(statement: Statement<unknown>, values: object): void {
    const ready = this.#connection.ready(statement);
    const row = { place: this.#appended, values, ready, bound: ready.bind(values) };
    const table = changedTable(statement) ?? "";
    const rows = this.#rows.get(table);
    if (rows === undefined) this.#rows.set(table, [row]);
    else rows.push(row);
    this.#appended += 1;
  }

  /** Writes the rows if the statement may read one of them, or write a row that refers to one. */
  writeBefore(statement: Statement<unknown>, values: object): void {
    if (this.#written === this.#appended) return;
    const { words } = this.#connection.ready(statement);
    const refersTo = statement.writes ? this.#parentsOf(changedTable(statement)) : [];
    for (const [table, rows] of this.#rows) {
      if (!words.has(table) && !refersTo.includes(table)) continue;
      if (statement.isMatch === true && !rows.some((row) => hasValues(row.values, values)))
        continue;
      return this.write();
    }
  }

  /** Writes all rows, table by table: a statement that is run many times in a row costs the least. */
  write(): void {
    const tables = [...this.#rows.keys()];
    const rows = this.#parentsFirst(tables).flatMap((table) => this.#rows.get(table) ?? []);
    this.#rows.clear();
    this.#written = this.#appended;
    try {
      for (const { ready, bound } of rows) ready.run(bound);
    } catch (error) {
      this.#hasFailed = true;
      throw translateError(error);
    }
  }

  /** Drops the rows from this place on; returns false if one of them was written already. */
  dropFrom(place: number): boolean {
    if (place < this.#written) return false;
    for (const [table, rows] of this.#rows) {
      const left = rows.filter((row) => row.place < place);
      if (left.length > 0) this.#rows.set(table, left);
      else this.#rows.delete(table);
    }
    this.#appended = place;
    return true;
  }

  /** A transaction begins. */
  clear(): void {
    this.#rows.clear();
    this.#appended = 0;
    this.#written = 0;
    this.#hasFailed = false;
  }

  #parentsFirst(tables: readonly string[]): string[] {
    const sorted = new Set<string>();
    const seen = new Set<string>();
    const visit = (table: string) => {
      if (seen.has(table)) return;
      seen.add(table);
      for (const parent of this.#parentsOf(table)) if (tables.includes(parent)) visit(parent);
      sorted.add(table);
    };
    for (const table of tables) visit(table);
    return [...sorted];
  }

  #parentsOf(table: string | null): readonly string[] {
    if (table === null) return [];
    const known = this.#parents.get(table);
    if (known !== undefined) return known;
    const keys = this.#connection.command(`SELECT "table" FROM pragma_foreign_key_list(?)`, table);
    const made = keys.map((key) => String(key["table"]));
    this.#parents.set(table, made);
    return made;
  }
}

function hasValues(row: object, values: object): boolean {
  for (const name in values) {
    if (Reflect.get(row, name) !== Reflect.get(values, name)) return false;
  }
  return true;
}
