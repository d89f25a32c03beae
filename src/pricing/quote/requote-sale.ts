// Lookup: what a placed sale comes to with other lines or another shipping. It is priced by what was agreed: its own
// discounts with their terms, and the rates that held when it was placed. Dates, limits and the customer are not
// checked again.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Reader } from "#platform/database/database.ts";
import { priceSale } from "#pricing/calculation/price-sale.ts";
import type { ShippingChoice } from "#pricing/calculation/sale.ts";
import { candidateOf, findScopedLines } from "#pricing/discount-uses/candidates.ts";
import {
  findShippingOptions,
  type OfferedOption,
} from "#pricing/shipping/find-shipping-options.ts";
import { optionIdOf, type ShippingAsked } from "#pricing/shipping/shipping-charge.ts";
import type { Store } from "#shop/store/store.ts";

import { breakdownOf } from "./agree.ts";
import { type AgreedSale, agreedSale } from "./agreed-sale.ts";
import type { Breakdown, DiscountLine, TaxTerms } from "./breakdown.ts";
import { type LineToQuote, lineToQuote, type PricedLine } from "./price-order.ts";
import { optionUnavailable } from "./refusals.ts";
import { taxesOf } from "./sale-taxes.ts";
import { type AddressesOfSale, needsShipping, placeOf, priceOptions } from "./shipping-choice.ts";

/** A line after the change; the price of an agreed one is what the customer agreed to. */
export type LineToRequote = PricedLine & { readonly isAgreed: boolean };

export interface SaleToRequote extends AddressesOfSale {
  readonly currency: CurrencyCode;
  readonly lines: readonly LineToRequote[];
  readonly breakdown: Breakdown | null;
  /** The charge for shipping so far. */
  readonly charged: { readonly label: string | null; readonly amountMinor: number };
  /** Undefined if the shipping stays as it was charged. */
  readonly shipping: ShippingAsked | null | undefined;
}

/** Prices the sale anew. Refuses with `shipping_unavailable` an option that is not offered for it. */
export async function requoteSale(
  db: Reader,
  store: Store,
  asked: SaleToRequote,
): Promise<AgreedSale> {
  const sale = withoutNeedlessOption(asked);
  const { breakdown, lines, shipping = sale.charged } = sale;
  const asksOption = optionIdOf(shipping) !== null;
  if (breakdown === null && !asksOption) return agreedSale(lines, { quote: null, shipping });
  const before = breakdown ?? nothingAgreed;
  const { currency } = sale;
  const address = placeOf(store, sale);
  const { options } = asksOption
    ? await findShippingOptions(db, store, { address, currency })
    : { options: [] };
  const again = { ...sale, before, options };
  const terms = agreedTerms(before, again);
  const toQuote = lines.map((line) => ({ ...lineToQuote(line), isNet: line.isAgreed }));
  const scopedLines = await findScopedLines(
    db,
    toQuote,
    terms.found.map(({ discount }) => discount),
  );
  const quote = priceAgain(store, { ...again, terms, scopedLines });
  return agreedSale(lines, { quote, shipping: null });
}

/** Drops an option that is asked for where nothing is to be shipped. */
function withoutNeedlessOption(sale: SaleToRequote): SaleToRequote {
  const isNeedless =
    optionIdOf(sale.shipping) !== null && !needsShipping(sale.lines.map(lineToQuote));
  return isNeedless ? { ...sale, shipping: null } : sale;
}

interface SaleAgain extends SaleToRequote {
  readonly before: Breakdown;
  /** The options, where one of them is asked for. */
  readonly options: readonly OfferedOption[];
}

/** The same with what its discounts are. */
interface ScopedSale extends SaleAgain {
  readonly terms: ReturnType<typeof agreedTerms>;
  readonly scopedLines: readonly LineToQuote[];
}

