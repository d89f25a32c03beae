// The SQL that counts what products have in common: in a part of a list that is as long as a list may look at, and in a
// whole list, part by part, of which what stays is remembered.

import { and, asc, eq, gte, inArray, lte, type SQL, sql } from "drizzle-orm";

import {
  hasStock,
  hasVariant,
  isVariantInStock,
  type SortedRowFilters,
  STOCK_TABLE,
} from "#catalog/listing/condition-queries.ts";
import { type Looked, readingMatches } from "#catalog/listing/match-queries.ts";
import { type ChosenOptions, chosenSlots, type OptionFilter } from "#catalog/listing/options.ts";
import {
  collectionProducts,
  productPrices,
  products,
  productTags,
  variantOptions,
  variants,
} from "#catalog/rows/tables.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import { type GivenFilters, prepared } from "#platform/database/prepared.ts";
import { rememberedAnswer } from "#platform/database/remembered.ts";

import { BETWEEN_OPTIONS, WITHIN_OPTION } from "./count-options.ts";
import { type CountedRow, type FacetCounts, sumRows } from "./facets.ts";

/**
 * The filters of groups that the caller chose stand apart: of a product that one of them leaves out, its own group is
 * counted. The category and the brand of a collection's rule are no choice.
 */
export interface FacetRowFilters
  extends
    Omit<
      SortedRowFilters,
      "tag" | "currency" | "priceLeast" | "priceMost" | "inStock" | "soldOut" | keyof OptionFilter
    >,
    ChosenOptions {
  readonly ofCategory?: readonly string[] | undefined;
  readonly ofBrand?: readonly string[] | undefined;
  readonly ofTag?: readonly string[] | undefined;
  readonly ofCurrency?: CurrencyCode | undefined;
  readonly ofPriceLeast?: number | undefined;
  readonly ofPriceMost?: number | undefined;
  readonly ofInStock?: true | undefined;
  readonly ofSoldOut?: true | undefined;
}

type Given = GivenFilters<FacetRowFilters>;
type Group = "category" | "brand" | "tag" | "option" | "price" | "stock";

/** A filter of a group: the column that says whether a product passes it, and how that is found. */
interface Choice {
  readonly group: Group;
  readonly filter: keyof FacetRowFilters;
  readonly passes: SQL;
  readonly condition: (given: Given) => SQL | undefined;
}

const choices: readonly Choice[] = [
  {
    group: "category",
    filter: "ofCategory",
    passes: sql`passes_category`,
    condition: (given) => inArray(products.category, given.each("ofCategory")),
  },
  {
    group: "brand",
    filter: "ofBrand",
    passes: sql`passes_brand`,
    condition: (given) => inArray(products.brand, given.each("ofBrand")),
  },
  {
    group: "tag",
    filter: "ofTag",
    passes: sql`passes_tag`,
    condition: (given) => sql`EXISTS (SELECT 1 FROM ${productTags}
      WHERE ${inArray(productTags.tag, given.each("ofTag"))} AND ${productTags.productId} = ${products.id})`,
  },
  {
    group: "option",
    filter: "ofOption1",
    passes: sql`passes_options`,
    condition: (given) => hasVariant(optionPlaces(given), given.has("ofInStock")),
  },
  {
    group: "price",
    filter: "ofCurrency",
    passes: sql`passes_price`,
    condition: (given) => sql`EXISTS (SELECT 1 FROM ${productPrices} WHERE ${priced(given)})`,
  },
  {
    group: "stock",
    filter: "ofInStock",
    passes: sql`passes_in_stock`,
    condition: () => hasStock,
  },
  {
    group: "stock",
    filter: "ofSoldOut",
    passes: sql`passes_sold_out`,
    condition: () => sql`NOT ${hasStock}`,
  },
];

function optionPlaces(given: Given) {
  return chosenSlots.filter((slot) => given.has(slot)).map((slot) => given.each(slot));
}

function priced(given: Given) {
  const { productId, currency, amountMinor } = productPrices;
  return and(
    eq(productId, products.id),
    eq(currency, given.one("ofCurrency")),
    given.has("ofPriceLeast") ? gte(amountMinor, given.one("ofPriceLeast")) : undefined,
    given.has("ofPriceMost") ? lte(amountMinor, given.one("ofPriceMost")) : undefined,
  );
}

function chosen(given: Given, but?: Group): readonly Choice[] {
  return choices.filter(({ group, filter }) => group !== but && given.has(filter));
}

/** The rows that a group counts: by the filters of the others. */
function counted(given: Given, but?: Group): SQL {
  return and(...chosen(given, but).map(({ passes }) => passes)) ?? sql`TRUE`;
}

/**
 * The options of the variants that are counted of a product, as one text. With options asked for it says which variant has
 * each, else it is the same for many products.
 */
function optionsText(given: Given): SQL {
  const { productId, variantId, name, value } = variantOptions;
  const variant = given.has("ofOption1") ? sql`${variantId}` : sql`''`;
  const [inside, between] = [WITHIN_OPTION, BETWEEN_OPTIONS].map((sign) => sql.raw(`'${sign}'`));
  const entry = sql`${variant} || ${inside} || ${name} || ${inside} || ${value}`;
  const stock = given.has("ofInStock") ? sql`AND ${isVariantInStock}` : sql``;
  return sql`(SELECT string_agg(${entry}, ${between}) FROM ${variantOptions}
    WHERE ${productId} = looked.id ${stock})`;
}

