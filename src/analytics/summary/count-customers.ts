// Lookup: how many customers bought in a span for the first time, and how many came back.

import { addCustomerCounts, type CustomerCount } from "#analytics/figures.ts";
import { bucketOf, SLOTS_OF_DAY, type Span } from "#analytics/slots.ts";
import type { Reader } from "#platform/database/database.ts";

import { countPurchases, countReturns } from "./queries.ts";

/**
 * Each customer once, in a span or in a later part of it: `start` is where the span begins. Whoever came
 * back has exactly one purchase in the span whose purchase before lies ahead of it, so counting those
 * counts them. Whole days are read by days, edges by slots:
 *
 * 1. purchases on whole days, the one before on a whole day ahead of the span's first day;
 * 2. purchases on whole days, the one before on the span's first day but ahead of the span;
 * 3. purchases at the edges, whenever the one before was.
 */
export async function countCustomers(
  db: Reader,
  scope: number,
  { from, to, start }: Span & { readonly start: number },
): Promise<CustomerCount> {
  const edge = (part: Span) => countPurchases(db, { scope, resolution: 1, ...part, before: start });
  const day = bucketOf(from, SLOTS_OF_DAY);
  const days = {
    from: day === from ? from : day + SLOTS_OF_DAY,
    to: bucketOf(to, SLOTS_OF_DAY),
  };
  if (days.from >= days.to) return edge({ from, to });
  const resolution = SLOTS_OF_DAY;
  const firstDay = bucketOf(start, SLOTS_OF_DAY);
  const counts = [
    await countPurchases(db, { scope, resolution, ...days, before: firstDay }),
    await edge({ from, to: days.from }),
    await edge({ from: days.to, to }),
  ];
  const sameDay = { previous: { from: firstDay, to: start }, next: days };
  const returning = await countReturns(db, scope, sameDay);
  return counts.reduce(addCustomerCounts, { fresh: 0, returning });
}
