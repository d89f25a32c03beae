// Lookup: the number of new and returning customers in a span.

import { addCustomerCounts, type CustomerCount } from "#analytics/figures.ts";
import { bucketOf, SLOTS_OF_DAY, type Span } from "#analytics/slots.ts";
import type { Reader } from "#platform/database/database.ts";

import { countPurchases, countReturns } from "./queries.ts";

/**
 * Counts each customer once in the part `from` to `to` of a span that begins at `start`. Exactly one
 * purchase of each returning customer in the span has its previous purchase before the span, so the
 * count of these purchases is the count of customers. Whole days are read by day, the ends by slot:
 *
 * 1. purchases on whole days whose previous one is on a day before the span's first day;
 * 2. purchases on whole days whose previous one is on the span's first day but before the span;
 * 3. purchases at the ends, wherever their previous one is.
 */
export async function countCustomers(
  db: Reader,
  scope: number,
  { from, to, start }: Span & { readonly start: number },
): Promise<CustomerCount> {
  const countBySlot = (part: Span) =>
    countPurchases(db, { scope, resolution: 1, ...part, before: start });
  const day = bucketOf(from, SLOTS_OF_DAY);
  const days = {
    from: day === from ? from : day + SLOTS_OF_DAY,
    to: bucketOf(to, SLOTS_OF_DAY),
  };
  if (days.from >= days.to) return countBySlot({ from, to });
  const resolution = SLOTS_OF_DAY;
  const firstDay = bucketOf(start, SLOTS_OF_DAY);
  const counts = [
    await countPurchases(db, { scope, resolution, ...days, before: firstDay }),
    await countBySlot({ from, to: days.from }),
    await countBySlot({ from: days.to, to }),
  ];
  const sameDay = { previous: { from: firstDay, to: start }, next: days };
  const returning = await countReturns(db, scope, sameDay);
  return counts.reduce(addCustomerCounts, { fresh: 0, returning });
}
