// What every figure of an order must be, computed anew from its lines and fulfillments.

import type { Difference } from "#kernel/difference.ts";
import { totalsOf } from "#pricing/quote/price-order.ts";
import {
  fulfillmentStatusOf,
  isDone,
  type Order,
  type OrderLine,
  type OrderStatus,
  paymentStatusOf,
  type WholeOrder,
} from "#sales/orders/order.ts";

type Figure = readonly [what: string, expected: string | number, found: string | number];

/** Every figure of the order that does not follow from the others. */
export function wrongFigures(whole: WholeOrder): Difference[] {
  const { order, lines } = whole;
  const shipped = shippedUnits(whole);
  const ofLines = lines.flatMap((line) => {
    const units = shipped.get(line.id) ?? 0;
    shipped.delete(line.id);
    return differing(line.id, lineFigures(line, units));
  });
  const strangers = [...shipped.keys()].flatMap((id) =>
    differing(order.id, [["line item of a fulfillment", "one of the order", id]]),
  );
  return [...differing(order.id, orderFigures(order, lines)), ...ofLines, ...strangers];
}

function differing(subject: string, figures: readonly Figure[]): Difference[] {
  return figures
    .filter(([, expected, found]) => expected !== found)
    .map(([what, expected, found]) => ({ subject, what, expected, found }));
}

function orderFigures(order: Order, lines: readonly OrderLine[]): Figure[] {
  const totals = totalsOf(lines, order.shippingMinor);
  const fulfillmentStatus = fulfillmentStatusOf(lines);
  return [
    ["subtotal_minor", totals.subtotalMinor, order.subtotalMinor],
    ["discount_total_minor", totals.discountMinor, order.discountMinor],
    ["tax_total_minor", totals.taxMinor, order.taxMinor],
    ["total_minor", totals.totalMinor, order.totalMinor],
    ["payment_status", paymentStatusOf({ ...order, ...totals }), order.paymentStatus],
    ["fulfillment_status", fulfillmentStatus, order.fulfillmentStatus],
    ["status", statusOf({ ...order, ...totals, fulfillmentStatus }), order.status],
    ["line items", "one or more", lines.length === 0 ? "none" : "one or more"],
  ];
}

/** Nothing but a command cancels; whatever else is done is completed, and nothing else is. */
function statusOf(order: Order): OrderStatus {
  if (order.status === "cancelled") return "cancelled";
  return isDone(order) ? "completed" : "open";
}

function lineFigures(line: OrderLine, shippedUnitsOfLine: number): Figure[] {
  const subtotalMinor = line.unitPriceMinor * line.quantity;
  return [
    ["subtotal_minor", subtotalMinor, line.subtotalMinor],
    ["total_minor", subtotalMinor - line.discountMinor + line.taxMinor, line.totalMinor],
    ["fulfilled_quantity", shippedUnitsOfLine, line.fulfilledQuantity],
  ];
}

/** Units of each line that its fulfillments say left the house. */
function shippedUnits({ fulfillments }: WholeOrder): Map<string, number> {
  const units = new Map<string, number>();
  for (const { lineItemId, quantity } of fulfillments.flatMap(({ lines }) => lines)) {
    units.set(lineItemId, (units.get(lineItemId) ?? 0) + quantity);
  }
  return units;
}
