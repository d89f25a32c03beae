// SQL of deliveries beside the statements of every record. Invariant: each update compares the status,
// claim and attempt count that its writer read, so the late result of a lost claim changes nothing.

import { and, asc, count, desc, eq, gt, gte, inArray, lt, lte, min, ne, sql } from "drizzle-orm";

import { type Id, instantOf } from "#kernel/id.ts";
import { endpoints } from "#messaging/webhooks/endpoints/tables.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { literal } from "#platform/database/dialect.ts";
import { prepared, preparedByFilters, preparedWrite } from "#platform/database/prepared.ts";
import { statements } from "#platform/database/statements.ts";

import { type Delivery, deliveryNotFound } from "./delivery.ts";
import { deliveries } from "./tables.ts";

/** Statements of a delivery. `get` and `lock` refuse with `delivery_not_found`. */
export const deliveryRows = statements(deliveries, deliveryNotFound);

/** The columns that depend on the status. */
type MovedFields = "status" | "attempts" | "nextAt" | "claim" | "claimedAt" | "finishedAt";

/** A compare-and-set of a delivery. It sets every column that depends on the status. */
export interface DeliveryMove extends Pick<Delivery, "id" | MovedFields> {
  readonly from: Delivery["status"];
  readonly fromAttempts: number;
  /** Empty if it was not claimed. */
  readonly fromClaim: string;
}

const moveOne = preparedWrite<DeliveryMove>()((tx, at) =>
  tx
    .update(deliveries)
    .set({
      status: sql`${at.status}`,
      attempts: sql`${at.attempts}`,
      nextAt: sql`${at.nextAt}`,
      claim: sql`${at.claim}`,
      claimedAt: sql`${at.claimedAt}`,
      finishedAt: sql`${at.finishedAt}`,
    })
    .where(
      and(
        eq(deliveries.id, at.id),
        eq(deliveries.status, at.from),
        eq(deliveries.attempts, at.fromAttempts),
        sql`coalesce(${deliveries.claim}, '') = ${at.fromClaim}`,
      ),
    )
    .returning({ id: deliveries.id }),
);

/** False if the delivery changed since it was read. */
export async function moveDelivery(tx: Tx, move: DeliveryMove): Promise<boolean> {
  return (await moveOne(tx, move)).length === 1;
}

const dueOf = prepared<{ endpointId: string; isReplay: boolean; now: number; rows: number }>()(
  (db, at) =>
    db
      .select()
      .from(deliveries)
      .where(
        and(
          eq(deliveries.status, sql`'pending'`),
          eq(deliveries.endpointId, at.endpointId),
          eq(deliveries.isReplay, sql`${sql.param(at.isReplay, deliveries.isReplay)}`),
          lte(deliveries.nextAt, at.now),
        ),
      )
      .orderBy(asc(deliveries.nextAt), asc(deliveries.id))
      .limit(at.rows),
);

/**
 * Due deliveries of an endpoint, new ones before replayed ones, each longest due first. Replayed ones
 * are added only up to `replayedRows` in all.
 */
export async function findDue(
  db: Reader,
  endpointId: Id<"webhook">,
  limits: { readonly now: number; readonly rows: number; readonly replayedRows: number },
): Promise<Delivery[]> {
  const { now, rows } = limits;
  const fresh = await dueOf(db, { endpointId, isReplay: false, now, rows });
  const left = Math.min(rows, limits.replayedRows) - fresh.length;
  if (left <= 0) return fresh;
  return [...fresh, ...(await dueOf(db, { endpointId, isReplay: true, now, rows: left }))];
}

const dueByEndpoint = prepared()((db) => {
  const firstOf = (isReplay: boolean) =>
    db
      .select({ nextAt: deliveries.nextAt })
      .from(deliveries)
      .where(
        and(
          eq(deliveries.status, sql`'pending'`),
          eq(deliveries.endpointId, endpoints.id),
          eq(deliveries.isReplay, literal(isReplay)),
        ),
      )
      .orderBy(asc(deliveries.nextAt))
      .limit(1);
  return db
    .select({
      endpointId: endpoints.id,
      freshAt: sql<number | null>`(${firstOf(false)})`.mapWith(deliveries.nextAt).as("fresh_at"),
      replayedAt: sql<number | null>`(${firstOf(true)})`
        .mapWith(deliveries.nextAt)
        .as("replayed_at"),
    })
    .from(endpoints);
});

