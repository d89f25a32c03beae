// Gapless counters, such as order numbers. A rolled-back story returns its number, so no number is
// lost.

import { eq, sql } from "drizzle-orm";

import type { Tx } from "./database.ts";
import { heldRows, holdsRows } from "./memory/held-rows.ts";
import { preparedMatch, preparedWrite } from "./prepared.ts";
import { counters } from "./tables.ts";

const countUp = preparedWrite<{ name: string; first: number }>()((tx, at) =>
  tx
    .insert(counters)
    .values({ name: at.name, value: at.first })
    .onConflictDoUpdate({ target: counters.name, set: { value: sql`${counters.value} + 1` } })
    .returning({ value: counters.value }),
);

const counterByName = preparedMatch<{ name: string }>()((db, at) =>
  db.select().from(counters).where(eq(counters.name, at.name)),
);

const heldCounters = heldRows<typeof counters.$inferSelect>({
  find: async (db, name) => (await counterByName(db, { name }))[0],
  save: (tx, at) =>
    tx
      .insert(counters)
      .values({ name: at.name, value: at.value })
      .onConflictDoUpdate({ target: counters.name, set: { value: sql`excluded.value` } })
      .returning({ value: counters.value }),
});

/**
 * The next number of a counter that starts at `first`. Call it late in a story: it locks a row that
 * many stories need.
 */
export async function nextNumber(tx: Tx, name: string, first: number): Promise<number> {
  if (holdsRows(tx)) {
    const before = await heldCounters.find(tx, name);
    const value = before === undefined ? first : before.value + 1;
    heldCounters.hold(tx, name, { name, value });
    return value;
  }
  const [row] = await countUp(tx, { name, first });
  if (row === undefined) throw new Error(`The counter ${name} returned no row.`);
  return row.value;
}
