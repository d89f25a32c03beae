// Story: units of an order are cancelled or come back, so the customer does not owe them any more. What was paid
// for them goes back, or is kept.

import { releaseStock } from "#catalog/inventory/reserve-stock.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { formatAmount, readAmount } from "#kernel/money.ts";
import { Faults } from "#kernel/refusal.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";
import { freedOf, overpaidOf } from "#sales/rows/balance.ts";
import type { LineUnits } from "#sales/rows/line-units.ts";
import {
  fulfillmentStatusOf,
  type Order,
  type OrderLine,
  unitsByVariant,
  type WholeOrder,
} from "#sales/rows/order.ts";
import { creditLine } from "#sales/rows/queries.ts";
import { creditedOf, keptBreakdown } from "#sales/rows/sale.ts";
import { getStore } from "#shop/store/lookups.ts";

export interface Credit {
  readonly cancelled: readonly LineUnits[];
  readonly returned: readonly LineUnits[];
}

/**
 * How much goes back: all money for credited units, nothing of it, or an amount in major units, which is all that goes
 * back and of what was overpaid first.
 */
export type MoneyBack = boolean | number | string;

/** The use of the money for credited units. */
export interface MoneyTerms {
  readonly refund: MoneyBack;
}

/** The changes of a credit; the caller saves it with `settleOrder`. */
export interface Credited {
  readonly lines: readonly OrderLine[];
  readonly change: Partial<Order>;
  /** The amount that goes back of the money for the units, minor units. */
  readonly backMinor: number;
}

/**
 * Writes the units of the lines, releases the stock of cancelled ones, and computes what the order owes
 * afterwards: what does not go back is kept. Refuses with `validation_failed` more money than was paid for them and is
 * overpaid.
 */
export async function creditUnits(
  tx: Tx,
  { order, lines: before }: WholeOrder,
  { cancelled, returned, refund }: Credit & MoneyTerms,
): Promise<Credited> {
  const lines = before.map((line) => ({
    ...line,
    cancelledQuantity: line.cancelledQuantity + unitsOf(line, cancelled),
    returnedQuantity: line.returnedQuantity + unitsOf(line, returned),
  }));
  const creditedMinor = creditedOf(order, lines);
  const { paidMinor, unpaidMinor } = freedOf(order, creditedMinor);
  const backMinor = unitsBackOf(order, refund, paidMinor);
  await releaseStock(
    tx,
    order.id,
    unitsByVariant(cancelled.map(({ line, quantity }) => ({ ...line, quantity }))),
  );
  for (const line of lines) {
    const units = {
      cancelled: unitsOf(line, cancelled),
      returned: unitsOf(line, returned),
    };
    if (units.cancelled + units.returned === 0) continue;
    if (!(await creditLine(tx, line, units))) throw new WriteConflict("The order");
  }
  const keptMinor = paidMinor - backMinor;
  const { keptTaxed: isTaxed } = await getStore(tx);
  const { saleTotalMinor } = order;
  return {
    lines,
    backMinor,
    change: {
      creditedMinor,
      keptMinor: order.keptMinor + keptMinor,
      ...(saleTotalMinor === null
        ? { keptApartMinor: order.keptApartMinor + keptMinor }
        : { saleTotalMinor: saleTotalMinor - unpaidMinor }),
      breakdown: keptBreakdown(order, { before, after: lines, keptMinor, isTaxed }),
      fulfillmentStatus: fulfillmentStatusOf(lines),
    },
  };
}

function unitsOf({ id }: OrderLine, units: readonly LineUnits[]): number {
  return units.find(({ line }) => line.id === id)?.quantity ?? 0;
}

/** The part of the money for the units that goes back. */
function unitsBackOf(order: Order, refund: MoneyBack, paidMinor: number): number {
  const { currency } = order;
  const askedMinor = readMoneyBack(refund, currency);
  if (askedMinor === null) return refund === false ? 0 : paidMinor;
  const surplusMinor = overpaidOf(order);
  const mostMinor = surplusMinor + paidMinor;
  const faults = new Faults();
  if (askedMinor > mostMinor) {
    const most = formatAmount(mostMinor, currency);
    faults.add("/refund", "more_than_paid", `Only ${most} ${currency} can go back.`);
  }
  faults.refuseIfAny();
  return Math.max(0, askedMinor - surplusMinor);
}

/** All that goes back, minor units; null unless it was given as an amount. Refuses with `validation_failed` what is none. */
export function readMoneyBack(refund: MoneyBack, currency: CurrencyCode): number | null {
  if (typeof refund === "boolean") return null;
  const faults = new Faults();
  const backMinor = readAmount(refund, currency, { faults, pointer: "/refund" });
  faults.refuseIfAny();
  return backMinor;
}
