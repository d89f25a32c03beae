// Story: open units of an order are cancelled, all of them or a part. An order of which nothing has shipped and
// nothing is left is cancelled.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { giveBackDiscounts } from "#pricing/discount-uses/claim-discounts.ts";
import { orderCancelled, orderFulfilled, orderUpdated } from "#sales/orders/events.ts";
import { lockWholeOrder } from "#sales/orders/lookups.ts";
import { type LineUnits, openKind, readUnits, type UnitsRequest } from "#sales/rows/line-units.ts";
import type { CancelReason } from "#sales/rows/order-life.ts";
import { forbidden, type Order, sentFulfillments, type WholeOrder } from "#sales/rows/order.ts";

import { creditUnits, type MoneyBack, type MoneyTerms } from "./credit-units.ts";
import { settleLater, settleOrder } from "./settle-order.ts";

export interface Cancellation {
  /** All open units if undefined. */
  readonly lines?: readonly UnitsRequest[] | undefined;
  readonly reason: CancelReason;
  readonly note: string | null;
  readonly refund: MoneyBack;
}

/**
 * Cancels the units, releases their stock and emits `order.cancelled` if nothing has shipped and nothing is
 * left, else `order.updated`, and `order.fulfilled` with the last open unit. Returns a cancelled order
 * unchanged. Refuses with `order_not_found`, `stale_version`, `validation_failed`, and with
 * `invalid_transition` if nothing is open.
 */
export async function cancelOrder(
  tx: Tx,
  id: Id<"order">,
  {
    cancellation,
    expected,
  }: { readonly cancellation: Cancellation; readonly expected: ExpectedVersion },
): Promise<WholeOrder> {
  const before = await lockWholeOrder(tx, id);
  if (before.order.status === "cancelled") return before;
  requireVersion(before.order.version, expected);
  if (before.order.status !== "open" || before.order.fulfillmentStatus === "fulfilled") {
    throw forbidden(before.order, "cancel");
  }
  const faults = new Faults();
  const units = readUnits(before.lines, cancellation.lines, { kind: openKind, faults });
  faults.refuseIfAny();
  return cancelUnits(tx, before, { ...cancellation, units });
}

interface CancelledUnits extends MoneyTerms {
  readonly units: readonly LineUnits[];
  readonly reason: CancelReason;
  readonly note: string | null;
}

/**
 * Emits `order.cancelled` if nothing has shipped and nothing is left, else `order.updated`, and
 * `order.fulfilled` with the last open unit. Refuses with `validation_failed` more money than was paid.
 */
export async function cancelUnits(
  tx: Tx,
  before: WholeOrder,
  { units, reason, note, ...money }: CancelledUnits,
): Promise<WholeOrder> {
  const { lines, change } = await creditUnits(tx, before, {
    cancelled: units,
    returned: [],
    ...money,
  });
  const isCancelled = lines.every((line) => line.cancelledQuantity === line.quantity);
  const isFulfilled = change.fulfillmentStatus === "fulfilled";
  const order = await settleOrder(tx, before.order, {
    change: {
      ...change,
      ...(isCancelled && {
        cancelReason: reason,
        cancelNote: note,
        cancelledAt: tx.now,
        expiresAt: null,
      }),
      ...(isFulfilled && { fulfilledAt: tx.now }),
    },
    lines,
    isCancelled,
    announce: (after) =>
      isCancelled
        ? [orderCancelled(after, money.refund !== false || after.refundingMinor > 0)]
        : partly(after, { before, units }),
  });
  // Money that is kept for a cancelled order counts as a purchase, and so does its use of discounts.
  if (isCancelled && order.keptMinor === 0 && order.breakdown !== null) {
    await giveBackDiscounts(tx, order.id);
  }
  await settleLater(tx, order);
  return { ...before, order, lines };
}

/** The events of a part that is cancelled; what was shipped last completes the fulfillment with its last unit. */
function partly(
  order: Order,
  { before, units }: { readonly before: WholeOrder; readonly units: readonly LineUnits[] },
) {
  const cancelled = units.map(({ line, quantity }) => ({ lineItemId: line.id, quantity }));
  const last = sentFulfillments(before).at(-1);
  return [
    orderUpdated(order, { changed: ["line_items"], cancelled }),
    ...(order.fulfilledAt !== null && last !== undefined ? [orderFulfilled(order, last)] : []),
  ];
}
