// Lookup: products with their variants and what is available of each. Three statements, however
// many products.

import { findAvailability } from "#catalog/inventory/find-availability.ts";
import { type Page, toPage } from "#kernel/page.ts";
import { searchTerms } from "#platform/database/search/search.ts";
import type { Reader } from "#platform/database/store.ts";

import { type Product, type ProductStatus, productStatuses } from "./product.ts";
import { findVariantsOf, listProductRows, type ProductRowFilters } from "./queries.ts";
import type { Variant } from "./variant.ts";

export interface ProductFilters extends Omit<
  ProductRowFilters,
  "rows" | "terms" | "status" | "statusNot"
> {
  /** Any of these; none of them is no product. */
  readonly statuses?: readonly ProductStatus[] | undefined;
  /** Words that must all occur. */
  readonly q?: string | undefined;
  /** Products on the page; one where nothing else is said. */
  readonly limit?: number;
}

/** A page of the products that match, newest first. */
export async function findProducts(db: Reader, filters: ProductFilters): Promise<Page<Product>> {
  const { q, statuses, limit = 1, ...rest } = filters;
  if (statuses?.length === 0) return { rows: [], hasMore: false };
  const terms = q === undefined ? undefined : searchTerms("products", q);
  const { rows, hasMore } = toPage(
    await listProductRows(db, { ...rest, ...withStatus(statuses), terms, rows: limit + 1 }),
    limit,
  );
  const variants = await findVariants(db, rows);
  return { rows: rows.map((row) => ({ ...row, variants: variants.get(row.id) ?? [] })), hasMore };
}

function withStatus(
  statuses: readonly ProductStatus[] = productStatuses,
): Pick<ProductRowFilters, "status" | "statusNot"> {
  const [status, second] = productStatuses.filter((one) => statuses.includes(one));
  if (second === undefined) return { status };
  return { statusNot: productStatuses.find((one) => !statuses.includes(one)) };
}

async function findVariants(
  db: Reader,
  products: readonly Pick<Product, "id">[],
): Promise<Map<string, Variant[]>> {
  const rows = await findVariantsOf(
    db,
    products.map((product) => product.id),
  );
  const available = await findAvailability(
    db,
    rows.map((row) => row.id),
  );
  const byProduct = new Map<string, Variant[]>();
  for (const row of rows) {
    const variant = { ...row, available: available.get(row.id) ?? null };
    const others = byProduct.get(row.productId);
    if (others === undefined) byProduct.set(row.productId, [variant]);
    else others.push(variant);
  }
  return byProduct;
}
