// A row that story after story of a group changes. The first one writes it; the others decide on what that one left,
// in memory, and the last state is written once with the group. Gapless counters, such as order numbers, are such rows:
// a rolled-back story returns its number.

import { sql } from "drizzle-orm";

import { assume } from "#kernel/assume.ts";

import type { Builder, Preparable, Statement, Tx } from "./database.ts";
import { type Placeholders, placeholders, preparedWrite } from "./prepared.ts";
import { counters } from "./tables.ts";

/** The rows of one table that are held. */
interface Held<Row> {
  /** The row as the stories so far left it; undefined where a statement has to decide. */
  readonly find: (tx: Tx, key: string) => Row | undefined;
  /** After a statement has written the row: the next story finds it. */
  readonly know: (tx: Tx, key: string, row: Row) => void;
  /** Holds a row that was found: it is written, as it is now, with the group. */
  readonly hold: (tx: Tx, key: string, row: Row) => void;
}

/**
 * `save` writes the row and returns one; none if the row is not as it was known. The statement that writes the row
 * first is bound to its key: else it would have all held rows of the table written. Nothing is found where every
 * change is written at once.
 */
export function heldRows<Row extends object>(
  save: (tx: Builder, at: Placeholders<Row>) => Preparable<readonly unknown[]>,
): Held<Row> {
  const statement: Statement<unknown> = {
    writes: true,
    confirms: true,
    build: (builder) => save(builder, placeholders()),
  };
  return {
    find: (tx, key) => asRow<Row>(tx.held?.find(statement, key)),
    know: (tx, key, row) => tx.held?.know(statement, key, row),
    hold: (tx, key, row) => {
      if (tx.held === undefined) throw new Error("Only a row that was found is held.");
      tx.held.hold(statement, key, row);
    },
  };
}

/** The cast to what was held under this statement. */
function asRow<Row>(row: object | undefined): Row | undefined {
  return assume<Row | undefined>(row);
}

const countUp = preparedWrite<{ name: string; first: number }>({ by: "name", lockPlace: "number" })(
  (tx, at) =>
    tx
      .insert(counters)
      .values({ name: at.name, value: at.first })
      .onConflictDoUpdate({ target: counters.name, set: { value: sql`${counters.value} + 1` } })
      .returning({ value: counters.value }),
);

const held = heldRows<typeof counters.$inferSelect>((tx, at) =>
  tx
    .insert(counters)
    .values({ name: at.name, value: at.value })
    .onConflictDoUpdate({ target: counters.name, set: { value: sql`excluded.value` } })
    .returning({ value: counters.value }),
);

/**
 * The next number of a counter that starts at `first`. Call it late in a story: it locks a row that
 * many stories need.
 */
export async function nextNumber(tx: Tx, name: string, first: number): Promise<number> {
  const before = held.find(tx, name);
  if (before !== undefined) {
    const value = before.value + 1;
    held.hold(tx, name, { name, value });
    return value;
  }
  const [row] = await countUp(tx, { name, first });
  if (row === undefined) throw new Error(`The counter ${name} returned no row.`);
  held.know(tx, name, { name, value: row.value });
  return row.value;
}
