// Stories: open units of an order are shipped, all of them or a part, and the tracking of a shipment is added or
// corrected, as it often comes in the evening.

import { shipStock } from "#catalog/inventory/reserve-stock.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import { type Id, newId } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import { defineRefusal, Faults } from "#kernel/refusal.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";
import { orderFulfilled, orderPartlyFulfilled, orderUpdated } from "#sales/orders/events.ts";
import { lockWholeOrder } from "#sales/orders/lookups.ts";
import { saveOrder } from "#sales/orders/save-order.ts";
import { netOf } from "#sales/rows/balance.ts";
import { type LineUnits, openKind, readUnits, type UnitsRequest } from "#sales/rows/line-units.ts";
import type { Tracking } from "#sales/rows/order-life.ts";
import {
  forbidden,
  type Fulfillment,
  fulfillmentStatusOf,
  openUnits,
  type Order,
  type OrderLine,
  unitsByVariant,
  type WholeOrder,
} from "#sales/rows/order.ts";
import { fulfillUnits, insertFulfillment, writeTracking } from "#sales/rows/queries.ts";

export interface FulfillmentRequest {
  /** All open units if undefined. */
  readonly lines: readonly UnitsRequest[] | undefined;
  readonly tracking: Tracking | null;
  /** True if the units ship although all money was refunded. */
  readonly isForced: boolean;
  readonly metadata: Metadata;
}

export const nothingToFulfill = defineRefusal("nothing_to_fulfill", "conflict", {
  title: "The order has no open units.",
  cause:
    "Every unit of the order was shipped or cancelled, and the request names something to ship.",
  remedy:
    "Retrieve the order. Tracking that comes later belongs to `PUT /v2/orders/{id}/fulfillments/{fulfillment_id}`.",
});
export const orderRefunded = defineRefusal("order_refunded", "conflict", {
  title: "All money of the order was refunded.",
  cause:
    "The order was paid, all its money went back to the customer, and its units have not shipped.",
  remedy: "Cancel the order, or send `force: true` to ship the units anyway.",
});

/**
 * Takes the units out of stock and saves a fulfillment; emits `order.fulfilled` with the last open
 * unit, `order.updated` before. Returns a fulfilled order unchanged if the request names nothing. Refuses
 * with `order_not_found`, `invalid_transition`, `insufficient_stock`, `validation_failed`, `stale_version`,
 * `nothing_to_fulfill`, `order_refunded`.
 */
export async function fulfillOrder(
  tx: Tx,
  id: Id<"order">,
  {
    request,
    expected,
  }: { readonly request: FulfillmentRequest; readonly expected: ExpectedVersion },
): Promise<WholeOrder> {
  const before = await lockWholeOrder(tx, id);
  const isCancelled = before.order.status === "cancelled";
  if (!isCancelled && before.lines.every((line) => openUnits(line) === 0)) {
    if (request.lines === undefined && request.tracking === null) return before;
    throw nothingToFulfill();
  }
  requireVersion(before.order.version, expected);
  if (before.order.status !== "open") throw forbidden(before.order, "fulfill");
  if (isRefunded(before.order) && !request.isForced) throw orderRefunded();
  const faults = new Faults();
  const shipments = readUnits(before.lines, request.lines, { kind: openKind, faults });
  faults.refuseIfAny();
  await shipStock(
    tx,
    id,
    unitsByVariant(shipments.map(({ line, quantity }) => ({ ...line, quantity }))),
  );
  for (const { line, quantity } of shipments) {
    if (!(await fulfillUnits(tx, line, quantity))) throw new WriteConflict("The order");
  }
  return record(tx, before, { shipments, ...request });
}

async function record(
  tx: Tx,
  before: WholeOrder,
  {
    shipments,
    tracking,
    metadata,
  }: Pick<Fulfillment, "tracking" | "metadata"> & { readonly shipments: readonly LineUnits[] },
): Promise<WholeOrder> {
  const fulfillment: Fulfillment = {
    orderId: before.order.id,
    id: newId("fulfillment", tx.now),
    lines: shipments.map(({ line, quantity }) => ({ lineItemId: line.id, quantity })),
    tracking,
    metadata,
    createdAt: tx.now,
  };
  await insertFulfillment(tx, fulfillment);
  const lines = before.lines.map((line) => afterShipment(line, shipments));
  const fulfillmentStatus = fulfillmentStatusOf(lines);
  const isFulfilled = fulfillmentStatus === "fulfilled";
  const order = await saveOrder(tx, before.order, {
    fulfillmentStatus,
    fulfilledAt: isFulfilled ? tx.now : null,
    // Shipped goods cannot be released: the order keeps waiting for its payment.
    expiresAt: null,
  });
  await tx.emit(
    isFulfilled ? orderFulfilled(order, fulfillment) : orderPartlyFulfilled(order, fulfillment),
  );
  return { order, lines, fulfillments: [...before.fulfillments, fulfillment] };
}

/** Returns true if the order was paid and all its money went back. */
function isRefunded(order: Order): boolean {
  return order.paidAt !== null && order.paidMinor > 0 && netOf(order) === 0;
}

function afterShipment(line: OrderLine, shipments: readonly LineUnits[]): OrderLine {
  const shipped = shipments.find((shipment) => shipment.line === line)?.quantity ?? 0;
  return { ...line, fulfilledQuantity: line.fulfilledQuantity + shipped };
}

export const fulfillmentNotFound = defineRefusal(
  "fulfillment_not_found",
  "not_found",
  "The order has no such fulfillment.",
);

interface TrackingChange {
  readonly fulfillmentId: Id<"fulfillment">;
  readonly tracking: Tracking | null;
  /** Stays as it is if undefined. */
  readonly metadata: Metadata | undefined;
  readonly expected: ExpectedVersion;
}

/**
 * Replaces what is given and emits `order.updated` with the fulfillment; the same values write nothing.
 * Refuses with `order_not_found`, `fulfillment_not_found` and `stale_version`.
 */
export async function updateTracking(
  tx: Tx,
  id: Id<"order">,
  { fulfillmentId, tracking, metadata, expected }: TrackingChange,
): Promise<WholeOrder> {
  const before = await lockWholeOrder(tx, id);
  const known = before.fulfillments.find((one) => one.id === fulfillmentId);
  if (known === undefined) throw fulfillmentNotFound();
  requireVersion(before.order.version, expected);
  const fulfillment = { ...known, tracking, metadata: metadata ?? known.metadata };
  if (Bun.deepEquals(known, fulfillment)) return before;
  await writeTracking(tx, fulfillment);
  const order = await saveOrder(tx, before.order, {});
  await tx.emit(orderUpdated(order, { changed: ["fulfillments"], fulfillment }));
  return {
    ...before,
    order,
    fulfillments: before.fulfillments.map((one) => (one === known ? fulfillment : one)),
  };
}
