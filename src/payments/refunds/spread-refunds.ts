// Story: an amount of an order is refunded from the payments that captured it. Invariant: the taxes and the shipping
// of the refunds add up to those of the amount.

import { portion, split } from "#kernel/money.ts";
import { refundablePayments } from "#payments/rows/lookups.ts";
import type { RefundedLine, RefundedTax } from "#payments/rows/payment-life.ts";
import { refundableMinor } from "#payments/rows/payment.ts";
import { paymentRows } from "#payments/rows/queries.ts";
import type { Refund } from "#payments/rows/refund.ts";
import { openRefund, type RefundTerms } from "#payments/settling/open-refund.ts";
import { taxesToRefund } from "#payments/settling/refund-taxes.ts";
import type { Tx } from "#platform/database/database.ts";
import { taxesOfAmount, type Unrefunded, without } from "#pricing/calculation/refund-shares.ts";
import type { TaxShare } from "#pricing/calculation/sale.ts";
import { partsOfRefund } from "#sales/rows/balance.ts";
import type { Order } from "#sales/rows/order.ts";
import { namedTaxes } from "#sales/rows/sale.ts";

/** A part of an order that is refunded, with one share for each tax of the order. */
interface NamedPart {
  readonly amountMinor: number;
  readonly taxes: readonly TaxShare[];
}

/** The parts of an order that a request names for a refund. */
export interface NamedParts {
  readonly lines: readonly (RefundedLine & NamedPart)[];
  readonly shipping: NamedPart;
}

export interface SpreadTerms extends Omit<RefundTerms, "lines" | "shippingMinor" | "taxes"> {
  readonly named?: NamedParts;
}

export interface SpreadRefunds {
  readonly order: Order;
  readonly refunds: readonly Refund[];
}

/**
 * Opens refunds of the locked order's payments until the amount is reached or nothing is left: gateways' payments
 * first, the newest first. The first refund carries the lines.
 */
export async function spreadRefunds(
  tx: Tx,
  before: Order,
  { named = nothingNamed, ...terms }: SpreadTerms,
): Promise<SpreadRefunds> {
  const payments = await refundablePayments(tx, before.id);
  const leftMinor = payments.reduce((sum, payment) => sum + refundableMinor(payment), 0);
  const amountMinor = Math.min(terms.amountMinor, leftMinor);
  const whole = sumOf(named);
  // Before the order was paid there is no sale of which anything could be named.
  const isSold = before.saleTotalMinor !== null;
  const { namedMinor: wantedMinor = whole.totalMinor } = terms;
  let namedOpenMinor = isSold ? Math.min(amountMinor, wantedMinor) : 0;
  const { saleMinor } = partsOfRefund(before, { amountMinor, namedMinor: namedOpenMinor });
  const taxes = await taxesToRefund(tx, before, { saleMinor, named: whole });
  const refunds: Refund[] = [];
  let order = before;
  let openMinor = amountMinor;
  let open: Unrefunded = { totalMinor: saleMinor, taxes };
  let shippingOpenMinor = named.shipping.amountMinor;
  for (const { id } of payments) {
    const payment = await paymentRows.lock(tx, id);
    const partMinor = Math.min(openMinor, refundableMinor(payment));
    if (partMinor === 0) continue;
    const shippingMinor = portion(shippingOpenMinor, partMinor, openMinor);
    const namedMinor = portion(namedOpenMinor, partMinor, openMinor);
    const parts = partsOfRefund(order, { amountMinor: partMinor, namedMinor });
    const shares = taxesOfAmount(parts.saleMinor, open);
    const opened = await openRefund(
      tx,
      { payment, order },
      {
        ...terms,
        amountMinor: partMinor,
        lines: refunds.length === 0 ? linesWith(named, taxes) : [],
        shippingMinor,
        namedMinor,
        taxes: namedTaxes(before, shares),
      },
    );
    open = without(open, { totalMinor: parts.saleMinor, taxes: shares });
    openMinor -= partMinor;
    shippingOpenMinor -= shippingMinor;
    namedOpenMinor -= namedMinor;
    refunds.push(opened.refund);
    order = opened.locked.order ?? order;
  }
  return { order, refunds };
}

const nothingNamed: NamedParts = { lines: [], shipping: { amountMinor: 0, taxes: [] } };

function sumOf({ lines, shipping }: NamedParts) {
  const parts = [...lines, shipping];
  const sum = (amountOf: (part: NamedPart) => number) =>
    parts.reduce((total, part) => total + amountOf(part), 0);
  const longest = Math.max(...parts.map(({ taxes }) => taxes.length));
  return {
    totalMinor: sum((part) => part.amountMinor),
    taxes: Array.from({ length: longest }, (_, index) => ({
      taxableMinor: sum(({ taxes }) => taxes[index]?.taxableMinor ?? 0),
      amountMinor: sum(({ taxes }) => taxes[index]?.amountMinor ?? 0),
    })),
  };
}

/** The lines with what the refund has of their taxes: less than was named where less of them is left. */
function linesWith({ lines, shipping }: NamedParts, taxes: readonly RefundedTax[]): RefundedLine[] {
  const shares = taxes.map(({ amountMinor, isIncluded }, index) => {
    const weights = [...lines, shipping].map((part) => part.taxes[index]?.amountMinor ?? 0);
    const namedMinor = weights.reduce((sum, weight) => sum + weight, 0);
    return { isIncluded, byPart: split(Math.min(amountMinor, namedMinor), weights) };
  });
  const taxWhere = (isIncluded: boolean, index: number) =>
    shares
      .filter((share) => share.isIncluded === isIncluded)
      .reduce((sum, { byPart }) => sum + (byPart[index] ?? 0), 0);
  return lines.map(({ taxes: _taxes, ...line }, index) => ({
    ...line,
    taxMinor: taxWhere(false, index),
    includedTaxMinor: taxWhere(true, index),
  }));
}
