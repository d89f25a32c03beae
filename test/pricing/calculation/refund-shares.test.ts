// The shares of refunds: whatever the pieces, they come to the line, its discount and its taxes.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { split } from "#kernel/money.ts";
import { priceSale } from "#pricing/calculation/price-sale.ts";
import {
  part,
  shareOfUnits,
  type TaxedLine,
  taxesOfAmount,
  type UnitsShare,
} from "#pricing/calculation/refund-shares.ts";
import type { PricedSale, TaxShare } from "#pricing/calculation/sale.ts";

import { runs } from "../../support/runs.ts";
import { amountOff, anySale, line, percentOff, sale, taxes } from "./baskets.ts";

const numRuns = runs(300);

/** A line of a priced sale as an order keeps it. */
function taxedLine({ lines, taxLines }: PricedSale, position: number): TaxedLine {
  const { subtotalMinor, totalMinor } = lines[position] ?? { subtotalMinor: 0, totalMinor: 0 };
  const shares = taxLines.map(({ isIncluded, byLine }) => ({
    taxableMinor: byLine[position]?.taxableMinor ?? 0,
    amountMinor: byLine[position]?.amountMinor ?? 0,
    isIncluded,
  }));
  return { subtotalMinor, totalMinor, taxes: shares };
}

const single = { quantity: 3, units: 1 };

describe("one of three units", () => {
  test.each([
    [
      "33.33 each with 10 % off",
      sale([line(3333, 3)], { manual: percentOff(10) }),
      [3333, 333, 0, 3000],
    ],
    [
      "100.00 in all, after an amount off",
      sale([line(3334, 3)], { manual: amountOff(2) }),
      [3334, 1, 0, 3333],
    ],
  ])("%s", (_, given, [subtotal, discount, tax, total]) => {
    const share = shareOfUnits(taxedLine(priceSale(given), 0), { ...single, done: 0 });

    expect(share).toMatchObject({
      subtotalMinor: subtotal,
      discountMinor: discount,
      taxMinor: tax,
      totalMinor: total,
    });
  });

  test("of 100.00 in Ghana carries a third of each levy: 0.83, 0.83 and 5.00", () => {
    const priced = priceSale(
      sale([line(3334, 3)], { manual: amountOff(2), taxes: taxes("on_top", 2.5, 2.5, 15) }),
    );

    const share = shareOfUnits(taxedLine(priced, 0), { ...single, done: 0 });

    expect(share.taxes.map((tax) => tax.amountMinor)).toEqual([83, 83, 500]);
    expect(share.taxes.map((tax) => tax.taxableMinor)).toEqual([3333, 3333, 3333]);
    expect(share).toMatchObject({ taxMinor: 666, totalMinor: 4000 });
  });
});

test("the part of the first units is what a split with the others gives them", () => {
  const units = fc
    .integer({ min: 1, max: 40 })
    .chain((quantity) => fc.tuple(fc.constant(quantity), fc.nat(quantity)));
  fc.assert(
    fc.property(fc.nat(100_000), units, (amount, [quantity, first]) => {
      expect(part(amount, { quantity, done: 0, units: first })).toBe(
        split(amount, [first, quantity - first])[0] ?? 0,
      );
    }),
    { numRuns },
  );
});

/** A priced sale, one of its lines, and the pieces in which its units come back. */
const anyReturns = anySale().chain((given) =>
  fc.nat(given.lines.length - 1).chain((position) =>
    fc.record({
      priced: fc.constant(priceSale(given)),
      position: fc.constant(position),
      pieces: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 8 }).map((sizes) => {
        const quantity = given.lines[position]?.quantity ?? 0;
        return piecesOf(quantity, sizes);
      }),
    }),
  ),
);

/** The sizes as far as units last, and the rest as one piece. */
function piecesOf(quantity: number, sizes: readonly number[]) {
  let done = 0;
  return [...sizes, quantity].flatMap((size) => {
    const units = Math.min(size, quantity - done);
    if (units === 0) return [];
    done += units;
    return [{ quantity, done: done - units, units }];
  });
}

function sum<T>(rows: readonly T[], amountOf: (row: T) => number): number {
  return rows.reduce((total, row) => total + amountOf(row), 0);
}

