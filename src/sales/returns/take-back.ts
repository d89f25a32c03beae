// Story: shipped units of a locked order are taken back.

import { restockStock } from "#catalog/inventory/restock-stock.ts";
import { type Id, newId } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { dueOf, netOf } from "#sales/balance/balance.ts";
import { creditUnits, type MoneyTerms } from "#sales/balance/credit-units.ts";
import type { LineUnits } from "#sales/balance/line-units.ts";
import { creditedUnits } from "#sales/balance/sale.ts";
import { settleLater } from "#sales/balance/settle-later.ts";
import { settleOrder } from "#sales/balance/settle-order.ts";
import {
  type Order,
  type OrderLine,
  unitsByVariant,
  type WholeOrder,
} from "#sales/orders/order.ts";

import { orderReturned } from "./events.ts";
import { insertReturn } from "./queries.ts";
import type { ReturnReason } from "./return-life.ts";
import type { ReturnRow } from "./tables.ts";

export interface ReturnTerms extends MoneyTerms {
  readonly reason: ReturnReason;
  readonly note: string | null;
  /** True if what is still due is written off; undefined for the default. */
  readonly writeOff: boolean | undefined;
  readonly exchangeOrderId: Id<"order"> | null;
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
