// Rule: a discount as a candidate of the calculation. Its scopes become positions of lines, and its amounts those of
// the sale's currency.

import { findMemberships } from "#catalog/collections/lookups.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Candidate } from "#pricing/calculation/sale.ts";
import type { DiscountScope } from "#pricing/discounts/discount-terms.ts";
import type { Discount } from "#pricing/discounts/discount.ts";

import { amountIn } from "./discount-use.ts";

/** A line as scopes are compared with it. A line of the merchant's own has no variant and is only in a null scope. */
export interface ScopedLine {
  readonly productId: Id<"product"> | null;
  readonly variantId: Id<"variant"> | null;
  /** The tags of the product. */
  readonly tags: readonly string[];
  /** Those that the product is in, of the ones that discounts of the sale name; absent where none does. */
  readonly collectionIds?: readonly Id<"collection">[] | undefined;
}

/** The members of a discount that an order keeps, so that it is priced by what was agreed. */
export type AgreedDiscount = Pick<
  Discount,
  "id" | "target" | "isStackable" | "terms" | "scope" | "minimum"
>;

/** The discount in this sale; null if it has no amount in the currency. The lines are in the sale's order. */
export function candidateOf(
  { id, target, isStackable, terms, scope, minimum }: AgreedDiscount,
  lines: readonly ScopedLine[],
  currency: CurrencyCode,
): Candidate | null {
  const inSale = termsIn(terms, lines, currency);
  if (inSale === null) return null;
  return {
    id,
    target,
    isStackable,
    terms: inSale,
    lines:
      inSale.kind === "buy_get"
        ? lines.flatMap((_, position) =>
            inSale.buy.lines.includes(position) || inSale.get.lines.includes(position)
              ? [position]
              : [],
          )
        : positionsIn(scope, lines),
    minimumSubtotalMinor: amountIn(minimum, currency),
    minimumQuantity: minimum.quantity,
  };
}

function termsIn(
  terms: Discount["terms"],
  lines: readonly ScopedLine[],
  currency: CurrencyCode,
): Candidate["terms"] | null {
  switch (terms.kind) {
    case "percent":
      return terms;
    case "amount": {
      const amountMinor = amountIn(terms, currency);
      return amountMinor === null ? null : { kind: "amount", amountMinor, per: terms.per };
    }
    case "buy_get": {
      const { buy, get, times } = terms;
      return {
        kind: "buy_get",
        buy: { quantity: buy.quantity, lines: positionsIn(buy.scope, lines) },
        get: {
          quantity: get.quantity,
          lines: positionsIn(get.scope, lines),
          millionths: get.millionths,
        },
        times,
      };
    }
  }
}

function positionsIn(scope: DiscountScope | null, lines: readonly ScopedLine[]): number[] {
  return lines.flatMap((line, position) => (isWithin(scope, line) ? [position] : []));
}

function isWithin(
  scope: DiscountScope | null,
  { productId, variantId, tags, collectionIds = [] }: ScopedLine,
): boolean {
  if (scope === null) return true;
  return (
    (productId !== null && scope.productIds.includes(productId)) ||
    (variantId !== null && scope.variantIds.includes(variantId)) ||
    tags.some((tag) => scope.tags.includes(tag)) ||
    collectionIds.some((id) => scope.collectionIds?.includes(id))
  );
}

/**
 * The lines, each with those of the collections named that its product is in now; a line that has its collections
 * already, as it was agreed, keeps them. Nothing of it is remembered beyond the rows it is read from, so a collection or
 * a product that changes counts for the next sale.
 */
export async function findScopedLines<Line extends ScopedLine>(
  db: Reader,
  lines: readonly Line[],
  discounts: readonly Pick<AgreedDiscount, "scope" | "terms">[],
): Promise<readonly Line[]> {
  const collectionIds = discounts.flatMap(collectionsOf);
  if (collectionIds.length === 0) return lines;
  const isAgreed = (line: Line) => line.collectionIds !== undefined;
  const productIds = lines.flatMap((line) => (isAgreed(line) ? [] : (line.productId ?? [])));
  const memberships = await findMemberships(db, {
    collectionIds: [...new Set(collectionIds)],
    productIds: [...new Set(productIds)],
  });
  return lines.map((line) => {
    if (isAgreed(line)) return line;
    const found = line.productId === null ? undefined : memberships.get(line.productId);
    return { ...line, collectionIds: found ?? [] };
  });
}

function collectionsOf({
  scope,
  terms,
}: Pick<AgreedDiscount, "scope" | "terms">): readonly Id<"collection">[] {
  if (terms.kind !== "buy_get") return namedIn(scope);
  return [...namedIn(terms.buy.scope), ...namedIn(terms.get.scope)];
}

function namedIn(scope: DiscountScope | null): readonly Id<"collection">[] {
  return scope?.collectionIds ?? [];
}
