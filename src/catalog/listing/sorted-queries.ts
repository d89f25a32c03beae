// The SQL that lists products in an order that the caller chose, or by what is in stock. Anyone with a publishable key
// can ask for what no product has: a statement reads so many products at most, and says where it stopped.

import { and, eq, gte, inArray, lt, lte, ne, type SQL, sql, type SQLWrapper } from "drizzle-orm";

import { productPrices, products, productTags, variants } from "#catalog/products/tables.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import type { Builder, Reader } from "#platform/database/database.ts";
import { isTrue } from "#platform/database/kit.ts";
import { rememberedAnswer } from "#platform/database/memory/remembered.ts";
import { type GivenFilters, preparedByFilters } from "#platform/database/prepared.ts";
import { isMatch, matchingSubjects } from "#platform/database/search/search.ts";

import type { ProductRowFilters } from "./queries.ts";

/** What a list has besides, that is sorted or bounded by prices, by names or by what is in stock. */
export interface SortedRowFilters extends ProductRowFilters {
  /** By ids where neither is given. */
  readonly byPrice?: true | undefined;
  readonly byName?: true | undefined;
  /** Exactly one of the two is given. */
  readonly ascending?: true | undefined;
  readonly descending?: true | undefined;
  /** Where the page before ended. */
  readonly afterValue?: string | number | undefined;
  readonly afterId?: string | undefined;
  /** Of the prices; products without a price in it are left out. */
  readonly currency?: CurrencyCode | undefined;
  readonly priceLeast?: number | undefined;
  readonly priceMost?: number | undefined;
  readonly inStock?: true | undefined;
  readonly soldOut?: true | undefined;
  /** How many products are looked at before the one at which a page stops. */
  readonly walk: number;
}

/** One product of a sorted list, with the value that it is sorted by. */
export interface ListedProduct {
  readonly id: Id<"product">;
  readonly value: string | number;
}

/** The products that match, in the order asked for. */
export interface SortedProducts {
  readonly found: readonly ListedProduct[];
  /** The last product that was looked at, if there are others behind it. */
  readonly stop: ListedProduct | undefined;
}

type Given = GivenFilters<SortedRowFilters>;

/** What is known of a list when its statement runs. */
interface Walked extends SortedRowFilters {
  readonly untilValue?: string | number | undefined;
  readonly untilId?: string | undefined;
}

/** Whether a unit can be ordered now of one of the variants: `inStock` of a variant, as SQL. */
const hasStock = sql`EXISTS (SELECT 1 FROM inventory_levels WHERE inventory_levels.product_id = ${products.id}
  AND archived_at IS NULL AND (NOT (${isTrue("tracked")}) OR backorder = 'allow' OR on_hand > reserved))`;

type Selecting = Pick<Builder, "select" | "selectDistinct">;

