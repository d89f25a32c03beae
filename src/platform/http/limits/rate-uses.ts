// All SQL of shared rate limits. Rows are sums per second, and each program adds to its own rows
// only, so no program waits for another's lock.

import { and, gte, lt, ne, sum } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import { prepared, preparedAdd, preparedWrite } from "#platform/database/prepared.ts";
import { rateUses } from "#platform/database/tables.ts";

export type RateUse = typeof rateUses.$inferSelect;

/** Requests that other programs admitted in the second that began then. */
export type OthersUse = Omit<RateUse, "holder">;

/** Adds to the requests that the holder admitted in that second. */
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

/** Requests that other programs admitted since then, by window, the oldest second first. */
export async function findUsesOfOthers(
  db: Reader,
  since: { readonly holder: string; readonly since: number },
): Promise<OthersUse[]> {
  const found = await usesOfOthers(db, since);
  return found.map(({ count, ...use }) => ({ ...use, count: count ?? 0 }));
}

/** Deletes the rows of seconds that began before the instant. */
export async function deleteRateUses(tx: Tx, before: number): Promise<void> {
  await dropBefore(tx, { before });
}