function priceAgain(store: Store, sale: ScopedSale) {
  const { before, options, shipping, currency, scopedLines: lines } = sale;
  const { codes, taxTerms } = before;
  const { found, manual } = sale.terms;
  const option = chosenOf(sale);
  const unpriced = {
    lines,
    candidates: found
      .map(({ discount }) => candidateOf(discount, lines, currency))
      .filter((one) => one !== null),
    manual: manual?.terms ?? null,
    taxes: taxesOf(taxTerms),
    defaultWeightGrams: store.defaultWeightGrams,
  };
  const priced = priceSale({ ...unpriced, shipping: option?.pricing ?? namedCharge(sale) });
  if (option === undefined || !priced.shipping.isOffered) {
    throw optionUnavailable(priceOptions(options, unpriced, priced.totals), currency);
  }
  const keepsShipping = shipping === undefined;
  const { optionId, shippingLabel } = option === null ? namedShipping(sale) : asChosen(option);
  const next = breakdownOf(priced, { codes, found, manual, optionId, lines, taxTerms });
  return { priced, breakdown: keeping(next, { before, keepsShipping }), shippingLabel };
}

/** The option that is asked for: null if none is, undefined if it is not offered. */
function chosenOf({ options, shipping }: SaleAgain): OfferedOption | null | undefined {
  const asked = optionIdOf(shipping);
  return asked === null ? null : options.find(({ id }) => id === asked);
}

function asChosen({ id: optionId, label: shippingLabel }: OfferedOption) {
  return { optionId, shippingLabel };
}

/** The discounts that the sale has; that of a shipping which stays as it was charged is not checked again. */
function agreedTerms({ discounts }: Breakdown, { shipping }: SaleToRequote) {
  const checked = discounts.filter(({ target }) => target !== "shipping" || shipping !== undefined);
  const found = checked.flatMap(({ agreed: discount, title, code }) =>
    "id" in discount ? [{ discount: { ...discount, title }, code }] : [],
  );
  const [manual] = checked.flatMap(({ agreed: terms, title }) =>
    "id" in terms ? [] : [{ title, terms }],
  );
  return { found, manual: manual ?? null };
}

/** The charge that stays, or that the merchant named. */
function namedCharge({ shipping, charged }: SaleToRequote): ShippingChoice {
  if (shipping === undefined) return { ...charged, isNet: true };
  return shipping !== null && "amountMinor" in shipping ? shipping : null;
}

/** The shipping that stays, with the option it was, or what the merchant named. */
function namedShipping({ shipping, charged, before }: SaleAgain) {
  if (shipping === undefined) {
    return { optionId: before.shipping.optionId, shippingLabel: charged.label };
  }
  const shippingLabel = shipping !== null && "label" in shipping ? shipping.label : null;
  return { optionId: null, shippingLabel };
}

const untaxed: TaxTerms = {
  isIncluded: false,
  shippingTax: "none",
  exemption: "none",
  country: null,
  region: null,
  rates: [],
};

const nothingAgreed: Breakdown = {
  codes: [],
  discounts: [],
  taxes: [],
  taxTerms: untaxed,
  taxClasses: [],
  shipping: { optionId: null, discountMinor: 0, taxMinor: 0, includedTaxMinor: 0 },
  sold: null,
};

interface Kept {
  readonly before: Breakdown;
  readonly keepsShipping: boolean;
}

/**
 * The new breakdown with what stays of the one before: the discount of a shipping that stays as it was charged, and
 * the discounts that take nothing off now, since they may apply after another change.
 */
function keeping(next: Breakdown, { before, keepsShipping }: Kept): Breakdown {
  const missing = before.discounts.filter(
    ({ discountId }) => !next.discounts.some((one) => one.discountId === discountId),
  );
  const kept = missing.map((one): DiscountLine => {
    if (one.target === "shipping" && keepsShipping) return one;
    return { ...one, amountMinor: 0, byLine: next.taxClasses.map(() => 0) };
  });
  const { discountMinor } = keepsShipping ? before.shipping : next.shipping;
  return {
    ...next,
    discounts: [...next.discounts, ...kept],
    shipping: { ...next.shipping, discountMinor },
  };
}
