// Gapless counters, such as order numbers. A rolled-back story returns its number, so no number is
// lost.

import { sql } from "drizzle-orm";

import type { Tx } from "./database.ts";
import { preparedWrite } from "./prepared.ts";
import { counters } from "./tables.ts";

const countUp = preparedWrite<{ name: string; first: number }>()((tx, at) =>
  tx
    .insert(counters)
    .values({ name: at.name, value: at.first })
    .onConflictDoUpdate({ target: counters.name, set: { value: sql`${counters.value} + 1` } })
    .returning({ value: counters.value }),
);

/**
 * The next number of a counter that starts at `first`. Call it late in a story: it locks a row that
 * many stories need.
 */
export async function nextNumber(tx: Tx, name: string, first: number): Promise<number> {
  const [row] = await countUp(tx, { name, first });
  if (row === undefined) throw new Error(`The counter ${name} returned no row.`);
  return row.value;
}
