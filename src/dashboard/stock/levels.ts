// Stock levels of a search, by the products that are found.

import type { Static } from "typebox";

import { levelWire } from "#catalog/inventory/schema.ts";
import { productWire } from "#catalog/products/schema.ts";
import type { Listed } from "#dashboard/kit/asker.ts";
import type { Visit } from "#dashboard/kit/visit.ts";

import type { Product } from "../products/product-words.ts";
import { en } from "../words/en.ts";

export type Level = Static<(typeof levelWire)["schema"]>;

/** Pages of levels that are read of one search: as many as a person looks through. */
const PAGES_MAX = 5;

/** The name of what the level counts. A product that was deleted has its SKU alone. */
export function levelName({ name, sku }: Level): string {
  return name ?? sku ?? en.stock.gone;
}

/** The levels of the products that are found, in the order of the products and their variants. */
export async function searchLevels(visit: Visit, q: string): Promise<Level[]> {
  const { data } = await visit.list(productWire, "GET /v2/products", {
    query: { q, status: "active,draft", limit: "20" },
  });
  return levelsOfProducts(visit, data);
}

/** The levels of the products, in their order and that of their variants. */
export async function levelsOfProducts(
  visit: Visit,
  products: readonly Product[],
): Promise<Level[]> {
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
  return products.flatMap(({ id }) => of.get(id) ?? []);
}
