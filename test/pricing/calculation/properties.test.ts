// What holds for every sale. RUNS=200 SEED=random tries each of these 60,000 times.

import { expect, test } from "bun:test";

import fc from "fast-check";

import { MILLION } from "#kernel/money.ts";
import { priceSale } from "#pricing/calculation/price-sale.ts";
import type { Candidate, PricedSale, UnpricedSale } from "#pricing/calculation/sale.ts";

import { runs } from "../../support/runs.ts";
import { anySale, anyTerms, percentOff, steadyShipping } from "./baskets.ts";

const numRuns = runs(300);

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, one) => total + one, 0);
}

/** Every amount of an answer, however deep. */
function amountsIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap((part) => amountsIn(part))
    : [];
}

test("every amount is whole and not below zero", () => {
  fc.assert(
    fc.property(anySale(), (sale) => {
      const amounts = amountsIn(priceSale(sale));

      expect(amounts.filter((one) => !Number.isSafeInteger(one) || one < 0)).toEqual([]);
    }),
    { numRuns },
  );
});

test("lines add up to totals, and a total is subtotal - discount + shipping + tax", () => {
  fc.assert(
    fc.property(anySale(), (sale) => {
      const { lines, shipping, totals } = priceSale(sale);

      const [subtotal, off] = [totals.subtotalMinor, totals.discountMinor];
      const ofLines = (key: keyof PricedSale["lines"][number]) => sum(lines.map((one) => one[key]));
      const sums = lines.map((one) => one.subtotalMinor - one.discountMinor + one.taxMinor);
      expect(lines.map((one) => one.totalMinor)).toEqual(sums);
      expect([ofLines("subtotalMinor"), ofLines("discountMinor")]).toEqual([subtotal, off]);
      expect(ofLines("taxMinor") + shipping.taxMinor).toBe(totals.taxMinor);
      expect(ofLines("includedTaxMinor") + shipping.includedTaxMinor).toBe(totals.includedTaxMinor);
      expect(shipping.askedMinor - shipping.discountMinor).toBe(totals.shippingMinor);
      expect(subtotal - off + totals.shippingMinor + totals.taxMinor).toBe(totals.totalMinor);
    }),
    { numRuns },
  );
});

test("the shares of discounts and taxes are those of the lines", () => {
  fc.assert(
    fc.property(anySale(), (sale) => {
      const { lines, shipping, discounts, taxLines } = priceSale(sale);

      const offGoods = lines.map((_, index) => sum(discounts.map((one) => one.byLine[index] ?? 0)));
      const taxed = [...lines, shipping].map((one) => one.taxMinor + one.includedTaxMinor);
      const shares = taxLines.map(({ byLine, shipping: last }) =>
        [...byLine, last].map((share) => share.amountMinor),
      );
      const ofShipping = discounts.filter(({ target }) => target === "shipping");
      expect(lines.map((one) => one.discountMinor)).toEqual(offGoods);
      expect(sum(ofShipping.map((one) => one.amountMinor))).toBe(shipping.discountMinor);
      expect(taxed.map((_, index) => sum(shares.map((one) => one[index] ?? 0)))).toEqual(taxed);
      expect(taxLines.map((one) => one.amountMinor)).toEqual(shares.map(sum));
      expect(taxLines.map((one) => one.taxableMinor)).toEqual(
        taxLines.map((one) => sum([...one.byLine, one.shipping].map((part) => part.taxableMinor))),
      );
    }),
    { numRuns },
  );
});

test("no line and no shipping carries more discount than its price, or more included tax than money", () => {
  fc.assert(
    fc.property(anySale(), (sale) => {
      const { lines, shipping } = priceSale(sale);

      const left = lines.map((one) => one.subtotalMinor - one.discountMinor);
      expect(left.filter((minor) => minor < 0)).toEqual([]);
      expect(lines.filter((one, index) => one.includedTaxMinor > (left[index] ?? 0))).toEqual([]);
      expect(shipping.includedTaxMinor).toBeLessThanOrEqual(shipping.amountMinor);
    }),
    { numRuns },
  );
});

test("each tax is within half a unit of its rate on its base", () => {
  fc.assert(
    fc.property(anySale(), (sale) => {
      const { taxLines } = priceSale(sale);

      const beyond = taxLines.filter(
        ({ rate, taxClass, isIncluded, taxableMinor, amountMinor }) => {
          const rates = sale.taxes.ratesByClass.get(taxClass) ?? [];
          const inside = isIncluded ? sum(rates.map((one) => one.millionths)) : 0;
          const whole = BigInt(MILLION + inside);
          const exact = BigInt(taxableMinor) * BigInt(rate.millionths);
          const off = BigInt(amountMinor) * whole - exact;
          return 2n * off > whole || 2n * off <= -whole;
        },
      );
      expect(beyond).toEqual([]);
    }),
    { numRuns },
  );
});

test("the order in which discounts are given changes nothing", () => {
  const shuffled = anySale().chain((sale) =>
    fc.tuple(
      fc.constant(sale),
      fc.shuffledSubarray([...sale.candidates], { minLength: sale.candidates.length }),
    ),
  );
  fc.assert(
    fc.property(shuffled, ([sale, candidates]) => {
      expect(priceSale({ ...sale, candidates })).toEqual(priceSale(sale));
    }),
    { numRuns },
  );
});

test("every discount either applies or is named with the reason", () => {
  fc.assert(
    fc.property(anySale(), (sale) => {
      const { discounts, notApplied } = priceSale(sale);

      const named = [...discounts, ...notApplied].flatMap(({ id }) => (id === null ? [] : [id]));
      expect(named.toSorted()).toEqual(sale.candidates.map(({ id }) => id).toSorted());
      expect(discounts.filter(({ amountMinor }) => amountMinor === 0)).toEqual([]);
    }),
    { numRuns },
  );
});

