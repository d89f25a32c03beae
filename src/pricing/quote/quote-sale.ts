// Lookup: what a sale comes to now. The discounts, taxes and shipping of the shop are found and handed to the
// calculation. What is remembered of them costs no statement, nor does a shop that has none.

import type { TaxExemption } from "#customers/tax-exemption.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Reader } from "#platform/database/database.ts";
import { priceSale } from "#pricing/calculation/price-sale.ts";
import type {
  Candidate,
  NotAppliedReason,
  PricedSale,
  ShippingChoice,
} from "#pricing/calculation/sale.ts";
import { candidateOf, findScopedLines } from "#pricing/discount-uses/candidates.ts";
import type { CodeReason, CustomerOfSale } from "#pricing/discount-uses/discount-use.ts";
import { findDiscounts, type FoundDiscounts } from "#pricing/discount-uses/find-discounts.ts";
import { foldCode } from "#pricing/discounts/discount-code.ts";
import {
  findShippingOptions,
  type OfferedOption,
} from "#pricing/shipping/find-shipping-options.ts";
import { optionIdOf, type ShippingAsked } from "#pricing/shipping/shipping-charge.ts";
import type { Store } from "#shop/store/store.ts";

import { breakdownOf, type ManualDiscount } from "./agree.ts";
import type { Breakdown, TaxTerms } from "./breakdown.ts";
import type { LineToQuote } from "./price-order.ts";
import { findTaxTerms, taxesOf } from "./sale-taxes.ts";
import {
  type AddressesOfSale,
  needsShipping,
  placeOf,
  priceOptions,
  type QuotedOption,
} from "./shipping-choice.ts";

export interface SaleToQuote extends AddressesOfSale {
  readonly currency: CurrencyCode;
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly lines: readonly LineToQuote[];
  /** Folded. */
  readonly codes: readonly string[];
  readonly manual: ManualDiscount | null;
  readonly customer: CustomerOfSale;
  readonly exemption: TaxExemption;
  /** The tax number of the customer. */
  readonly taxId: string | null;
  readonly shipping: ShippingAsked | null;
}

/** Why a code takes nothing off. */
export interface RejectedCode {
  readonly code: string;
  readonly reason: CodeReason | NotAppliedReason;
}

/** The problems that keep a customer from ordering goods that have to be shipped. */
export const shippingProblems = ["shipping_required", "shipping_unavailable"] as const;
export type ShippingProblem = (typeof shippingProblems)[number];

/** The price of a sale; amounts in minor units, lists of lines by position. */
export interface SaleQuote {
  readonly priced: PricedSale;
  readonly breakdown: Breakdown;
  readonly shippingLabel: string | null;
  readonly options: readonly QuotedOption[];
  readonly rejected: readonly RejectedCode[];
  readonly problem: ShippingProblem | null;
  /** True if the customer fetches the goods: nothing is shipped. */
  readonly isPickedUp: boolean;
}

/**
 * Prices the sale by what holds in the shop at its time. Returns null where it comes to its lines and the named
 * shipping alone, since the shop has no discounts, taxes and shipping options.
 */
export async function quoteSale(
  db: Reader,
  store: Store,
  sale: SaleToQuote,
): Promise<SaleQuote | null> {
  if (isPlain(store, sale)) return null;
  const { codes, lines, manual, currency } = sale;
  const found = await findTerms(db, store, sale);
  const { discounts, options, chosen, taxTerms } = found;
  const unpriced = {
    lines,
    candidates: candidatesOf(discounts, found.scopedLines, currency),
    manual: manual?.terms ?? null,
    taxes: taxesOf(taxTerms),
    defaultWeightGrams: store.defaultWeightGrams,
  };
  const shipping = chosen?.pricing ?? namedCharge(sale.shipping);
  const priced = priceSale({ ...unpriced, shipping });
  const offered = priceOptions(options, unpriced, priced.totals);
  return {
    priced,
    breakdown: breakdownOf(priced, {
      codes: codes.map(foldCode),
      found: discounts.found,
      manual,
      optionId: chosen?.id ?? null,
      lines: found.scopedLines,
      taxTerms,
    }),
    shippingLabel: chosen?.label ?? labelOf(sale.shipping),
    options: offered,
    rejected: rejectedCodes(codes, discounts, priced),
    problem: problemOf(sale, { ...found, priced, offered }),
    isPickedUp: found.isPickedUp,
  };
}

