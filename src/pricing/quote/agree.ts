// Keeps the terms of a priced sale: the discounts with their terms, the taxes with their shares, and the shipping.

import type { AppliedDiscount, Manual, PricedSale, SaleLine } from "#pricing/calculation/sale.ts";
import type { AgreedDiscount, ScopedLine } from "#pricing/discount-uses/candidates.ts";
import type { DiscountUse } from "#pricing/discount-uses/claim-discounts.ts";
import type { ShippingOptionId } from "#pricing/shipping/shipping-charge.ts";

import type { Breakdown, DiscountLine, TaxTerms } from "./breakdown.ts";

/** The merchant's own discount. */
export interface ManualDiscount {
  readonly title: string;
  readonly terms: Manual;
}

/** The terms by which the sale was priced. */
export interface Agreement {
  readonly codes: readonly string[];
  readonly found: readonly {
    readonly discount: AgreedDiscount & { readonly title: string };
    readonly code: string | null;
  }[];
  readonly manual: ManualDiscount | null;
  readonly optionId: ShippingOptionId | null;
  readonly lines: readonly (SaleLine & Pick<ScopedLine, "collectionIds">)[];
  readonly taxTerms: TaxTerms;
}

/**
 * The breakdown of a priced sale. It keeps the merchant's own discount even where nothing is left for it: other goods
 * may come.
 */
export function breakdownOf(priced: PricedSale, agreement: Agreement): Breakdown {
  const { codes, lines, manual, taxTerms, optionId } = agreement;
  const { discountMinor, taxMinor, includedTaxMinor } = priced.shipping;
  return {
    codes,
    discounts: withManual(priced.discounts, { manual, lines }).map((one) =>
      discountLine(one, agreement),
    ),
    taxes: priced.taxLines,
    taxTerms,
    taxClasses: lines.map(({ taxClass }) => taxClass),
    ...collectionsOf(lines),
    shipping: { optionId, discountMinor, taxMinor, includedTaxMinor },
    sold: null,
  };
}

function collectionsOf(lines: Agreement["lines"]): Pick<Breakdown, "collectionIds"> {
  if (lines.every(({ collectionIds }) => collectionIds === undefined)) return {};
  return { collectionIds: lines.map(({ collectionIds = [] }) => collectionIds) };
}

function withManual(
  applied: readonly AppliedDiscount[],
  { manual, lines }: Pick<Agreement, "manual" | "lines">,
): readonly AppliedDiscount[] {
  if (manual === null || applied.some(({ id }) => id === null)) return applied;
  return [...applied, { id: null, target: "order", amountMinor: 0, byLine: lines.map(() => 0) }];
}

function discountLine(
  { id, target, amountMinor, byLine }: AppliedDiscount,
  { found, manual }: Agreement,
): DiscountLine {
  const applied = { target, amountMinor, byLine };
  const known = found.find(({ discount }) => discount.id === id);
  if (known !== undefined) {
    const { code, discount } = known;
    const { id: discountId, title, isStackable, terms, scope, minimum } = discount;
    const agreed = { id: discountId, target, isStackable, terms, scope, minimum };
    return { ...applied, discountId, code, title, agreed };
  }
  if (manual === null) throw new Error("A discount applies that was not offered.");
  return { ...applied, discountId: null, code: null, title: manual.title, agreed: manual.terms };
}

/** The discounts to count a use of: those of the shop that took something off. */
export function usesOf({ discounts }: Breakdown): DiscountUse[] {
  return discounts.flatMap(({ discountId, code }) =>
    discountId === null ? [] : [{ discountId, code }],
  );
}
