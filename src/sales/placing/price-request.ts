// Lookup: what an order comes to as it is placed. Refuses what the customer would not get as it was shown.

import type { Customer } from "#customers/customer.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { formatAmount } from "#kernel/money.ts";
import type { Tx } from "#platform/database/database.ts";
import { limitsOf } from "#pricing/discount-uses/discount-use.ts";
import { foldCode } from "#pricing/discounts/discount-code.ts";
import type { ManualDiscount } from "#pricing/quote/agree.ts";
import { type AgreedSale, agreedSale } from "#pricing/quote/agreed-sale.ts";
import { lineToQuote, type PricedLine } from "#pricing/quote/price-order.ts";
import {
  quoteSale,
  type RejectedCode,
  type SaleQuote,
  type SaleToQuote,
  type ShippingProblem,
} from "#pricing/quote/quote-sale.ts";
import {
  discountNotApplicable,
  isHarmless,
  optionMember,
  shippingRequired,
  shippingUnavailable,
} from "#pricing/quote/refusals.ts";
import type { ShippingAsked } from "#pricing/shipping/shipping-charge.ts";
import { totalChanged } from "#sales/rows/order.ts";
import {
  checkoutIncomplete,
  type Missing,
  missingIn,
  problemsOf,
} from "#sales/rows/requirements.ts";
import type { Store } from "#shop/store/store.ts";

import { type OrderRequest, taxIdOf } from "./order-request.ts";

/** The request as far as it was read; amounts in minor units. */
export interface PriceTerms {
  readonly store: Store;
  readonly currency: CurrencyCode;
  readonly lines: readonly PricedLine[];
  readonly shipping: ShippingAsked | null;
  readonly manual: ManualDiscount | null;
  readonly expectedMinor: number | null;
  /** The customer of the contact or the id, if there is one already. */
  readonly known: Customer | null;
}

/**
 * Returns the sale that the customer agrees to. Refuses with `discount_not_applicable`, `total_changed`,
 * `checkout_incomplete`, `shipping_required`, `shipping_unavailable`.
 */
export async function priceRequest(
  tx: Tx,
  request: OrderRequest,
  terms: PriceTerms,
): Promise<AgreedSale> {
  const { store, currency, lines, shipping } = terms;
  const quote = await quoteSale(tx, store, {
    currency,
    atMs: tx.now,
    lines: lines.map(lineToQuote),
    codes: request.sale.codes,
    manual: terms.manual,
    ...customerOf(request, terms.known),
    shippingAddress: request.written.shippingAddress,
    billingAddress: request.written.billingAddress,
    shipping,
  });
  refuseIncomplete(request, terms, quote);
  const sale = agreedSale(lines, { quote, shipping });
  const rejected = told(request, quote?.rejected ?? []);
  refuseCodes(request, rejected);
  refuseOtherTotal(sale, terms, rejected);
  return sale;
}

function shippingProblemOf(
  { sale: { shipping }, trust: { needsShipping: isNeeded } }: OrderRequest,
  quote: SaleQuote | null,
): ShippingProblem | null {
  return shipping === null && !isNeeded ? null : (quote?.problem ?? null);
}

/** A contact that was typed proves no one, so only the record of a proved customer says anything. */
function missingInRequest(
  request: OrderRequest,
  terms: PriceTerms,
  quote: SaleQuote | null,
): Missing[] {
  const { written, contact, trust } = request;
  return missingIn(terms.store, {
    ...written,
    contact: contact.customer,
    record: trust.isCustomerProved ? terms.known : null,
    lines: terms.lines.map(lineToQuote),
    quote,
  });
}

/** A customer is proved by the merchant's word or by a session: a typed email tells nothing of who types it. */
function customerOf(
  { sale, trust, contact }: OrderRequest,
  known: Customer | null,
): Pick<SaleToQuote, "customer" | "exemption" | "taxId"> {
  const limited = limitsOf(known, contact.customer);
  const taxId = taxIdOf({ sale, trust }, known);
  if (!trust.isCustomerProved) {
    return { customer: { ...limited, tags: null }, exemption: "none", taxId };
  }
  return {
    taxId,
    customer: { ...limited, tags: known?.tags ?? null },
    exemption: sale.taxExemption ?? known?.taxExemption ?? "none",
  };
}

type ToldCode = Pick<RejectedCode, "code"> & {
  readonly reason: RejectedCode["reason"] | "not_eligible";
};

/** A stranger learns nothing of what the owner of a contact bought before. */
function told({ trust }: OrderRequest, rejected: readonly RejectedCode[]): ToldCode[] {
  return rejected.map(({ code, reason }) => {
    const isPersonal = reason === "used_by_customer" || reason === "customer_not_eligible";
    return { code, reason: !trust.isFromMerchant && isPersonal ? "not_eligible" : reason };
  });
}

function refuseCodes({ sale }: OrderRequest, rejected: readonly ToldCode[]): void {
  // Those that a cart had are in their form; what is told of a code is as it was typed.
  const required = new Set(sale.requiredCodes.map(foldCode));
  const missing = rejected.filter((one) => required.has(foldCode(one.code)) && !isHarmless(one));
  if (missing.length > 0) throw discountNotApplicable({ members: { codes: missing } });
}

function refuseOtherTotal(
  { totals: { totalMinor } }: AgreedSale,
  { expectedMinor, currency }: PriceTerms,
  rejected: readonly ToldCode[],
): void {
  if (expectedMinor === null || expectedMinor === totalMinor) return;
  const total = formatAmount(totalMinor, currency);
  throw totalChanged({
    detail: `The total is ${total} ${currency}.`,
    members: {
      // A JSON number with the currency's digits, as every other amount.
      total: JSON.rawJSON(total),
      total_minor: totalMinor,
      expected_minor: expectedMinor,
      currency,
      ...(rejected.length > 0 && { rejected_codes: rejected }),
    },
  });
}

/**
 * A customer says what the shop asks for, and chooses one of the options that are offered; a merchant may ship without a
 * charge.
 */
function refuseIncomplete(request: OrderRequest, terms: PriceTerms, quote: SaleQuote | null): void {
  const problem = shippingProblemOf(request, quote);
  const missing = request.trust.isFromMerchant ? [] : missingInRequest(request, terms, quote);
  const options = (quote?.options ?? []).map((option) => optionMember(option, terms.currency));
  if (missing.length > 0) {
    const fields = missing.flatMap((one) => one.fields);
    const problems = problemsOf(missing, problem);
    throw checkoutIncomplete({ members: { problems, missing: fields, options } });
  }
  if (problem === null) return;
  const refusal = problem === "shipping_required" ? shippingRequired : shippingUnavailable;
  throw refusal({ members: { options } });
}
