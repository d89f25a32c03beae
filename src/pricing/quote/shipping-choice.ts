// Rules: where a sale is shipped to, and what the options cost that are offered for it.

import type { Address } from "#kernel/address.ts";
import type { AreaOfAddress } from "#kernel/area.ts";
import { priceOfShipping } from "#pricing/calculation/price-sale.ts";
import type { SaleLine, SaleTotals, UnpricedSale } from "#pricing/calculation/sale.ts";
import type { OfferedOption } from "#pricing/shipping/find-shipping-options.ts";

/** A shipping option with its price for this sale. */
export interface QuotedOption extends OfferedOption {
  readonly amountMinor: number;
}

export interface AddressesOfSale {
  readonly shippingAddress: Address | null;
  readonly billingAddress: Address | null;
}

/** The place that the sale goes to: the shipping address, else the billing address, else the shop's own country. */
export function placeOf(
  { country: home }: { readonly country: string | null },
  { shippingAddress, billingAddress }: AddressesOfSale,
): AreaOfAddress {
  for (const address of [shippingAddress, billingAddress]) {
    if (address === null || address.country === null) continue;
    const { country, region, postalCode } = address;
    return { country, region, postalCode };
  }
  return { country: home, region: null, postalCode: null };
}

/**
 * Returns true if something is to be shipped: without it no option is needed, and one that was chosen has no effect.
 */
export function needsShipping(
  lines: readonly Pick<SaleLine, "requiresShipping" | "quantity">[],
): boolean {
  return lines.some((line) => line.requiresShipping && line.quantity > 0);
}

/** The options that the goods and their weight reach, with their prices. */
export function priceOptions(
  options: readonly OfferedOption[],
  sale: Omit<UnpricedSale, "shipping">,
  { subtotalMinor, discountMinor }: Pick<SaleTotals, "subtotalMinor" | "discountMinor">,
): QuotedOption[] {
  const goodsMinor = subtotalMinor - discountMinor;
  return options.flatMap((option) => {
    const amountMinor = priceOfShipping(sale, option.pricing, goodsMinor);
    return amountMinor === null ? [] : [{ ...option, amountMinor }];
  });
}
