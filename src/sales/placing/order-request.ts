// The request from which an order is placed, whatever channel it comes through.

import type { TaxExemption } from "#customers/tax-exemption.ts";
import type { Address } from "#kernel/address.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import { readAmount, readPercent } from "#kernel/money.ts";
import type { PaymentMethod } from "#kernel/payment-method.ts";
import type { Faults } from "#kernel/refusal.ts";
import type { ManualDiscount } from "#pricing/quote/agree.ts";
import type { LineRequest, OwnLineRequest } from "#pricing/quote/price-order.ts";
import type { ShippingRequest } from "#pricing/shipping/shipping-charge.ts";
import type { OrderCustomerRequest } from "#sales/orders/lookups.ts";
import type { LimitedCaller } from "#shop/store/public-limits.ts";

/** The merchant's own discount; an amount is in major units. */
export type ManualRequest = { readonly title: string } & (
  { readonly amount: number | string } | { readonly percent: number | string }
);

export interface OrderRequest extends OrderCustomerRequest {
  readonly lines: readonly (LineRequest | OwnLineRequest)[];
  readonly paymentMethod: PaymentMethod;
  /** The shop's currency if undefined. */
  readonly currency: CurrencyCode | undefined;
  readonly channel: string;
  readonly externalId: string | null;
  readonly cartId: Id<"cart"> | null;
  readonly shippingAddress: Address | null;
  readonly billingAddress: Address | null;
  readonly notes: string | null;
  readonly shipping: ShippingRequest | null;
  /** The codes of discounts that the customer entered. */
  readonly codes: readonly string[];
  /** Those of them without which the order is refused. */
  readonly requiredCodes: readonly string[];
  readonly discount: ManualRequest | null;
  /** The customer's own if undefined. */
  readonly taxExemption?: TaxExemption | undefined;
  /** The customer's own if null. */
  readonly taxId: string | null;
  /** True if the merchant says who the customer is, or their session does. */
  readonly isCustomerProved: boolean;
  /** True if goods to ship need a shipping option where the shop has rates. */
  readonly needsShipping: boolean;
  readonly metadata: Metadata;
  /** True if the merchant places it; by a key in a public page, or on the page of a link, a customer does. */
  readonly isFromMerchant: boolean;
  /** The caller whose bounds hold; undefined for the merchant and the pages behind links. */
  readonly placedBy?: LimitedCaller | undefined;
  /** True if the empty fields of a known customer take what the request says of them. */
  readonly fillsCustomer?: boolean;
  /** The deposit agreed for this order; the shop's if undefined. */
  readonly depositPercent?: number | undefined;
  /** The total that the customer was shown, in major units. */
  readonly expectedTotal?: number | string | undefined;
}

/** The members of a merchant's own request if it asks for no discount and no tax number. */
export const plainRequest = {
  codes: [],
  requiredCodes: [],
  discount: null,
  taxId: null,
  isCustomerProved: true,
  needsShipping: false,
} as const;

/** Reads the merchant's own discount. Adds a fault for what is no amount or percentage. */
export function readManual(
  request: ManualRequest | null,
  currency: CurrencyCode,
  faults: Faults,
): ManualDiscount | null {
  if (request === null) return null;
  const { title } = request;
  if ("percent" in request) {
    const millionths = readPercent(request.percent, { faults, pointer: "/discount/percent" });
    return millionths === null ? null : { title, terms: { kind: "percent", millionths } };
  }
  const place = { faults, pointer: "/discount/amount" };
  const amountMinor = readAmount(request.amount, currency, place);
  return amountMinor === null ? null : { title, terms: { kind: "amount", amountMinor } };
}
