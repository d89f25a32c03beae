// Stories: open units of an order are shipped, all of them or a part, the tracking of a shipment is added or
// corrected, as it often comes in the evening, and a shipment that was recorded by mistake is cancelled.

import { shipStock, unshipStock } from "#catalog/inventory/reserve-stock.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import { type Id, newId } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import { defineRefusal, Faults } from "#kernel/refusal.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";
import { orderFulfilled, orderPartlyFulfilled, orderUpdated } from "#sales/orders/events.ts";
import { lockWholeOrder } from "#sales/orders/lookups.ts";
import { expiryFromNow, saveOrder, setExpiryTimer } from "#sales/orders/save-order.ts";
import { awaitsPayment, netOf } from "#sales/rows/balance.ts";
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
import {
  cancelFulfillmentRow,
  fulfillUnits,
  insertFulfillment,
  writeTracking,
} from "#sales/rows/queries.ts";

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
    cancelledAt: null,
    cancelNote: null,
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

function fulfillmentOf(
  { fulfillments }: WholeOrder,
  fulfillmentId: Id<"fulfillment">,
): Fulfillment {
  const known = fulfillments.find((one) => one.id === fulfillmentId);
  if (known === undefined) throw fulfillmentNotFound();
  return known;
}

function replacing(
  fulfillments: readonly Fulfillment[],
  changed: Fulfillment,
): readonly Fulfillment[] {
  return fulfillments.map((one) => (one.id === changed.id ? changed : one));
}

interface TrackingChange {
  readonly fulfillmentId: Id<"fulfillment">;
  readonly tracking: Tracking | null;
  /** Stays as it is if undefined. */
  readonly metadata: Metadata | undefined;
  readonly expected: ExpectedVersion;
}

/**
 * Replaces what is given and emits `order.updated` with the fulfillment; the same values write nothing.
 * Refuses with `order_not_found`, `fulfillment_not_found`, `stale_version`, and with `invalid_transition` new tracking
 * for a cancelled fulfillment.
 */
export async function updateTracking(
  tx: Tx,
  id: Id<"order">,
  { fulfillmentId, tracking, metadata, expected }: TrackingChange,
): Promise<WholeOrder> {
  const before = await lockWholeOrder(tx, id);
  const known = fulfillmentOf(before, fulfillmentId);
  requireVersion(before.order.version, expected);
  if (known.cancelledAt !== null && !Bun.deepEquals(known.tracking, tracking)) {
    throw forbidden(before.order, "update_tracking", "The fulfillment is cancelled.");
  }
  const fulfillment = { ...known, tracking, metadata: metadata ?? known.metadata };
  if (Bun.deepEquals(known, fulfillment)) return before;
  await writeTracking(tx, fulfillment);
  const order = await saveOrder(tx, before.order, {});
  await tx.emit(orderUpdated(order, { changed: ["fulfillments"], fulfillment }));
  return { ...before, order, fulfillments: replacing(before.fulfillments, fulfillment) };
}

export const fulfillmentReturned = defineRefusal("fulfillment_returned", "conflict", {
  title: "Units of the fulfillment came back.",
  cause: "Without the fulfillment fewer units of a line item would be shipped than came back.",
  remedy: "Nothing is to be undone: what came back was shipped.",
});

interface FulfillmentCancellation {
  readonly fulfillmentId: Id<"fulfillment">;
  readonly note: string | null;
  readonly expected: ExpectedVersion;
}

/**
 * Opens the units of a fulfillment again that was recorded by mistake, and emits `order.updated` with it. What was sold
 * and paid stays; an order that awaits its payment again expires as a new one. Returns the order unchanged if the
 * fulfillment is cancelled. Refuses with `order_not_found`, `fulfillment_not_found`, `invalid_transition`, `stale_version`
 * and `fulfillment_returned`.
 */
export async function cancelFulfillment(
  tx: Tx,
  id: Id<"order">,
  { fulfillmentId, note, expected }: FulfillmentCancellation,
): Promise<WholeOrder> {
  const before = await lockWholeOrder(tx, id);
  const known = fulfillmentOf(before, fulfillmentId);
  if (before.order.status === "cancelled") throw forbidden(before.order, "cancel_fulfillment");
  if (known.cancelledAt !== null) return before;
  requireVersion(before.order.version, expected);
  const lines = before.lines.map((line) => {
    const fulfilledQuantity = line.fulfilledQuantity - unitsIn(known, line);
    return { ...line, fulfilledQuantity };
  });
  if (lines.some((line) => line.fulfilledQuantity < line.returnedQuantity)) {
    throw fulfillmentReturned();
  }
  await openUnitsAgain(tx, before, known);
  const fulfillment = { ...known, cancelledAt: tx.now, cancelNote: note };
  await cancelFulfillmentRow(tx, fulfillment);
  const order = await reopen(tx, before.order, lines);
  const isUnfulfilled = before.order.fulfillmentStatus === "fulfilled";
  await tx.emit(orderUpdated(order, { changed: ["fulfillments"], fulfillment, isUnfulfilled }));
  return { order, lines, fulfillments: replacing(before.fulfillments, fulfillment) };
}

function unitsIn({ lines }: Fulfillment, { id }: OrderLine): number {
  return lines.find(({ lineItemId }) => lineItemId === id)?.quantity ?? 0;
}

/** Takes the units from what is shipped of the lines, and back into stock. */
async function openUnitsAgain(
  tx: Tx,
  { order, lines }: WholeOrder,
  fulfillment: Fulfillment,
): Promise<void> {
  const units = lines
    .map((line) => ({ ...line, quantity: unitsIn(fulfillment, line) }))
    .filter(({ quantity }) => quantity > 0);
  await unshipStock(tx, order.id, unitsByVariant(units));
  for (const line of units) {
    if (!(await fulfillUnits(tx, line, -line.quantity))) throw new WriteConflict("The order");
  }
}

async function reopen(tx: Tx, before: Order, lines: readonly OrderLine[]): Promise<Order> {
  const fulfillmentStatus = fulfillmentStatusOf(lines);
  const opened = { ...before, status: "open", fulfillmentStatus } as const;
  const expiresAt = awaitsPayment(opened)
    ? await expiryFromNow(tx, before, { isFromMerchant: !before.isFromPublicKey })
    : null;
  const order = await saveOrder(tx, before, { fulfillmentStatus, fulfilledAt: null, expiresAt });
  if (expiresAt !== null) await setExpiryTimer(tx, order);
  return order;
}
