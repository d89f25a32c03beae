// SQL expressions that differ between the two engines. Statements call these functions and stay the
// same for both.

import { type Column, type Placeholder, type SQL, sql } from "drizzle-orm";

import { engine } from "./engine.ts";

/** Returns true if a text column contains the text, case-sensitive. */
export function contains(column: Column, text: Placeholder | string): SQL {
  return engine === "postgres"
    ? sql`strpos(${column}, ${text}) > 0`
    : sql`instr(${column}, ${text}) > 0`;
}

/** So many characters of a text column from the first occurrence of a text on. */
export function fromText(column: Column, text: Placeholder, length: Placeholder): SQL {
  return engine === "postgres"
    ? sql`substr(${column}, strpos(${column}, ${text}::text), ${length}::int)`
    : sql`substr(${column}, instr(${column}, ${text}), ${length})`;
}

/**
 * The column in a form that SQLite does not look up in an index. SQLite uses any index whose first
 * column is named in a condition; PostgreSQL decides by its statistics.
 */
export function unindexed(column: Column): SQL {
  return engine === "postgres" ? sql`${column}` : sql`${column} || ''`;
}

/** Selects the lists of texts of a JSON array, in its order: many rows of so many columns as one value. */
export function selectTexts(json: Placeholder, columns: number): SQL {
  const texts = sql.raw(Array.from({ length: columns }, (_, at) => `value ->> ${at}`).join(", "));
  return engine === "postgres"
    ? sql`select ${texts} from json_array_elements(${json}::text::json) where true`
    : sql`select ${texts} from json_each(${json}) where true`;
}

/**
 * A boolean as a literal instead of a parameter: a planner matches a partial index only to a
 * literal.
 */
export function literal(value: boolean): SQL {
  if (engine === "postgres") return value ? sql`true` : sql`false`;
  return value ? sql`1` : sql`0`;
}
