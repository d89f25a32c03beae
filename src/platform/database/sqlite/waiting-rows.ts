// Rows that the stories of a group need not write at once: those that they append, such as orders, movements and
// events, and changes of rows that many of them change, such as stock. All is written together: between the stories'
// own work each statement would find the processor's caches cold, at twice the cost. What reads or changes one of the
// tables has everything written first, so that no story can tell.

import { type HeldRows, type Statement, WriteConflict } from "#platform/database/database.ts";
import { hasRow } from "#platform/database/prepared.ts";

import type { SqliteConnection } from "./connection.ts";
import { translateError } from "./errors.ts";
import type { ReadyStatement } from "./statement.ts";

interface WaitingRow {
  /** Its place among all that waited since the transaction began. */
  readonly place: number;
  readonly values: object;
  readonly ready: ReadyStatement;
  /** True if the row is in the database as it is here. */
  readonly isWritten?: boolean;
}

/** The rows of one table that wait. */
interface WaitingTable {
  appended: WaitingRow[];
  /** By key, the changes of each row, of which the last one counts. */
  readonly held: Map<string, WaitingRow[]>;
}

export class WaitingRows implements HeldRows {
  readonly #connection: SqliteConnection;
  readonly #tables = new Map<string, WaitingTable>();
  /** For each table those that its rows refer to. */
  readonly #parents = new Map<string, readonly string[]>();
  #next = 0;
  /** The places below are those of rows that were written. */
  #written = 0;
  #hasFailed = false;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** The place of the next row. */
  get mark(): number {
    return this.#next;
  }

  /** True if a row that waited could not be written: which story it belongs to is not known. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** The row of a statement that appends. */
  append(statement: Statement<unknown>, values: object): void {
    const ready = this.#connection.ready(statement);
    this.#tableOf(ready).appended.push({ place: this.#next, values, ready });
    this.#next += 1;
  }

  find(save: Statement<unknown>, key: string): object | undefined {
    const { table } = this.#connection.ready(save);
    return this.#tables
      .get(table ?? "")
      ?.held.get(key)
      ?.at(-1)?.values;
  }

  know(save: Statement<unknown>, key: string, values: object): void {
    this.#change(save, key, { values, isWritten: true });
  }

  hold(save: Statement<unknown>, key: string, values: object): void {
    this.#change(save, key, { values });
  }

  /** Writes everything if the statement may read or change one of the rows, or write a row that refers to one. */
  writeBefore(statement: Statement<unknown>, values: object): void {
    if (this.#written === this.#next) return;
    const { words, table: changed } = this.#connection.ready(statement);
    const refersTo = statement.writes && changed !== null ? this.#parentsOf(changed) : [];
    for (const [name, table] of this.#tables) {
      if (!words.has(name) && !refersTo.includes(name)) continue;
      const isBeside = !refersTo.includes(name) && isPassedBy(table, statement.by, values);
      if (!isBeside) return this.write();
    }
  }

  /** Writes everything, table by table: a statement that is run many times in a row costs the least. */
  write(): void {
    const tables = this.#parentsFirst().map((name) => this.#tables.get(name));
    this.#tables.clear();
    this.#written = this.#next;
    try {
      for (const table of tables) if (table !== undefined) writeTable(table);
    } catch (error) {
      this.#hasFailed = true;
      throw translateError(error);
    }
  }

  /** Drops what waits from this place on; returns false if some of it was written already. */
  dropFrom(place: number): boolean {
    if (place < this.#written) return false;
    const isLeft = (row: WaitingRow) => row.place < place;
    for (const [name, table] of this.#tables) {
      table.appended = table.appended.filter(isLeft);
      for (const [key, changes] of table.held) {
        const left = changes.filter(isLeft);
        if (left.length > 0) table.held.set(key, left);
        else table.held.delete(key);
      }
      if (table.appended.length + table.held.size === 0) this.#tables.delete(name);
    }
    this.#next = place;
    return true;
  }

  /** A transaction begins. */
  clear(): void {
    this.#tables.clear();
    this.#next = 0;
    this.#written = 0;
    this.#hasFailed = false;
  }

  #change(
    save: Statement<unknown>,
    key: string,
    changed: Pick<WaitingRow, "values" | "isWritten">,
  ): void {
    const ready = this.#connection.ready(save);
    const { held } = this.#tableOf(ready);
    const row = { place: this.#next, ready, ...changed };
    const changes = held.get(key);
    if (changes === undefined) held.set(key, [row]);
    else changes.push(row);
    this.#next += 1;
  }

  #tableOf({ table }: ReadyStatement): WaitingTable {
    const name = table ?? "";
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    const made = { appended: [], held: new Map<string, WaitingRow[]>() };
    this.#tables.set(name, made);
    return made;
  }

  #parentsFirst(): string[] {
    const sorted = new Set<string>();
    const seen = new Set<string>();
    const visit = (table: string) => {
      if (seen.has(table) || !this.#tables.has(table)) return;
      seen.add(table);
      for (const parent of this.#parentsOf(table)) visit(parent);
      sorted.add(table);
    };
    for (const table of this.#tables.keys()) visit(table);
    return [...sorted];
  }

  #parentsOf(table: string): readonly string[] {
    const known = this.#parents.get(table);
    if (known !== undefined) return known;
    const keys = this.#connection.command(`SELECT "table" FROM pragma_foreign_key_list(?)`, table);
    const made = keys.map((key) => String(key["table"]));
    this.#parents.set(table, made);
    return made;
  }
}

function writeTable({ appended, held }: WaitingTable): void {
  for (const { ready, values } of appended) ready.run(ready.bind(values));
  for (const changes of held.values()) {
    const last = changes.at(-1);
    if (last === undefined || last.isWritten === true) continue;
    const { ready, values } = last;
    if (!hasRow(ready.run(ready.bind(values)))) throw new WriteConflict("A row that was held");
  }
}

/**
 * Returns true if a statement that is bound to this column, by one value or several, has nothing to do with any of the
 * rows.
 */
function isPassedBy(
  { appended, held }: WaitingTable,
  by: string | undefined,
  values: object,
): boolean {
  if (by === undefined) return false;
  const given: unknown = Reflect.get(values, by);
  const those: readonly unknown[] = Array.isArray(given) ? given : [given];
  const isOther = (row: WaitingRow) => !those.includes(Reflect.get(row.values, by));
  return appended.every(isOther) && held.values().every((changes) => changes.every(isOther));
}
