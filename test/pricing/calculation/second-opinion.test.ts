// Every amount of any sale against a second pricing with exact fractions.

import { expect, test } from "bun:test";

import fc from "fast-check";

import { priceSale } from "#pricing/calculation/price-sale.ts";

import { runs } from "../../support/runs.ts";
import { anySale } from "./baskets.ts";
import { secondOpinion } from "./second-opinion.ts";

test("a second pricing with exact fractions comes to the same amounts", () => {
  fc.assert(
    fc.property(anySale(), (sale) => {
      const priced = priceSale(sale);
      const second = secondOpinion(sale);

      const left = priced.lines.map((line) => BigInt(line.subtotalMinor - line.discountMinor));
      const reasons = new Map(priced.notApplied.map(({ id, reason }) => [id, reason]));
      const ofGoods = priced.discounts.filter(({ target }) => target !== "shipping");
      const off = new Map(ofGoods.map(({ id, byLine }) => [id, byLine.map(BigInt)]));
      const taxes = priced.taxLines.map(({ rate, taxClass, byLine, shipping }) => ({
        taxClass,
        name: rate.name,
        taxable: [...byLine, shipping].map((share) => BigInt(share.taxableMinor)),
        shares: [...byLine, shipping].map((share) => BigInt(share.amountMinor)),
      }));
      expect(priced.lines.map((line) => BigInt(line.unitMinor))).toEqual(second.units);
      expect(left).toEqual(second.left);
      expect(off).toEqual(second.off);
      expect(BigInt(priced.shipping.askedMinor)).toBe(second.asked ?? 0n);
      expect(priced.shipping.isOffered).toBe(second.asked !== null);
      expect(priced.shipping.discountId).toBe(second.offShipping?.id ?? null);
      expect(BigInt(priced.shipping.amountMinor)).toBe(second.charged);
      expect(reasons).toEqual(second.reasons);
      expect(taxes).toEqual(second.taxes);
    }),
    { numRuns: runs(300) },
  );
});
