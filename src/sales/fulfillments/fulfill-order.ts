// Story: open units of an order are shipped, all of them or a part.

import { shipStock } from "#catalog/inventory/ship-stock.ts";
import { type Id, newId } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/version.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";
import { orderFulfilled, orderPartlyFulfilled } from "#sales/orders/events.ts";
import { lockWholeOrder } from "#sales/orders/lookups.ts";
import type { Tracking } from "#sales/orders/order-life.ts";
import {
  forbidden,
  type Fulfillment,
  fulfillmentStatusOf,
  type OrderLine,
  unitsByVariant,
  type WholeOrder,
} from "#sales/orders/order.ts";
import { fulfillUnits, insertFulfillment } from "#sales/orders/queries.ts";
import { saveOrder } from "#sales/orders/save-order.ts";

export interface FulfillmentRequest {
  /** All open units if undefined. */
  readonly lines: readonly LineToShip[] | undefined;
  readonly tracking: Tracking | null;
}

export interface LineToShip {
  readonly lineItemId: Id<"lineItem">;
  readonly quantity: number;
}

interface Shipment {
  readonly line: OrderLine;
  readonly quantity: number;
}

/**
 * Takes the units out of stock and saves a fulfillment; emits `order.fulfilled` with the last open
 * unit, `order.updated` before. Returns a fulfilled order unchanged. Refuses with
 * `order_not_found`, `invalid_transition`, `insufficient_stock`, `validation_failed`,
 * `stale_version`.
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
  if (before.order.status !== "cancelled" && before.order.fulfillmentStatus === "fulfilled") {
    return before;
  }
  requireVersion(before.order.version, expected);
  if (before.order.status !== "open") throw forbidden(before.order, "fulfill");
  const shipments = shipmentsOf(before.lines, request.lines);
  await shipStock(
    tx,
    id,
    unitsByVariant(shipments.map(({ line, quantity }) => ({ ...line, quantity }))),
  );
  for (const { line, quantity } of shipments) {
    if (!(await fulfillUnits(tx, line, quantity))) throw new WriteConflict("The order");
  }
  return record(tx, before, { shipments, tracking: request.tracking });
}

async function record(
  tx: Tx,
  before: WholeOrder,
  {
    shipments,
    tracking,
  }: { readonly shipments: readonly Shipment[]; readonly tracking: Tracking | null },
): Promise<WholeOrder> {
  const fulfillment: Fulfillment = {
    orderId: before.order.id,
    id: newId("fulfillment", tx.now),
    lines: shipments.map(({ line, quantity }) => ({ lineItemId: line.id, quantity })),
    tracking,
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

/** The units to ship of each line. Refuses with `validation_failed` for units that are not open. */
function shipmentsOf(
  lines: readonly OrderLine[],
  requested: readonly LineToShip[] | undefined,
): Shipment[] {
  if (requested === undefined) {
    return lines
      .map((line) => ({ line, quantity: line.quantity - line.fulfilledQuantity }))
      .filter(({ quantity }) => quantity > 0);
  }
  const faults = new Faults();
  const quantities = new Map<OrderLine, number>();
  requested.forEach(({ lineItemId, quantity }, index) => {
    const line = lines.find((one) => one.id === lineItemId);
    const at = `/line_items/${index}`;
    if (line === undefined) {
      faults.add(`${at}/line_item_id`, "unknown_line_item", "The order has no such line item.");
      return;
    }
    const total = (quantities.get(line) ?? 0) + quantity;
    const open = line.quantity - line.fulfilledQuantity;
    quantities.set(line, total);
    if (total > open) {
      faults.add(`${at}/quantity`, "more_than_open", `This line has ${open} open units.`);
    }
  });
  faults.refuseIfAny();
  return [...quantities].map(([line, quantity]) => ({ line, quantity }));
}

function afterShipment(line: OrderLine, shipments: readonly Shipment[]): OrderLine {
  const shipped = shipments.find((shipment) => shipment.line === line)?.quantity ?? 0;
  return { ...line, fulfilledQuantity: line.fulfilledQuantity + shipped };
}
