// The conditions on the products of a list that is sorted, searched or bounded, as SQL: in the form that no index answers,
// and each in the form that its own index does.

import {
  and,
  eq,
  gte,
  inArray,
  lt,
  lte,
  ne,
  type Placeholder,
  type SQL,
  sql,
  type SQLWrapper,
} from "drizzle-orm";

import {
  collectionProducts as members,
  productPrices,
  products,
  productTags,
  variantOptions,
  variants,
} from "#catalog/rows/tables.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Builder } from "#platform/database/database.ts";
import { isTrue } from "#platform/database/kit.ts";
import type { GivenFilters } from "#platform/database/prepared.ts";
import { isMatch, matchingSubjects } from "#platform/database/search.ts";

import { optionSlots } from "./options.ts";
import type { ProductRowFilters } from "./queries.ts";

/** The further filters of a list that is sorted or bounded by prices, by names or by what is in stock. */
export interface SortedRowFilters extends ProductRowFilters {
  /** By ids where neither is given. */
  readonly byPrice?: true | undefined;
  readonly byName?: true | undefined;
  /** By the places in `collection`, which is given then. */
  readonly byPosition?: true | undefined;
  /** Exactly one of the two is given. */
  readonly ascending?: true | undefined;
  readonly descending?: true | undefined;
  /** The end of the page before. */
  readonly afterValue?: string | number | undefined;
  readonly afterId?: string | undefined;
  /** The currency of the prices; products without a price in it are left out. */
  readonly currency?: CurrencyCode | undefined;
  readonly priceLeast?: number | undefined;
  readonly priceMost?: number | undefined;
  readonly inStock?: true | undefined;
  readonly soldOut?: true | undefined;
  /** How many products are looked at before the one at which a page stops. */
  readonly walk: number;
}

type Given = GivenFilters<SortedRowFilters>;

/** The table that `hasStock` reads, for what remembers its answers. */
export const STOCK_TABLE = "inventory_levels";

/** True if a unit can be ordered now of one of the variants: `inStock` of a variant, as SQL. */
export const hasStock = hasLevelInStock(sql`product_id = ${products.id}`);

/** The same of the variant of a row of options. */
export const isVariantInStock = hasLevelInStock(sql`variant_id = ${variantOptions.variantId}`);