/** When an endpoint's first delivery is due, on the shop's clock; Infinity if none is pending. */
export interface NextDue {
  readonly freshAt: number;
  readonly replayedAt: number;
}

/** By endpoint with pending deliveries. A single statement, because every poll runs it. */
export async function findAllNextDue(db: Reader): Promise<ReadonlyMap<Id<"webhook">, NextDue>> {
  const due = new Map<Id<"webhook">, NextDue>();
  for (const { endpointId, freshAt, replayedAt } of await dueByEndpoint(db, {})) {
    if (freshAt === null && replayedAt === null) continue;
    due.set(endpointId, { freshAt: freshAt ?? Infinity, replayedAt: replayedAt ?? Infinity });
  }
  return due;
}

const claimedUnderOthers = prepared<{ claim: string; rows: number }>()((db, at) =>
  db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.status, sql`'sending'`), ne(deliveries.claim, at.claim)))
    .limit(at.rows),
);

/** Deliveries in `sending` under any other claim. */
export function findLostClaims(db: Reader, claim: string, rows: number): Promise<Delivery[]> {
  return claimedUnderOthers(db, { claim, rows });
}

const pendingOf = prepared<{ endpointId: string; rows: number }>()((db, at) =>
  db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.status, sql`'pending'`), eq(deliveries.endpointId, at.endpointId)))
    .orderBy(asc(deliveries.isReplay), asc(deliveries.nextAt), asc(deliveries.id))
    .limit(at.rows),
);

/** Pending deliveries of an endpoint, in the order in which claims lock them. */
export function findPending(db: Reader, endpointId: Id<"webhook">, rows: number) {
  return pendingOf(db, { endpointId, rows });
}

export interface DeliveryFilters {
  readonly endpointId: string;
  readonly status?: readonly string[] | undefined;
  readonly event?: readonly string[] | undefined;
  readonly eventId?: string | undefined;
  readonly from?: string | undefined;
  readonly before?: string | undefined;
}

const deliveriesBefore = preparedByFilters<
  DeliveryFilters & { readonly rows: number; readonly after?: string | undefined }
>()((db, given) =>
  db
    .select()
    .from(deliveries)
    .where(
      and(
        eq(deliveries.endpointId, given.one("endpointId")),
        given.has("after") ? lt(deliveries.id, given.one("after")) : undefined,
        given.has("status") ? inArray(deliveries.status, given.each("status")) : undefined,
        given.has("event") ? inArray(deliveries.eventName, given.each("event")) : undefined,
        given.has("eventId") ? eq(deliveries.eventId, given.one("eventId")) : undefined,
        given.has("from") ? gte(deliveries.id, given.one("from")) : undefined,
        given.has("before") ? lt(deliveries.id, given.one("before")) : undefined,
      ),
    )
    .orderBy(desc(deliveries.id))
    .limit(given.one("rows")),
);

/** Deliveries after the given id, newest first. */
export function listDeliveryRows(
  db: Reader,
  filters: DeliveryFilters,
  { rows, after }: { readonly rows: number; readonly after: string | null },
): Promise<Delivery[]> {
  return deliveriesBefore(db, { rows, after: after ?? undefined, ...filters });
}

const endpointAfter = prepared<{ endpointId: string }>()((db, at) =>
  db
    .select({ endpointId: deliveries.endpointId })
    .from(deliveries)
    .where(gt(deliveries.endpointId, at.endpointId))
    .orderBy(asc(deliveries.endpointId))
    .limit(1),
);

/** The next endpoint id that has deliveries; null after the last. */
export async function findEndpointIdAfter(
  db: Reader,
  endpointId: string,
): Promise<Id<"webhook"> | null> {
  return (await endpointAfter(db, { endpointId }))[0]?.endpointId ?? null;
}

const backlog = prepared()((db) =>
  db
    .select({ waiting: count(), oldest: min(deliveries.id) })
    .from(deliveries)
    .where(eq(deliveries.status, sql`'pending'`)),
);

/** The count of pending deliveries and the creation time of the oldest. An index covers the query. */
export async function findBacklog(
  db: Reader,
): Promise<{ readonly waiting: number; readonly oldestAt: number | null }> {
  const [row] = await backlog(db, {});
  const oldest = row?.oldest ?? null;
  return { waiting: row?.waiting ?? 0, oldestAt: oldest === null ? null : instantOf(oldest) };
}
