// Reads the terms of a discount from a request. Amounts become minor units and percentages parts per million; every
// fault is noted at its place.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import { readPercent, readPositiveAmount } from "#kernel/money.ts";
import type { Faults, Place } from "#kernel/refusal.ts";

interface MoneyGiven {
  readonly currency: CurrencyCode;
  /** Major units. */
  readonly amount: number | string;
}

/** A scope of a request; a list that is not given is empty. */
export interface ScopeGiven {
  readonly productIds?: readonly Id<"product">[] | undefined;
  readonly variantIds?: readonly Id<"variant">[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly collectionIds?: readonly Id<"collection">[] | undefined;
}

export interface BuyGetGiven {
  readonly buy: { readonly quantity: number; readonly scope: ScopeGiven | null };
  readonly get: {
    readonly quantity: number;
    readonly scope: ScopeGiven | null;
    readonly percent: number | string;
  };
  readonly times: number | null;
}

/** The terms of a request: one of percent, amounts and buy_get, or none where they stay as they are. */
export interface TermsGiven {
  readonly percent?: number | string | undefined;
  readonly amounts?: readonly MoneyGiven[] | undefined;
  readonly per?: AmountBasis | undefined;
  readonly buyGet?: BuyGetGiven | undefined;
}

export interface MinimumGiven {
  readonly amounts?: readonly MoneyGiven[] | undefined;
  readonly quantity?: number | null | undefined;
}

/** The terms after the request; `before` is null for a new discount. Null if a fault was noted. */
export function readTerms(
  given: TermsGiven,
  before: DiscountTerms | null,
  faults: Faults,
): DiscountTerms | null {
  const terms = readForm(given, before, faults);
  if (given.per === undefined || terms === null) return terms;
  if (terms.kind === "amount") return { ...terms, per: given.per };
  faults.add("/per", "conflicting_fields", "Only amounts are taken off per unit or per basket.");
  return null;
}

function readForm(
  { percent, amounts, buyGet }: TermsGiven,
  before: DiscountTerms | null,
  faults: Faults,
): DiscountTerms | null {
  const named = { percent, amounts, buy_get: buyGet };
  const [meant, ...others] = Object.entries(named).filter(([, value]) => value !== undefined);
  for (const [name] of others) {
    const detail = "Give one of `percent`, `amounts` and `buy_get`.";
    faults.add(`/${name}`, "conflicting_fields", detail);
  }
  if (meant === undefined && before === null) {
    faults.add("/percent", "required", "Give one of `percent`, `amounts` and `buy_get`.");
  }
  // All that are given are read, so that one answer names the faults of each.
  const read = [
    percent === undefined ? null : readPercentTerms(percent, faults),
    amounts === undefined ? null : readAmountTerms(amounts, before, faults),
    buyGet === undefined ? null : readBuyGet(buyGet, faults),
  ].filter((terms) => terms !== null);
  if (meant === undefined) return before;
  return others.length === 0 ? (read[0] ?? null) : null;
}

function readPercentTerms(percent: number | string, faults: Faults): DiscountTerms | null {
  const millionths = readPositivePercent(percent, { faults, pointer: "/percent" });
  return millionths === null ? null : { kind: "percent", millionths };
}

function readAmountTerms(
  given: readonly MoneyGiven[],
  before: DiscountTerms | null,
  faults: Faults,
): DiscountTerms {
  const amounts = readAmounts(given, { faults, pointer: "/amounts" });
  return { kind: "amount", amounts, per: before?.kind === "amount" ? before.per : "basket" };
}

function readBuyGet({ buy, get, times }: BuyGetGiven, faults: Faults): DiscountTerms | null {
  const at = (pointer: string) => ({ faults, pointer: `/buy_get/${pointer}` });
  const millionths = readPositivePercent(get.percent, at("get/percent"));
  const [bought, got] = [
    readScope(buy.scope, at("buy/scope")),
    readScope(get.scope, at("get/scope")),
  ];
  if (millionths === null) return null;
  return {
    kind: "buy_get",
    buy: { quantity: buy.quantity, scope: bought },
    get: { quantity: get.quantity, scope: got, millionths },
    times,
  };
}

function readPositivePercent(given: number | string, place: Place): number | null {
  const millionths = readPercent(given, place);
  if (millionths !== 0) return millionths;
  place.faults.add(
    place.pointer,
    "percent_invalid",
    "The percentage of a discount must be greater than zero.",
  );
  return null;
}

/** Amounts that have a fault are left out. */
function readAmounts(given: readonly MoneyGiven[], { faults, pointer }: Place): MoneyInCurrency[] {
  const currencies = given.map(({ currency }) => currency);
  return given.flatMap(({ currency, amount }, index) => {
    const at = `${pointer}/${index}`;
    if (currencies.indexOf(currency) !== index) {
      faults.add(`${at}/currency`, "duplicate", "There is one amount per currency.");
    }
    const amountMinor = readPositiveAmount(amount, currency, { faults, pointer: `${at}/amount` });
    return amountMinor === null ? [] : [{ currency, amountMinor }];
  });
}

/** Null, which is every line, stays null. Adds a fault for a scope that names nothing. */
export function readScope(
  given: ScopeGiven | null,
  { faults, pointer }: Place,
): DiscountScope | null {
  if (given === null) return null;
  const { productIds = [], variantIds = [], tags = [], collectionIds = [] } = given;
  if (productIds.length + variantIds.length + tags.length + collectionIds.length === 0) {
    const detail =
      "Name a product, a variant, a tag or a collection, or send null for every line item.";
    faults.add(pointer, "scope_empty", detail);
  }
  return { productIds, variantIds, tags, collectionIds };
}

/** Null is no minimum. */
export function readMinimum(given: MinimumGiven | null, faults: Faults): Minimum {
  const { amounts = [], quantity = null } = given ?? {};
  return { amounts: readAmounts(amounts, { faults, pointer: "/minimum/amounts" }), quantity };
}

/** The targets of discounts: lines on their own, the order as a whole, or its shipping. */
export const discountTargets = ["lines", "order", "shipping"] as const;
export type DiscountTarget = (typeof discountTargets)[number];

/** The bases of amounts: taken off each unit, or once off all eligible lines together. */
export const amountBases = ["unit", "basket"] as const;
export type AmountBasis = (typeof amountBases)[number];

/** Lines that have any of these. A null scope means every line. */
export interface DiscountScope {
  readonly productIds: readonly Id<"product">[];
  readonly variantIds: readonly Id<"variant">[];
  /** The tags of the product. */
  readonly tags: readonly string[];
  /** The collections that the product is in. Absent in scopes that older versions wrote. */
  readonly collectionIds?: readonly Id<"collection">[];
}

export interface MoneyInCurrency {
  readonly currency: CurrencyCode;
  readonly amountMinor: number;
}

/** The amount, percentage or units that are taken off. Percentages are in parts per million. */
export type DiscountTerms =
  | { readonly kind: "percent"; readonly millionths: number }
  | {
      readonly kind: "amount";
      readonly per: AmountBasis;
      /** One per currency; in any other the discount does not apply. */
      readonly amounts: readonly MoneyInCurrency[];
    }
  | {
      readonly kind: "buy_get";
      readonly buy: { readonly quantity: number; readonly scope: DiscountScope | null };
      readonly get: {
        readonly quantity: number;
        readonly scope: DiscountScope | null;
        readonly millionths: number;
      };
      /** How often at most in one order; null without a limit. */
      readonly times: number | null;
    };

/** The least sum or number of the eligible lines. */
export interface Minimum {
  /** One per currency; none without a minimum amount. */
  readonly amounts: readonly MoneyInCurrency[];
  readonly quantity: number | null;
}
