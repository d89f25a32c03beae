// Lookup: the discounts that a sale may have, and why its other codes give none. Without codes and limits there is
// no statement.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Reader } from "#platform/database/database.ts";
import { foldCode, isCode } from "#pricing/discounts/discount-code.ts";
import type { Discount } from "#pricing/discounts/discount.ts";
import { findAutomatic } from "#pricing/discounts/lookups.ts";
import { type DiscountOfCode, findDiscountsOfCodes } from "#pricing/discounts/queries.ts";
import { usesOfCustomer } from "#pricing/discounts/use-queries.ts";
import type { Store } from "#shop/store/store.ts";

import {
  type CodeReason,
  type CustomerOfSale,
  reasonAgainst,
  type SaleTerms,
} from "./discount-use.ts";

export interface DiscountSearch {
  /** As they were typed. */
  readonly codes: readonly string[];
  readonly currency: CurrencyCode;
  /** The shop's time, epoch milliseconds. */
  readonly atMs: number;
  readonly customer: CustomerOfSale;
}

/** A discount that may apply, with the code that gives it; null for an automatic one. */
export interface FoundDiscount {
  readonly discount: Discount;
  readonly code: string | null;
}

export interface FoundDiscounts {
  /** By id, each discount once. */
  readonly found: readonly FoundDiscount[];
  /** As they were typed and in that order, each once. */
  readonly rejected: readonly { readonly code: string; readonly reason: CodeReason }[];
}

const noUses: SaleTerms["uses"] = new Map();

/** Finds the active automatic discounts and those of the codes. A text that cannot be a code is `unknown`. */
export async function findDiscounts(
  db: Reader,
  store: Pick<Store, "priceTermsVersion">,
  search: DiscountSearch,
): Promise<FoundDiscounts> {
  const { atMs: now, currency, customer } = search;
  const typed = new Map(search.codes.map((code) => [foldCode(code), code]));
  const codes = [...typed.keys()].filter(isCode);
  const automatic = await findAutomatic(db, store, now);
  const given = codes.length === 0 ? [] : await findDiscountsOfCodes(db, { now, codes });
  const all = [...automatic, ...given.map(({ discount }) => discount)];
  const limited = all.filter(({ perCustomerLimit }) => perCustomerLimit !== null);
  const uses = limited.length === 0 ? noUses : await findUses(db, limited, customer);
  const terms = { currency, customer, uses };
  const found: FoundDiscount[] = automatic
    .filter((discount) => reasonAgainst(discount, "active", terms) === null)
    .map((discount) => ({ discount, code: null }));
  const rejected: { code: string; reason: CodeReason }[] = [];
  for (const [code, asTyped] of typed) {
    const row = given.find((one) => one.code === code);
    const reason = row === undefined ? "unknown" : reasonOf(row, terms, found);
    if (reason !== null) rejected.push({ code: asTyped, reason });
    else if (row !== undefined) found.push({ discount: row.discount, code });
  }
  return { found: found.sort(byId), rejected };
}

function reasonOf(
  { discount, status, codeLimit, codeUsed }: DiscountOfCode,
  terms: SaleTerms,
  found: readonly FoundDiscount[],
): CodeReason | null {
  const reason = reasonAgainst(discount, status, terms);
  if (reason !== null) return reason;
  if (codeLimit !== null && codeUsed >= codeLimit) return "exhausted";
  return found.some((one) => one.discount.id === discount.id) ? "not_combinable" : null;
}

/** How often a known customer used the discounts. */
async function findUses(
  db: Reader,
  limited: readonly Discount[],
  { id: customerId, hasLimits }: CustomerOfSale,
): Promise<SaleTerms["uses"]> {
  if (customerId === null || !hasLimits) return noUses;
  const discountIds = limited.map(({ id }) => id);
  const rows = await usesOfCustomer(db, { customerId, discountIds });
  return new Map(rows.map(({ discountId, uses }) => [discountId, uses]));
}

function byId(one: FoundDiscount, other: FoundDiscount): number {
  return one.discount.id < other.discount.id ? -1 : 1;
}