test("one more discount of goods never costs more where shipping has no threshold", () => {
  const withOneMore = anySale({ shipping: steadyShipping }).chain((sale) =>
    fc.tuple(
      fc.constant(withoutShippingMinimums(sale)),
      anyTerms(sale.lines.length, ["lines", "order"]),
      fc.constantFrom("Z", "dd", "z"),
    ),
  );
  fc.assert(
    fc.property(withOneMore, ([sale, terms, id]) => {
      const before = costOf(priceSale(sale));
      const after = priceSale({ ...sale, candidates: [...sale.candidates, { ...terms, id }] });

      // Each discount of the order is rounded once.
      const rounded = after.discounts.filter(({ target }) => target === "order").length;
      expect(costOf(after)).toBeLessThanOrEqual(before + rounded);
    }),
    { numRuns },
  );
});

/** What is paid for goods and shipping before tax on top: which set saves most is decided by it. */
function costOf({ totals }: PricedSale): number {
  return totals.totalMinor - totals.taxMinor;
}

function withoutShippingMinimums(sale: UnpricedSale): UnpricedSale {
  const candidates = sale.candidates.map((one) =>
    one.target === "shipping" ? { ...one, minimumSubtotalMinor: null } : one,
  );
  return { ...sale, candidates };
}

test("splitting a line in two changes no tax", () => {
  // The share of a discount may move by a unit to a line of another class.
  const undiscounted = { candidates: fc.constant([]), manual: fc.constant(null) };
  const split = anySale(undiscounted).chain((sale) =>
    fc.tuple(fc.constant(sale), fc.nat(sale.lines.length - 1), fc.nat(30)),
  );
  fc.assert(
    fc.property(split, ([sale, position, units]) => {
      const lines = sale.lines.flatMap((line, index) => {
        const first = Math.min(units, line.quantity);
        const parts = [first, line.quantity - first].map((quantity) => ({ ...line, quantity }));
        return index === position ? parts : [line];
      });

      const whole = priceSale(sale);
      const parted = priceSale({ ...sale, lines });

      const taxes = ({ taxLines }: PricedSale) =>
        taxLines.map(({ rate, taxableMinor, amountMinor }) => [rate, taxableMinor, amountMinor]);
      expect(parted.totals).toEqual(whole.totals);
      expect(taxes(parted)).toEqual(taxes(whole));
    }),
    { numRuns },
  );
});

test("units of a variant that are told apart cost what they cost together", () => {
  const split = anySale().chain((sale) =>
    fc.tuple(fc.constant(sale), fc.nat(sale.lines.length - 1), fc.nat(30)),
  );
  fc.assert(
    fc.property(split, ([sale, position, units]) => {
      const named = sale.lines.map((line, index) => ({ ...line, variantId: `var_${index}` }));
      const apart = named.flatMap((line, index) => {
        const quantity = Math.min(units, line.quantity - 1);
        return index === position && quantity > 0 ? [{ ...line, quantity }] : [];
      });
      const lines = named.map((line, index) => {
        const taken = index === position ? (apart[0]?.quantity ?? 0) : 0;
        return { ...line, quantity: line.quantity - taken };
      });
      const also = (indexes: readonly number[]) =>
        apart.length > 0 && indexes.includes(position) ? [...indexes, lines.length] : indexes;
      const candidates = sale.candidates.map((one): Candidate => {
        const { terms } = one;
        if (terms.kind !== "buy_get") return { ...one, lines: also(one.lines) };
        const buy = { ...terms.buy, lines: also(terms.buy.lines) };
        const get = { ...terms.get, lines: also(terms.get.lines) };
        return { ...one, lines: also(one.lines), terms: { ...terms, buy, get } };
      });

      const whole = priceSale({ ...sale, lines: named });
      const parted = priceSale({ ...sale, lines: [...lines, ...apart], candidates });

      const costOfAll = ({ totals, shipping, notApplied, discounts, taxLines }: PricedSale) => ({
        totals,
        shipping,
        notApplied,
        discounts: discounts.map(({ id, amountMinor }) => [id, amountMinor]),
        taxes: taxLines.map((tax) => [tax.rate, tax.taxableMinor, tax.amountMinor, tax.shipping]),
      });
      expect(costOfAll(parted)).toEqual(costOfAll(whole));
      for (const { byLine, amountMinor, target } of parted.discounts) {
        if (target !== "shipping") expect(sum(byLine)).toBe(amountMinor);
      }
      for (const { byLine, amountMinor, shipping } of parted.taxLines) {
        expect(sum(byLine.map((share) => share.amountMinor)) + shipping.amountMinor).toBe(
          amountMinor,
        );
      }
      for (const line of parted.lines) {
        const leftMinor = line.subtotalMinor - line.discountMinor;
        expect(leftMinor).toBeGreaterThanOrEqual(0);
        expect(line.includedTaxMinor).toBeLessThanOrEqual(leftMinor);
      }
    }),
    { numRuns },
  );
});

test("100 % off is free, whether tax is included or not", () => {
  fc.assert(
    fc.property(anySale({ shipping: fc.constant(null) }), (sale) => {
      const free = priceSale({ ...sale, manual: percentOff(100) });

      expect(free.totals.totalMinor).toBe(0);
      expect(free.totals.includedTaxMinor).toBe(0);
      expect(free.totals.discountMinor).toBe(free.totals.subtotalMinor);
    }),
    { numRuns },
  );
});
