// The few expressions that differ between the two engines. Whoever writes a statement asks here for
// them, so that no statement knows which engine it is for.

import { type Column, type Placeholder, type SQL, sql } from "drizzle-orm";

import { engine } from "./engine.ts";

/** The condition that a text column has the text in it, letter for letter. */
export function contains(column: Column, text: Placeholder | string): SQL {
  return engine === "postgres"
    ? sql`strpos(${column}, ${text}) > 0`
    : sql`instr(${column}, ${text}) > 0`;
}

/**
 * The column as a condition asks for it that is not to be answered from an index. PostgreSQL decides by
 * itself, from what it counted of the rows; SQLite takes any index whose first column is named.
 */
export function unindexed(column: Column): SQL {
  return engine === "postgres" ? sql`${column}` : sql`${column} || ''`;
}

/** A yes or a no that a statement always says; as a value of its own it would hide a partial index. */
export function literal(value: boolean): SQL {
  if (engine === "postgres") return value ? sql`true` : sql`false`;
  return value ? sql`1` : sql`0`;
}
