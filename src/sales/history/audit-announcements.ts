// Lookup: compares an order with the events that announced what became of it.

import { isObject } from "#kernel/assume.ts";
import type { Difference } from "#kernel/difference.ts";
import type { Reader } from "#platform/database/database.ts";
import { eventsAfter, type LoggedEvent } from "#platform/event-log/event-log.ts";
import type { Order } from "#sales/rows/order.ts";

/**
 * One event for each fact: placed for every order, the others once they happened. One that was fulfilled by mistake
 * announced that it is not.
 */
export async function* wrongAnnouncements(db: Reader, order: Order): AsyncGenerator<Difference> {
  const facts = [
    ["order.placed", true],
    ["order.paid", order.paidAt !== null],
    ["order.fulfilled", order.fulfilledAt !== null],
    ["order.cancelled", order.cancelledAt !== null],
  ] as const;
  const name = facts.map(([fact]) => fact);
  const found = await eventsAfter(db, { after: 0, limit: 100, subject: order.id, name });
  for (const [fact, happened] of facts) {
    const announced = found.filter((event) => event.name === fact).length;
    const isTold = fact === "order.fulfilled" && announced > 0;
    const times = announced - (isTold ? await unfulfilledTimes(db, order) : 0);
    const expected = happened ? 1 : 0;
    if (times === expected) continue;
    yield { subject: order.id, what: `${fact} events`, expected, found: times };
  }
  yield* wrongSale(db, order, found);
}

/** Changes of one order that are read for what they take off its sale. */
const CHANGES_MAX = 10_000;

async function unfulfilledTimes(db: Reader, { id: subject }: Order): Promise<number> {
  const name = ["order.updated"];
  const changes = await eventsAfter(db, { after: 0, limit: CHANGES_MAX, subject, name });
  return changes.filter((one) => payloadOf(one)["unfulfilled"] === true).length;
}

/** The sale is what `order.paid` announced, less what changes of the order announced to be sold no more. */
async function* wrongSale(
  db: Reader,
  { id: subject, saleTotalMinor: found }: Order,
  announced: readonly LoggedEvent[],
): AsyncGenerator<Difference> {
  const paid = announced.find((event) => event.name === "order.paid");
  const soldMinor = paid === undefined ? null : amountIn(payloadOf(paid), "total_minor");
  if (found === null || soldMinor === null || found === soldMinor) return;
  const name = ["order.updated"];
  const changes = await eventsAfter(db, { after: 0, limit: CHANGES_MAX, subject, name });
  const expected = changes.reduce(
    (left, one) => left - (amountIn(payloadOf(one)["sale_reduction"], "amount_minor") ?? 0),
    soldMinor,
  );
  if (found !== expected) yield { subject, what: "sale_total_minor", expected, found };
}

function payloadOf({ data }: LoggedEvent): Readonly<Record<string, unknown>> {
  const payload: unknown = JSON.parse(data);
  return isObject(payload) ? payload : {};
}

/** The amount of that name; null where an event of an older version has none. */
function amountIn(part: unknown, name: string): number | null {
  const amount = isObject(part) ? part[name] : undefined;
  return typeof amount === "number" ? amount : null;
}
