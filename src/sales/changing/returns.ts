// Story: shipped units of an order come back, with the money for them or without.

import { restockStock } from "#catalog/inventory/reserve-stock.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import { type Id, newId } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { orderReturned } from "#sales/orders/events.ts";
import { findOrder, lockWholeOrder } from "#sales/orders/lookups.ts";
import { insertReturn } from "#sales/orders/return-queries.ts";
import { dueOf, netOf } from "#sales/rows/balance.ts";
import {
  type LineUnits,
  readUnits,
  shippedKind,
  type UnitsRequest,
} from "#sales/rows/line-units.ts";
import type { ReturnReason } from "#sales/rows/order-life.ts";
import { type Order, type OrderLine, unitsByVariant, type WholeOrder } from "#sales/rows/order.ts";
import { creditedUnits } from "#sales/rows/sale.ts";
import type { ReturnRow } from "#sales/rows/tables.ts";

import { creditUnits, type MoneyTerms } from "./credit-units.ts";
import { settleLater, settleOrder } from "./settle-order.ts";

export interface ReturnRequest extends ReturnTerms {
  readonly lines: readonly UnitsRequest[];
  /** True if the units return to stock. */
  readonly restock: boolean;
}

/**
 * Saves the return, returns units to stock if asked, and emits `order.returned`. What was paid for the
 * units goes back or is kept. By default what is due is written off if nothing was paid, every shipped unit came
 * back and none is open. Refuses with `order_not_found`, `stale_version` and `validation_failed`.
 */
export async function returnUnits(
  tx: Tx,
  id: Id<"order">,
  { request, expected }: { readonly request: ReturnRequest; readonly expected: ExpectedVersion },
): Promise<Returned> {
  const before = await lockWholeOrder(tx, id);
  requireVersion(before.order.version, expected);
  const faults = new Faults();
  const units = readUnits(before.lines, request.lines, { kind: shippedKind, faults });
  await refuseWrongExchange(tx, before.order, { request, faults });
  faults.refuseIfAny();
  const back = units.map((one) => ({ ...one, isRestocked: request.restock }));
  return takeBack(tx, before, { ...request, units: back });
}

/** Refuses an exchange that is not another order that exists. */
async function refuseWrongExchange(
  tx: Tx,
  { id }: Order,
  { request, faults }: { readonly request: ReturnTerms; readonly faults: Faults },
): Promise<void> {
  const { exchangeOrderId } = request;
  if (exchangeOrderId === null) return;
  if (exchangeOrderId === id) {
    faults.add("/exchange_order_id", "invalid_choice", "An order is not its own exchange.");
  } else if ((await findOrder(tx, exchangeOrderId)) === undefined) {
    faults.add("/exchange_order_id", "unknown_order", "There is no such order.");
  }
}

interface ReturnTerms extends MoneyTerms {
  readonly reason: ReturnReason;
  readonly note: string | null;
  /** True if what is still due is written off; undefined for the default. */
  readonly writeOff: boolean | undefined;
  readonly exchangeOrderId: Id<"order"> | null;
  readonly metadata: Metadata;
}

/** Units of a line that come back. */
export interface UnitsBack extends LineUnits {
  readonly isRestocked: boolean;
}

/** A return with its order afterwards. */
export interface Returned extends WholeOrder {
  readonly row: ReturnRow;
}

/**
 * Saves the return, returns units to stock if asked, and emits `order.returned`. Refuses with
 * `validation_failed` more money than was paid for the units.
 */
export async function takeBack(
  tx: Tx,
  before: WholeOrder,
  { units, ...terms }: ReturnTerms & { readonly units: readonly UnitsBack[] },
): Promise<Returned> {
  const { lines, change, backMinor } = await creditUnits(tx, before, {
    cancelled: [],
    returned: units,
    ...terms,
  });
  await restock(tx, before.order, units);
  const credited = { ...before.order, ...change };
  const isWriteOff = terms.writeOff ?? isRefused(credited, lines);
  const writtenOffMinor = isWriteOff ? dueOf(credited) : 0;
  const row: ReturnRow = {
    orderId: before.order.id,
    id: newId("return", tx.now),
    lines: units.map(({ line, quantity, isRestocked }) => ({
      lineItemId: line.id,
      quantity,
      restocked: isRestocked && line.variantId !== null ? quantity : 0,
    })),
    reason: terms.reason,
    note: terms.note,
    refundMinor: backMinor,
    writtenOffMinor,
    exchangeOrderId: terms.exchangeOrderId,
    metadata: terms.metadata,
    createdAt: tx.now,
  };
  await insertReturn(tx, row);
  const order = await settleOrder(tx, before.order, {
    change: { ...change, writtenOffMinor: before.order.writtenOffMinor + writtenOffMinor },
    lines,
    announce: (after) => [orderReturned(after, row)],
  });
  await settleLater(tx, order);
  return { order, lines, fulfillments: before.fulfillments, row };
}

/** A parcel that was refused at the door: nothing was paid, every shipped unit came back, and none is open. */
function isRefused(order: Order, lines: readonly OrderLine[]): boolean {
  return netOf(order) === 0 && lines.every((line) => creditedUnits(line) === line.quantity);
}

async function restock(tx: Tx, order: Order, units: readonly UnitsBack[]): Promise<void> {
  const shelved = units.filter(({ isRestocked }) => isRestocked);
  await restockStock(
    tx,
    order.id,
    unitsByVariant(shelved.map(({ line, quantity }) => ({ ...line, quantity }))),
  );
}
