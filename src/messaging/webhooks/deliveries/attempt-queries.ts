// All SQL of attempts, and of deleting deliveries together with their attempts.

import { and, asc, desc, eq, inArray, lt, ne } from "drizzle-orm";

import type { Id } from "#kernel/id.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import {
  prepared,
  preparedByFilters,
  preparedInsert,
  preparedWrite,
} from "#platform/database/prepared.ts";

import type { DeliveryAttempt } from "./delivery.ts";
import { attempts, deliveries } from "./tables.ts";

export const insertAttempt = preparedInsert(attempts);

const attemptsOf = preparedByFilters<{ readonly deliveryId: readonly string[] }>()((db, given) =>
  db
    .select()
    .from(attempts)
    .where(inArray(attempts.deliveryId, given.each("deliveryId")))
    .orderBy(asc(attempts.deliveryId), asc(attempts.number)),
);
const lastAttempt = prepared<{ deliveryId: string }>()((db, at) =>
  db
    .select({ number: attempts.number })
    .from(attempts)
    .where(eq(attempts.deliveryId, at.deliveryId))
    .orderBy(desc(attempts.number))
    .limit(1),
);

/** Every attempt of these deliveries, in the order of their ends. */
export async function findAttempts(
  db: Reader,
  ids: readonly Id<"delivery">[],
): Promise<DeliveryAttempt[]> {
  return ids.length === 0 ? [] : attemptsOf(db, { deliveryId: ids });
}

/** The number of the next attempt to insert. */
export async function nextAttemptNumber(tx: Tx, id: Id<"delivery">): Promise<number> {
  return ((await lastAttempt(tx, { deliveryId: id }))[0]?.number ?? 0) + 1;
}

const oldDeliveries = prepared<{ before: string; rows: number }>()((db, at) =>
  db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(
      and(
        lt(deliveries.id, at.before),
        inArray(deliveries.status, ["succeeded", "exhausted", "cancelled"]),
      ),
    )
    .orderBy(asc(deliveries.id))
    .limit(at.rows),
);
const dropAttempts = preparedWrite<{ id: string }>()((tx, at) =>
  tx.delete(attempts).where(eq(attempts.deliveryId, at.id)),
);
const dropDelivery = preparedWrite<{ id: string }>()((tx, at) =>
  tx.delete(deliveries).where(eq(deliveries.id, at.id)),
);

/** Finished deliveries with a smaller id, oldest first. */
export function findOldDeliveries(db: Reader, before: string, rows: number) {
  return oldDeliveries(db, { before, rows });
}

/**
 * Deletes deliveries with their attempts. The delivery goes first: an attempt is inserted only while
 * its delivery exists, so no attempt remains without one.
 */
export async function deleteDeliveries(tx: Tx, ids: readonly Id<"delivery">[]): Promise<void> {
  for (const id of ids.toSorted()) {
    await dropDelivery(tx, { id });
    await dropAttempts(tx, { id });
  }
}

interface EventsAtEndpoints {
  readonly endpointId: readonly string[];
  readonly eventId: readonly string[];
}

const attemptsOfEvents = preparedByFilters<EventsAtEndpoints>()((db, given) =>
  db
    .select({ deliveryId: attempts.deliveryId, number: attempts.number })
    .from(attempts)
    .innerJoin(deliveries, eq(deliveries.id, attempts.deliveryId))
    .where(
      and(
        inArray(deliveries.endpointId, given.each("endpointId")),
        inArray(deliveries.eventId, given.each("eventId")),
        ne(attempts.excerpt, ""),
      ),
    )
    .orderBy(asc(attempts.deliveryId), asc(attempts.number)),
);
const emptyExcerpt = preparedWrite<{ deliveryId: string; number: number }>()((tx, at) =>
  tx
    .update(attempts)
    .set({ excerpt: "" })
    .where(and(eq(attempts.deliveryId, at.deliveryId), eq(attempts.number, at.number))),
);

/** Empties the response excerpts of all attempts to deliver these events to these endpoints. */
export async function emptyExcerpts(tx: Tx, filters: EventsAtEndpoints): Promise<void> {
  for (const found of await attemptsOfEvents(tx, filters)) {
    await emptyExcerpt(tx, found);
  }
}
