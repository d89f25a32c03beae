// Numbers handed out one by one. A rolled-back story gives its number back, so there are no gaps.

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

/** The next number of a counter that starts at `first`. Take it last: its row is a hot one. */
export async function nextNumber(tx: Tx, name: string, first: number): Promise<number> {
  const [row] = await countUp(tx, { name, first });
  if (row === undefined) throw new Error(`The counter ${name} gave no number.`);
  return row.value;
}
