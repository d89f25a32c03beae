// Lookup: the lines of a sale with the collections that its discounts name. Without such a discount there is no
// statement.

import { findMemberships } from "#catalog/collections/lookups.ts";
import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";
import type { DiscountScope } from "#pricing/discounts/discount-values.ts";

import type { AgreedDiscount, ScopedLine } from "./candidate.ts";

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