/** Finds what products have in common: one row for each value, and for all options of a product. */
const countRows = readingMatches<FacetRowFilters>()((db, given, { from, where }) => {
  const { id, category, brand } = products;
  const passing = chosen(given).map((one) => sql`, ${one.condition(given)} AS ${one.passes}`);
  const { productId, currency, amountMinor } = productPrices;
  // The text of each product is another one then, and sorting them to find that out costs as much as reading them.
  const isChosen = given.has("ofOption1");
  const rows = sql`WITH looked AS MATERIALIZED (
      SELECT ${id} AS id, ${category} AS category, ${brand} AS brand${sql.join(passing)}
      FROM ${from} WHERE ${where ?? sql`TRUE`}
    )
    SELECT 'total' AS kind, NULL AS value, count(*) AS products, 0 AS least, 0 AS most
      FROM looked WHERE ${counted(given)}
    UNION ALL SELECT 'category', category, count(*), 0, 0
      FROM looked WHERE category IS NOT NULL AND ${counted(given, "category")} GROUP BY category
    UNION ALL SELECT 'brand', brand, count(*), 0, 0
      FROM looked WHERE brand IS NOT NULL AND ${counted(given, "brand")} GROUP BY brand
    UNION ALL SELECT 'tag', ${productTags.tag}, count(*), 0, 0
      FROM looked CROSS JOIN ${productTags}
      WHERE ${productTags.productId} = looked.id AND ${counted(given, "tag")} GROUP BY ${productTags.tag}
    UNION ALL SELECT 'options', options, ${isChosen ? sql`1` : sql`count(*)`}, 0, 0
      FROM (SELECT ${optionsText(given)} AS options FROM looked WHERE ${counted(given, "option")}) AS held
      WHERE options IS NOT NULL ${isChosen ? sql`` : sql`GROUP BY options`}
    UNION ALL SELECT 'price', ${currency}, count(*), min(${amountMinor}), max(${amountMinor})
      FROM looked CROSS JOIN ${productPrices}
      WHERE ${productId} = looked.id AND ${counted(given, "price")} GROUP BY ${currency}`;
  return db
    .select({
      kind: sql<CountedRow["kind"]>`kind`,
      value: sql<string | null>`value`,
      count: sql<number>`products`.mapWith(Number),
      minMinor: sql<number>`least`.mapWith(Number),
      maxMinor: sql<number>`most`.mapWith(Number),
    })
    .from(sql`(${rows}) AS counted`);
});

/** How many of them can be ordered now, by all filters but those on stock. */
const countInStock = readingMatches<FacetRowFilters>()((db, given, { from, where }) => {
  const inStock = given.has("ofOption1") ? hasVariant(optionPlaces(given), true) : hasStock;
  const others = chosen(given, "stock").map((one) => one.condition(given));
  return db
    .select({ count: sql<number>`count(*)`.mapWith(Number) })
    .from(from)
    .where(and(where, ...others, inStock));
});

/** Each part of a list is counted in a turn of its own, of some 10 ms; so a shop of 6,000 products is counted whole. */
const PARTS_MAX = 3;

/** Any price can be asked for, and an answer may have some 30 KB. */
const ANSWERS_MAX = 200;

const tables = [products, productTags, variants, variantOptions, productPrices, collectionProducts];

export interface GroupCounts extends FacetCounts {
  /** True if all products of the list were counted, not its newest alone. */
  readonly complete: boolean;
}

export async function countGroups(db: Reader, filters: FacetRowFilters): Promise<GroupCounts> {
  const { found, complete } = await lookOver(db, filters, countRows);
  const asked = chosenSlots.flatMap((slot) => (filters[slot] ? [filters[slot]] : []));
  return { ...sumRows(found, asked), complete };
}

export async function countAvailable(db: Reader, filters: FacetRowFilters): Promise<number> {
  const { found } = await lookOver(db, filters, countInStock);
  return found.reduce((sum, { count }) => sum + count, 0);
}

type ReadPart<Row> = (db: Reader, filters: FacetRowFilters) => Promise<Looked<readonly Row[]>>;

/** Reads the list part by part, newest first, up to so many parts. */
async function lookOver<Row>(db: Reader, filters: FacetRowFilters, readPart: ReadPart<Row>) {
  const found: Row[] = [];
  let { before } = filters;
  for (let part = 0; part < PARTS_MAX; part += 1) {
    if (part > 0) await nextTurn();
    const looked = await readPart(db, { ...filters, before });
    found.push(...looked.found);
    if (looked.stop === undefined) return { found, complete: true };
    before = looked.stop.id;
  }
  return { found, complete: false };
}

export const rememberedGroups = rememberedAnswer(tables, countGroups, { most: ANSWERS_MAX });
export const rememberedAvailable = rememberedAnswer([...tables, STOCK_TABLE], countAvailable, {
  most: ANSWERS_MAX,
});

const currencyAfter = prepared<{ after: string }>()((db, at) =>
  db
    .select({ currency: productPrices.currency })
    .from(productPrices)
    .innerJoin(products, eq(products.id, productPrices.productId))
    .where(and(sql`${productPrices.currency} > ${at.after}`, eq(products.status, "active")))
    .orderBy(asc(productPrices.currency))
    .limit(1),
);

/** Reads the currencies after a code of the prices of active products, one after the other. */
async function listCurrencies(db: Reader, after: string): Promise<CurrencyCode[]> {
  const [next] = await currencyAfter(db, { after });
  return next === undefined ? [] : [next.currency, ...(await listCurrencies(db, next.currency))];
}

export const rememberedCurrencies = rememberedAnswer([products, productPrices], listCurrencies);
