// The discounts, the taxes and the amounts of a summary on the wire.

import type { Static } from "typebox";

import { readDiscountName, readTaxName } from "#analytics/price-names.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { inBounds } from "#kernel/money.ts";
import { printAmount } from "#platform/http/contract/wire-amount.ts";

import type { TaxTotal } from "./breakdown.ts";
import type { NameRow } from "./queries.ts";
import type { PartTotal } from "./ranking.ts";
import type { discountTotalSchema, taxTotalSchema } from "./schema.ts";

type Names = ReadonlyMap<number, NameRow>;

/** A discount and what it took off. */
export function presentDiscount(
  { part, count, grossMinor, netMinor }: PartTotal,
  currency: CurrencyCode,
  names: Names,
): Static<typeof discountTotalSchema> {
  const known = names.get(part);
  const { discountId, code } = readDiscountName(known?.name ?? "");
  return {
    discount_id: discountId,
    code,
    title: known?.title ?? null,
    orders: count,
    amount: print(grossMinor, currency),
    amount_minor: inBounds(grossMinor),
    net: print(netMinor, currency),
    net_minor: inBounds(netMinor),
  };
}

/** A tax with what was charged and what was refunded. */
export function presentTax(
  { part, taxableMinor, taxMinor, refundedTaxableMinor, refundedTaxMinor }: TaxTotal,
  currency: CurrencyCode,
  names: Names,
): Static<typeof taxTotalSchema> {
  const { name, rate, country, region, isIncluded } = readTaxName(names.get(part)?.name ?? "");
  return {
    name,
    rate,
    country,
    region,
    included: isIncluded,
    taxable: print(taxableMinor, currency),
    taxable_minor: inBounds(taxableMinor),
    tax: print(taxMinor, currency),
    tax_minor: inBounds(taxMinor),
    refunded_taxable: print(refundedTaxableMinor, currency),
    refunded_taxable_minor: inBounds(refundedTaxableMinor),
    refunded: print(refundedTaxMinor, currency),
    refunded_minor: inBounds(refundedTaxMinor),
  };
}

/** The amount in major units, as far as JSON readers keep its digits. */
export function print(amountMinor: number, currency: CurrencyCode) {
  return printAmount(inBounds(amountMinor), currency);
}