/** The terms that decide on the price of a sale. */
interface Terms {
  readonly discounts: FoundDiscounts;
  /** The lines as the scopes of the discounts see them. */
  readonly scopedLines: readonly LineToQuote[];
  readonly options: readonly OfferedOption[];
  readonly hasZones: boolean;
  /** The option that was asked for, if it is offered. */
  readonly chosen: OfferedOption | null;
  /** True if the customer fetches the goods there. */
  readonly isPickedUp: boolean;
  /** The taxes of the place at which the goods are handed over. */
  readonly taxTerms: TaxTerms;
}

/** The parts of a sale that decide on the place at which its goods are handed over. */
type HandedOver = AddressesOfSale & Pick<SaleToQuote, "currency" | "lines" | "shipping">;

/** The options that are offered for the sale, the chosen one, and where the goods are then handed over. */
export async function findHandover(db: Reader, store: Store, sale: HandedOver) {
  const place = placeOf(store, sale);
  const { currency } = sale;
  const offer = await findShippingOptions(db, store, { address: place, currency });
  const options = needsShipping(sale.lines) ? offer.options : [];
  const chosen = options.find(({ id }) => id === optionIdOf(sale.shipping)) ?? null;
  return { options, hasZones: offer.hasZones, chosen, place: chosen?.address ?? place };
}

async function findTerms(db: Reader, store: Store, sale: SaleToQuote): Promise<Terms> {
  const { codes, currency, atMs, customer, exemption, taxId } = sale;
  const { place, ...offer } = await findHandover(db, store, sale);
  const discounts = await findDiscounts(db, store, { codes, currency, atMs, customer });
  return {
    discounts,
    scopedLines: await findScopedLines(
      db,
      sale.lines,
      discounts.found.map(({ discount }) => discount),
    ),
    ...offer,
    isPickedUp: offer.chosen?.kind === "pickup",
    taxTerms: await findTaxTerms(db, store, { place, exemption, taxId, atMs }),
  };
}

function isPlain({ hasPriceTerms }: Store, { codes, manual, shipping }: SaleToQuote): boolean {
  return !hasPriceTerms && codes.length === 0 && manual === null && optionIdOf(shipping) === null;
}

/** The charge that the merchant named. */
function namedCharge(asked: ShippingAsked | null): ShippingChoice {
  return asked !== null && "amountMinor" in asked ? asked : null;
}

function labelOf(asked: ShippingAsked | null): string | null {
  return asked !== null && "label" in asked ? asked.label : null;
}

function candidatesOf(
  { found }: FoundDiscounts,
  lines: readonly LineToQuote[],
  currency: CurrencyCode,
): Candidate[] {
  return found
    .map(({ discount }) => candidateOf(discount, lines, currency))
    .filter((one) => one !== null);
}

/** As the codes were typed, and in that order. */
function rejectedCodes(
  codes: readonly string[],
  { found, rejected }: FoundDiscounts,
  { notApplied }: PricedSale,
): RejectedCode[] {
  const withoutEffect = notApplied.flatMap(({ id, reason }) => {
    const code = found.find(({ discount }) => discount.id === id)?.code ?? null;
    const typed = codes.find((one) => foldCode(one) === code);
    return typed === undefined ? [] : [{ code: typed, reason }];
  });
  return [...rejected, ...withoutEffect].toSorted(
    (one, other) => codes.indexOf(one.code) - codes.indexOf(other.code),
  );
}

interface Chosen extends Pick<Terms, "chosen" | "hasZones"> {
  readonly priced: PricedSale;
  readonly offered: readonly QuotedOption[];
}

function problemOf(
  { lines, shipping }: SaleToQuote,
  { priced, chosen, offered, hasZones }: Chosen,
): ShippingProblem | null {
  if (!needsShipping(lines)) return null;
  if (optionIdOf(shipping) !== null) {
    return chosen === null || !priced.shipping.isOffered ? "shipping_unavailable" : null;
  }
  if (!hasZones || shipping !== null) return null;
  return offered.length === 0 ? "shipping_unavailable" : "shipping_required";
}