/** The ids of the products that pass one filter, by its index. */
type Source = (given: Given, db: Selecting) => SQL;
const sources: readonly (readonly [name: keyof SortedRowFilters, source: Source])[] = [
  ["ids", (given) => idsOf(inArray(products.id, given.each("ids")))],
  ["slug", (given) => idsOf(eq(products.slug, given.one("slug")))],
  ["sku", (given) => sql`SELECT product_id AS subject FROM ${variants} WHERE ${hasSku(given)}`],
  ["category", (given) => idsOf(eq(products.category, given.one("category")))],
  ["brand", (given) => idsOf(eq(products.brand, given.one("brand")))],
  ["tag", (given) => sql`SELECT product_id AS subject FROM ${productTags} WHERE ${hasTag(given)}`],
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

function idsByPrice(given: Given): SQL {
  return sql`SELECT product_id AS subject FROM ${productPrices} WHERE ${priced(given)}`;
}

function within(given: Given, id: SQLWrapper = products.id) {
  return and(
    given.has("from") ? gte(id, given.one("from")) : undefined,
    given.has("before") ? lt(id, given.one("before")) : undefined,
  );
}

function priced(given: Given) {
  const { currency, amountMinor } = productPrices;
  return and(
    eq(currency, given.one("currency")),
    given.has("priceLeast") ? gte(amountMinor, given.one("priceLeast")) : undefined,
    given.has("priceMost") ? lte(amountMinor, given.one("priceMost")) : undefined,
  );
}

function hasTag(given: Given) {
  return eq(productTags.tag, given.one("tag"));
}

function hasSku(given: Given) {
  return eq(variants.sku, given.one("sku"));
}

function matching(db: Selecting, given: Given) {
  return and(rowMatches(given), relatedMatch(db, given));
}

/** What the row of a product says. By an index of it, all products of a category would be read and sorted. */
function rowMatches(given: Given) {
  const equal = (name: "brand" | "category" | "slug" | "status") =>
    given.has(name) ? sql`${products[name]} || '' = ${given.one(name)}` : undefined;
  return and(
    given.has("ids") ? inArray(products.id, given.each("ids")) : undefined,
    given.has("statusNot") ? ne(products.status, given.one("statusNot")) : undefined,
    equal("status"),
    equal("slug"),
    equal("category"),
    equal("brand"),
    within(given, sql`${products.id} || ''`),
  );
}

/** What is looked up for a product in other tables. */
function relatedMatch(db: Selecting, given: Given) {
  const { id } = products;
  const lookUp = (table: typeof productTags | typeof variants, condition: SQL) =>
    sql`EXISTS (SELECT 1 FROM ${table} WHERE ${condition} AND ${eq(table.productId, id)})`;
  return and(
    given.has("tag") ? lookUp(productTags, hasTag(given)) : undefined,
    given.has("sku") ? lookUp(variants, hasSku(given)) : undefined,
    given.has("terms")
      ? isMatch(db, { kind: "products", terms: given.one("terms"), id })
      : undefined,
    given.has("currency") ? and(eq(productPrices.productId, id), priced(given)) : undefined,
    given.has("inStock") ? hasStock : undefined,
    given.has("soldOut") ? sql`NOT ${hasStock}` : undefined,
  );
}

/** What a list is sorted by. Its table has an index of both columns. */
function orderOf(given: Given) {
  const { amountMinor, productId } = productPrices;
  if (given.has("byPrice")) return { table: productPrices, value: amountMinor, id: productId };
  const value = given.has("byName") ? products.nameKey : products.id;
  return { table: products, value, id: products.id };
}

function selected(given: Given) {
  const { value, id } = orderOf(given);
  return {
    id: sql<Id<"product">>`${id}`,
    value: sql<string | number>`${value}`.mapWith(given.has("byPrice") ? Number : String),
  };
}

function inOrder(given: Given): [SQL, SQL] {
  const { value, id } = orderOf(given);
  const direction = given.has("descending") ? sql`DESC` : sql`ASC`;
  return [sql`${value} ${direction}`, sql`${id} ${direction}`];
}

/** Where a walk begins and ends, in the form that its index answers, and no other index does. */
function walked(given: GivenFilters<Walked>) {
  const { value, id } = orderOf(given);
  const [beyond, upTo] = given.has("descending") ? [sql`<`, sql`>=`] : [sql`>`, sql`<=`];
  const place = (name: "after" | "until", sign: SQL) =>
    given.has(`${name}Id`)
      ? sql`(${value}, ${id}) ${sign} (${given.one(`${name}Value`)}, ${given.one(`${name}Id`)})`
      : undefined;
  const span = value === products.id ? within(given) : undefined;
  return and(place("after", beyond), place("until", upTo), span);
}

/** The last product of a walk, and the first behind it; neither of them at the end of the list. */
const endOfWalk = preparedByFilters<SortedRowFilters>()((db, given) =>
  db
    .select(selected(given))
    .from(orderOf(given).table)
    .where(and(given.has("byPrice") ? priced(given) : undefined, walked(given)))
    .orderBy(...inOrder(given))
    .limit(2)
    .offset(given.one("walk")),
);

/** The matches of a walk. SQLite reads what is written first in the outer loop; PostgreSQL decides by its statistics. */
const matchesOfWalk = preparedByFilters<Walked>()((db, given) => {
  const { table } = orderOf(given);
  const other = table === products ? productPrices : products;
  const isJoined = given.has("currency");
  return db
    .select(selected(given))
    .from(isJoined ? sql`${table} CROSS JOIN ${other}` : sql`${table}`)
    .where(and(matching(db, given), walked(given)))
    .orderBy(...inOrder(given))
    .limit(given.one("rows"));
});

/** By each filter: whether more products pass it than a walk has, and the matches among those that pass it. */
const narrowing = sources.map(([name, source]) => ({
  name,
  isWide: preparedByFilters<SortedRowFilters>()((db, given) =>
    db
      .select({ one: sql`1` })
      .from(sql`(${source(given, db)}) AS few`)
      .limit(1)
      .offset(given.one("walk")),
  ),
  matches: preparedByFilters<SortedRowFilters>()((db, given) => {
    const prices = given.has("currency") ? sql` CROSS JOIN ${productPrices}` : sql``;
    return db
      .select(selected(given))
      .from(sql`(${source(given, db)}) AS few CROSS JOIN ${products}${prices}`)
      .where(and(sql`${products.id} = few.subject`, matching(db, given), walked(given)))
      .orderBy(...inOrder(given))
      .limit(given.one("rows"));
  }),
}));

async function findSorted(db: Reader, filters: SortedRowFilters): Promise<SortedProducts> {
  for (const { name, isWide, matches } of narrowing) {
    if (filters[name] === undefined || (await isWide(db, filters)).length > 0) continue;
    return { found: await matches(db, filters), stop: undefined };
  }
  const [last, next] = await endOfWalk(db, filters);
  const until = next === undefined ? {} : { untilValue: last?.value, untilId: last?.id };
  const found = await matchesOfWalk(db, { ...filters, ...until });
  return { found, stop: next === undefined ? undefined : last };
}

const rememberedSorted = rememberedAnswer(
  [products, productTags, variants, productPrices],
  findSorted,
);

/** The products that match in the order asked for. What is in stock changes with every sale. */
export function listSortedProducts(db: Reader, filters: SortedRowFilters): Promise<SortedProducts> {
  const { terms, inStock, soldOut } = filters;
  const isFleeting = (terms ?? inStock ?? soldOut) !== undefined;
  return isFleeting ? findSorted(db, filters) : rememberedSorted(db, filters);
}