function hasLevelInStock(of: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM inventory_levels WHERE inventory_levels.${of}
    AND archived_at IS NULL AND (NOT (${isTrue("tracked")}) OR backorder = 'allow' OR on_hand > reserved))`;
}

export type Selecting = Pick<Builder, "select" | "selectDistinct">;

/** The ids of the products that pass one filter, by its index. */
type Source = (given: Given, db: Selecting) => SQL;
export const sources: readonly (readonly [name: keyof SortedRowFilters, source: Source])[] = [
  ["ids", (given) => idsOf(inArray(products.id, given.each("ids")))],
  ["slug", (given) => idsOf(eq(products.slug, given.one("slug")))],
  ["collection", (given) => sql`SELECT product_id AS subject FROM ${members} WHERE ${isIn(given)}`],
  [
    "skus",
    (given) => sql`SELECT DISTINCT product_id AS subject FROM ${variants} WHERE ${hasSku(given)}`,
  ],
  ["category", (given) => idsOf(inArray(products.category, given.each("category")))],
  ["brand", (given) => idsOf(inArray(products.brand, given.each("brand")))],
  ["tag", (given) => idsByTag(given, "tag")],
  ["tags", (given) => idsByTag(given, "tags")],
  ...optionSlots.map((slot): readonly [typeof slot, Source] => [
    slot,
    (given) =>
      sql`SELECT DISTINCT product_id AS subject FROM ${variantOptions} WHERE ${isOption(given.each(slot))}`,
  ]),
  ["priceLeast", idsByPrice],
  ["priceMost", idsByPrice],
  ["from", (given) => idsOf(within(given))],
  ["before", (given) => idsOf(within(given))],
  [
    "terms",
    (given, db) => sql`SELECT subject FROM ${matchingSubjects(db, given.one("terms"))} AS matching`,
  ],
];

function idsOf(condition: SQL | undefined): SQL {
  return sql`SELECT ${products.id} AS subject FROM ${products} WHERE ${condition}`;
}

/** Each of them once, also of those that have several of the tags. */
function idsByTag(given: Given, name: "tag" | "tags"): SQL {
  return sql`SELECT DISTINCT product_id AS subject FROM ${productTags} WHERE ${hasTag(given, name)}`;
}

function idsByPrice(given: Given): SQL {
  return sql`SELECT product_id AS subject FROM ${productPrices} WHERE ${priced(given)}`;
}

export function within(given: Given, id: SQLWrapper = products.id) {
  return and(
    given.has("from") ? gte(id, given.one("from")) : undefined,
    given.has("before") ? lt(id, given.one("before")) : undefined,
  );
}

export function priced(given: Given) {
  const { currency, amountMinor } = productPrices;
  return and(
    eq(currency, given.one("currency")),
    given.has("priceLeast") ? gte(amountMinor, given.one("priceLeast")) : undefined,
    given.has("priceMost") ? lte(amountMinor, given.one("priceMost")) : undefined,
  );
}

function hasTag(given: Given, name: "tag" | "tags") {
  return inArray(productTags.tag, given.each(name));
}

export function isIn(given: Given) {
  return eq(members.collectionId, given.one("collection"));
}

function hasSku(given: Given) {
  return inArray(variants.sku, given.each("skus"));
}

const { nameKey, valueKey, variantId, productId } = variantOptions;

/** The condition on a row of options: the name is the first of the places, and the value one of the others. */
function isOption([name, ...values]: readonly Placeholder[]) {
  return and(sql`${nameKey} = ${name}`, inArray(valueKey, values));
}

/** True if one variant has all options that are asked for, and a unit of it can be ordered now if that is asked for. */
export function hasVariant(
  [first = [], ...others]: readonly (readonly Placeholder[])[],
  isStocked: boolean,
): SQL {
  const conditions = others.map(([name, ...values]) => {
    const ofOther = and(sql`other.name_key = ${name}`, inArray(sql`other.value_key`, values));
    return sql`EXISTS (SELECT 1 FROM ${variantOptions} AS other WHERE ${ofOther} AND other.variant_id = ${variantId})`;
  });
  const stock = isStocked ? isVariantInStock : undefined;
  return sql`EXISTS (SELECT 1 FROM ${variantOptions}
    WHERE ${and(eq(productId, products.id), isOption(first), ...conditions, stock)})`;
}

export function matching(db: Selecting, given: Given) {
  return and(rowMatches(given), relatedMatch(db, given));
}

/** Conditions on the row of a product. By an index of it, all products of a category would be read and sorted. */
function rowMatches(given: Given) {
  const equal = (name: "slug" | "status") =>
    given.has(name) ? sql`${products[name]} || '' = ${given.one(name)}` : undefined;
  const anyOf = (name: "brand" | "category") =>
    given.has(name) ? inArray(sql`${products[name]} || ''`, given.each(name)) : undefined;
  return and(
    given.has("ids") ? inArray(products.id, given.each("ids")) : undefined,
    given.has("statusNot") ? ne(products.status, given.one("statusNot")) : undefined,
    equal("status"),
    equal("slug"),
    anyOf("category"),
    anyOf("brand"),
    within(given, sql`${products.id} || ''`),
  );
}

/** Conditions on the rows of a product in other tables. */
function relatedMatch(db: Selecting, given: Given) {
  const { id } = products;
  const lookUp = (table: typeof productTags | typeof variants | typeof members, condition: SQL) =>
    sql`EXISTS (SELECT 1 FROM ${table} WHERE ${condition} AND ${eq(table.productId, id)})`;
  return and(
    given.has("tag") ? lookUp(productTags, hasTag(given, "tag")) : undefined,
    given.has("tags") ? lookUp(productTags, hasTag(given, "tags")) : undefined,
    given.has("collection") ? lookUp(members, isIn(given)) : undefined,
    given.has("skus") ? lookUp(variants, hasSku(given)) : undefined,
    given.has("terms")
      ? isMatch(db, { kind: "products", terms: given.one("terms"), id })
      : undefined,
    given.has("currency") ? and(eq(productPrices.productId, id), priced(given)) : undefined,
    variantMatch(given),
    given.has("soldOut") ? sql`NOT ${hasStock}` : undefined,
  );
}

/** The condition on the variants of a product: one has the options that are asked for, and is in stock if that is. */
function variantMatch(given: Given): SQL | undefined {
  const isStocked = given.has("inStock");
  const options = optionSlots.filter((slot) => given.has(slot)).map((slot) => given.each(slot));
  if (options.length > 0) return hasVariant(options, isStocked);
  return isStocked ? hasStock : undefined;
}
