// Gapless counters, such as order numbers. A rolled-back story returns its number, so no number is
// lost.

import { sql } from "drizzle-orm";

import type { Tx } from "./database.ts";
import { heldRows } from "./memory/held-rows.ts";
import { preparedWrite } from "./prepared.ts";
import { counters } from "./tables.ts";

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
