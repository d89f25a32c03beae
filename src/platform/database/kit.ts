// The column kit: functions that declare tables once for both engines. Their types are
// PostgreSQL's, so a method that only SQLite has does not compile.

import { type SQL, sql } from "drizzle-orm";
import * as postgres from "drizzle-orm/pg-core";
import * as sqlite from "drizzle-orm/sqlite-core";

import { assume } from "#kernel/assume.ts";
import { WEEK_MS } from "#kernel/time.ts";

import { engine } from "./engine.ts";

/** The form in which a column stores its values, if it is not their own. */
interface JsonForm {
  readonly pack: (value: never) => unknown;
  readonly unpack: (packed: never) => unknown;
}

const ownForm: JsonForm = { pack: (value) => value, unpack: (packed) => packed };

/**
 * JSON stored as text on both engines; null stays NULL, also in a placeholder. The casts hold: a column is written
 * with values of its type, and has what was packed of them.
 */
function jsonText({ pack, unpack }: JsonForm) {
  return {
    dataType: () => "text",
    toDriver: (value: unknown) =>
      value === null ? null : JSON.stringify(pack(assume<never>(value))),
    fromDriver: (text: string | null) =>
      text === null ? null : unpack(assume<never>(parseJson(text))),
  };
}

interface JsonTypes {
  readonly data: unknown;
  readonly driverData: string | null;
}

/** Most stored JSON is empty, and comparing costs less than parsing. */
function parseJson(text: string): unknown {
  if (text === "[]") return [];
  if (text === "{}") return {};
  return JSON.parse(text);
}

const postgresKit = {
  table: postgres.pgTable,
  text: (name = "") => postgres.text(name),
  int: (name = "") => postgres.integer(name),
  /** A sequence number of the event log, 64 bits. */
  sequence: (name = "") => postgres.bigint(name, { mode: "number" }),
  /** Units of stock; 64 bits, because the sum over all orders of a variant can be large. */
  units: (name = "") => postgres.bigint(name, { mode: "number" }),
  /** Integer minor units of a currency, 64 bits. */
  money: (name = "") => postgres.bigint(name, { mode: "number" }),
  /** Epoch milliseconds. */
  time: (name = "") => postgres.bigint(name, { mode: "number" }),
  bool: (name = "") => postgres.boolean(name),
  json: (form = ownForm) => postgres.customType<JsonTypes>(jsonText(form))(),
  index: postgres.index,
  uniqueIndex: postgres.uniqueIndex,
  primaryKey: postgres.primaryKey,
  foreignKey: postgres.foreignKey,
  check: postgres.check,
};

const sqliteKit = {
  table: sqlite.sqliteTable,
  text: (name = "") => sqlite.text(name),
  int: (name = "") => sqlite.integer(name),
  sequence: (name = "") => sqlite.integer(name),
  units: (name = "") => sqlite.integer(name),
  money: (name = "") => sqlite.integer(name),
  time: (name = "") => sqlite.integer(name),
  bool: (name = "") => sqlite.integer(name, { mode: "boolean" }),
  json: (form = ownForm) => sqlite.customType<JsonTypes>(jsonText(form))(),
  index: sqlite.index,
  uniqueIndex: sqlite.uniqueIndex,
  primaryKey: sqlite.primaryKey,
  foreignKey: sqlite.foreignKey,
  check: sqlite.check,
};

/**
 * The cast that lets one declaration serve both engines: both kits have the same functions, and a
 * column made by either reads and writes the same JavaScript values.
 */
function asPostgresKit(kit: unknown): typeof postgresKit {
  return assume<typeof postgresKit>(kit);
}

export const {
  table,
  text,
  int,
  sequence,
  units,
  money,
  time,
  bool,
  json,
  index,
  uniqueIndex,
  primaryKey,
  foreignKey,
  check,
} = asPostgresKit(engine === "postgres" ? postgresKit : sqliteKit);

/** A boolean column as the condition of a partial index. */
export function isTrue(column: string): SQL {
  return engine === "postgres" ? sql.raw(column) : sql.raw(`${column} = 1`);
}

/**
 * The week of a time, counted from 1970: a list that is filtered by the time reads the rows of each week
 * in the order of its page.
 */
export function weekOf(column: string): SQL<number> {
  return sql`(${sql.raw(column)} / ${sql.raw(String(WEEK_MS))})`.mapWith(Number);
}
