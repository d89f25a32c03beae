// Stock levels with the names of what they count. The interface answers levels by the ids of their variants, so the
// products are asked beside them, all at once.

import type { Static } from "typebox";

import { levelWire } from "#catalog/inventory/schema.ts";
import { productWire } from "#catalog/products/schema.ts";

import type { Listed } from "../asker.ts";
import { type Product, variantName } from "../products/product-words.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";

export type Level = Static<(typeof levelWire)["schema"]>;

export interface NamedLevel {
  readonly level: Level;
  /** The product's name, followed by the variant's where it has several. */
  readonly name: string;
}

/** Pages of levels that are read of one search: as many as a person looks through. */
const PAGES_MAX = 5;

/** The levels in their order, with their names. A product that was deleted has none. */
export async function withNames(visit: Visit, levels: readonly Level[]): Promise<NamedLevel[]> {
  const id = [...new Set(levels.map((level) => level.product_id))].join(",");
  const { data } =
    id === ""
      ? { data: [] }
      : await visit.list(productWire, "GET /v2/products", { query: { id, limit: "100" } });
  return named(levels, data);
}

/** The levels of the products that are found, in the order of the products and their variants. */
export async function searchLevels(visit: Visit, q: string): Promise<NamedLevel[]> {
  const { data } = await visit.list(productWire, "GET /v2/products", {
    query: { q, status: "active,draft", limit: "20" },
  });
  return levelsOfProducts(visit, data);
}

/** The levels of the products, in their order and that of their variants. */
export async function levelsOfProducts(
  visit: Visit,
  products: readonly Product[],
): Promise<NamedLevel[]> {
  if (products.length === 0) return [];
  const found: Level[] = [];
  const query = { product_id: products.map(({ id }) => id).join(","), limit: "100" };
  for (let cursor: string | null = "", page = 0; cursor !== null && page < PAGES_MAX; page += 1) {
    const after: { readonly cursor?: string } = cursor === "" ? {} : { cursor };
    const listed: Listed<Level> = await visit.list(levelWire, "GET /v2/inventory", {
      query: { ...query, ...after },
    });
    found.push(...listed.data);
    cursor = listed.next_cursor;
  }
  const of = Map.groupBy(found, (level) => level.product_id);
  return named(
    products.flatMap(({ id }) => of.get(id) ?? []),
    products,
  );
}

function named(levels: readonly Level[], products: readonly Product[]): NamedLevel[] {
  const known = new Map(products.map((product) => [product.id, product]));
  return levels.map((level) => ({ level, name: nameOf(level, known.get(level.product_id)) }));
}

function nameOf(level: Level, product: Product | undefined): string {
  const variant = product?.variants.find(({ id }) => id === level.variant_id);
  if (product === undefined || variant === undefined) return level.sku ?? en.stock.gone;
  const own = variantName(product, variant);
  return own === product.name ? own : `${product.name}, ${own}`;
}