test("units that come back in any pieces come to the line, its discount and each of its taxes", () => {
  fc.assert(
    fc.property(anyReturns, ({ priced, position, pieces }) => {
      const sold = taxedLine(priced, position);

      const shares = pieces.map((units) => shareOfUnits(sold, units));

      const total = (key: Exclude<keyof UnitsShare, "taxes">) => sum(shares, (share) => share[key]);
      const { unitMinor: _, ...amounts } = priced.lines[position] ?? { unitMinor: 0 };
      expect({
        subtotalMinor: total("subtotalMinor"),
        discountMinor: total("discountMinor"),
        taxMinor: total("taxMinor"),
        includedTaxMinor: total("includedTaxMinor"),
        totalMinor: total("totalMinor"),
      }).toEqual({ ...amountsOfNothing, ...amounts });
      for (const [index, tax] of sold.taxes.entries()) {
        const parts = shares.map((share) => share.taxes[index] ?? nothing);
        expect(sum(parts, (one) => one.amountMinor)).toBe(tax.amountMinor);
        expect(sum(parts, (one) => one.taxableMinor)).toBe(tax.taxableMinor);
      }
    }),
    { numRuns },
  );
});

const nothing: TaxShare = { taxableMinor: 0, amountMinor: 0 };
const amountsOfNothing = {
  subtotalMinor: 0,
  discountMinor: 0,
  taxMinor: 0,
  includedTaxMinor: 0,
  totalMinor: 0,
};

test("no share of units is below zero but that of a discount, by a unit per tax at most", () => {
  fc.assert(
    fc.property(anyReturns, ({ priced, position, pieces }) => {
      const sold = taxedLine(priced, position);

      const shares = pieces.map((units) => shareOfUnits(sold, units));

      const amounts = shares.flatMap((share) => [
        share.subtotalMinor,
        share.taxMinor,
        share.includedTaxMinor,
        share.totalMinor,
        ...share.taxes.flatMap((tax) => [tax.amountMinor, tax.taxableMinor]),
      ]);
      expect(amounts.filter((one) => one < 0)).toEqual([]);
      const lowest = -1 - sold.taxes.length;
      expect(shares.filter((share) => share.discountMinor < lowest)).toEqual([]);
    }),
    { numRuns },
  );
});

test("refunds by amount come to the taxes of the sale with the last of them", () => {
  const refunds = fc.tuple(anySale(), fc.array(fc.nat(100), { maxLength: 6 }));
  fc.assert(
    fc.property(refunds, ([given, percents]) => {
      const { taxLines, totals } = priceSale(given);
      let left: readonly TaxShare[] = taxLines;
      let totalMinor = totals.totalMinor;

      for (const percent of [...percents, 100]) {
        const amount = Math.floor((totalMinor * percent) / 100);
        const refunded = taxesOfAmount(amount, { totalMinor, taxes: left });
        expect(sum(refunded, (tax) => tax.amountMinor)).toBeLessThanOrEqual(amount);
        left = left.map((tax, index) => ({
          taxableMinor: tax.taxableMinor - (refunded[index]?.taxableMinor ?? 0),
          amountMinor: tax.amountMinor - (refunded[index]?.amountMinor ?? 0),
        }));
        totalMinor -= amount;
        expect(left.filter((tax) => tax.amountMinor < 0 || tax.taxableMinor < 0)).toEqual([]);
      }

      expect(left.filter((tax) => tax.amountMinor > 0 || tax.taxableMinor > 0)).toEqual([]);
    }),
    { numRuns },
  );
});

test("half of 120.00 in Ghana, given back as an amount, carries half of each levy", () => {
  const { taxLines, totals } = priceSale(
    sale([line(10_000)], { taxes: taxes("on_top", 2.5, 2.5, 15) }),
  );

  const refunded = taxesOfAmount(6000, { totalMinor: totals.totalMinor, taxes: taxLines });

  expect(refunded).toEqual([
    { taxableMinor: 5000, amountMinor: 125 },
    { taxableMinor: 5000, amountMinor: 125 },
    { taxableMinor: 5000, amountMinor: 750 },
  ]);
});
