// The form in which rows store a breakdown: its members by position, without their names. Names would be two thirds of it,
// and an order with them fills a page of the database alone. Invariant: a position keeps its meaning forever.

import type { SaleRate, TaxLine, TaxShare } from "#pricing/calculation/sale.ts";

import type { Breakdown, DiscountLine, ShippingPart, TaxTerms } from "./breakdown.ts";

/** The form of the columns that store one. */
export const packedBreakdown = { pack: packBreakdown, unpack: unpackBreakdown };

function packBreakdown(breakdown: Breakdown) {
  const { codes, discounts, taxes, taxTerms, taxClasses, shipping, sold } = breakdown;
  const packed = [
    codes,
    discounts.map(packDiscount),
    taxes.map(packTax),
    packTerms(taxTerms),
    taxClasses,
    packShipping(shipping),
    sold,
  ] as const;
  const { collectionIds } = breakdown;
  return collectionIds === undefined ? packed : ([...packed, collectionIds] as const);
}

/** A row that was written before there was this form has the breakdown with its names. */
function unpackBreakdown(packed: ReturnType<typeof packBreakdown> | Breakdown): Breakdown {
  if ("taxes" in packed) return packed;
  const [codes, discounts, taxes, taxTerms, taxClasses, shipping, sold, collectionIds] = packed;
  return {
    codes,
    discounts: discounts.map(unpackDiscount),
    taxes: taxes.map(unpackTax),
    taxTerms: unpackTerms(taxTerms),
    taxClasses,
    shipping: unpackShipping(shipping),
    sold,
    ...(collectionIds && { collectionIds }),
  };
}

function packDiscount(discount: DiscountLine) {
  const { discountId, code, title, target, amountMinor, byLine, agreed } = discount;
  return [discountId, code, title, target, amountMinor, byLine, agreed] as const;
}

function unpackDiscount(packed: ReturnType<typeof packDiscount>): DiscountLine {
  const [discountId, code, title, target, amountMinor, byLine, agreed] = packed;
  return { discountId, code, title, target, amountMinor, byLine, agreed };
}

function packTax(tax: TaxLine) {
  const { rate, taxClass, isIncluded, taxableMinor, amountMinor, byLine, shipping } = tax;
  return [
    packRate(rate),
    taxClass,
    isIncluded,
    taxableMinor,
    amountMinor,
    byLine.map(packShare),
    packShare(shipping),
  ] as const;
}

function unpackTax(packed: ReturnType<typeof packTax>): TaxLine {
  const [rate, taxClass, isIncluded, taxableMinor, amountMinor, byLine, shipping] = packed;
  return {
    rate: unpackRate(rate),
    taxClass,
    isIncluded,
    taxableMinor,
    amountMinor,
    byLine: byLine.map(unpackShare),
    shipping: unpackShare(shipping),
  };
}

function packTerms({ isIncluded, shippingTax, exemption, country, region, rates }: TaxTerms) {
  const byClass = rates.map((one) => [one.taxClass, one.rates.map(packRate)] as const);
  return [isIncluded, shippingTax, exemption, country, region, byClass] as const;
}

function unpackTerms(packed: ReturnType<typeof packTerms>): TaxTerms {
  const [isIncluded, shippingTax, exemption, country, region, byClass] = packed;
  const rates = byClass.map(([taxClass, ofClass]) => ({
    taxClass,
    rates: ofClass.map(unpackRate),
  }));
  return { isIncluded, shippingTax, exemption, country, region, rates };
}

function packRate({ name, country, region, millionths }: SaleRate) {
  return [name, country, region, millionths] as const;
}

function unpackRate([name, country, region, millionths]: ReturnType<typeof packRate>): SaleRate {
  return { name, country, region, millionths };
}

function packShare({ taxableMinor, amountMinor }: TaxShare) {
  return [taxableMinor, amountMinor] as const;
}

function unpackShare([taxableMinor, amountMinor]: ReturnType<typeof packShare>): TaxShare {
  return { taxableMinor, amountMinor };
}

function packShipping({ optionId, discountMinor, taxMinor, includedTaxMinor }: ShippingPart) {
  return [optionId, discountMinor, taxMinor, includedTaxMinor] as const;
}

function unpackShipping(packed: ReturnType<typeof packShipping>): ShippingPart {
  const [optionId, discountMinor, taxMinor, includedTaxMinor] = packed;
  return { optionId, discountMinor, taxMinor, includedTaxMinor };
}
