// All SQL of what several programs tell each other of the requests they let through. Rows are sums of a
// second; each program adds to its own only, so nobody waits for anybody.

import { and, gte, lt, ne, sum } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import { prepared, preparedAdd, preparedWrite } from "#platform/database/prepared.ts";
import { rateUses } from "#platform/database/tables.ts";

export type RateUse = typeof rateUses.$inferSelect;

/** How many requests of a window the others let through in a second, which began then. */
export type OthersUse = Omit<RateUse, "holder">;

/** Adds to what the holder let through in that second. */
export const addRateUse: (tx: Tx, use: RateUse) => Promise<void> = preparedAdd(rateUses, {
  key: ["window", "second", "holder"],
  sums: ["count"],
});

const usesOfOthers = prepared<{ holder: string; since: number }>()((db, at) =>
  db
    .select({
      window: rateUses.window,
      second: rateUses.second,
      count: sum(rateUses.count).mapWith(Number),
    })
    .from(rateUses)
    .where(and(gte(rateUses.second, at.since), ne(rateUses.holder, at.holder)))
    .groupBy(rateUses.window, rateUses.second)
    .orderBy(rateUses.window, rateUses.second),
);
const dropBefore = preparedWrite<{ before: number }>()((tx, at) =>
  tx.delete(rateUses).where(lt(rateUses.second, at.before)),
);

/** What all others let through in the seconds since then, by window, the oldest second first. */
export async function findUsesOfOthers(
  db: Reader,
  since: { readonly holder: string; readonly since: number },
): Promise<OthersUse[]> {
  const found = await usesOfOthers(db, since);
  return found.map(({ count, ...use }) => ({ ...use, count: count ?? 0 }));
}

/** Afterwards nothing is kept of seconds that began before. */
export async function forgetRateUses(tx: Tx, before: number): Promise<void> {
  await dropBefore(tx, { before });
}
