// The SQL that finds the products of a list in an order that the caller chose, and those that are searched for or are in
// stock. Anyone with a publishable key can ask for what no product has: a statement reads so many products at most, and
// says where it stopped.

import { and, eq, type SQL, sql, type SQLWrapper } from "drizzle-orm";

import { collectionProducts as members, productPrices, products } from "#catalog/rows/tables.ts";
import type { Id } from "#kernel/id.ts";
import type { Preparable, Reader } from "#platform/database/database.ts";
import { type GivenFilters, preparedByFilters } from "#platform/database/prepared.ts";
import { MATCHES_IN_WINDOW, windowOfMatches } from "#platform/database/search.ts";

import {
  isIn,
  matching,
  priced,
  type Selecting,
  type SortedRowFilters,
  sources,
  within,
} from "./condition-queries.ts";

/** One product of a sorted list, with the value that it is sorted by. */
export interface ListedProduct {
  readonly id: Id<"product">;
  readonly value: string | number;
}

type Given = GivenFilters<SortedRowFilters>;

/** The terms of a list that are known when its statement runs. */
interface Walked extends SortedRowFilters {
  readonly untilValue?: string | number | undefined;
  readonly untilId?: string | undefined;
  /** In place of `terms`, where the newest matches are found first. */
  readonly newestOf?: string | undefined;
}

/** The tables that have the matches of a list, the products among them, and the conditions of a match. */
interface Matches {
  readonly from: SQL;
  readonly where: SQL | undefined;
}

/**
 * The columns by which a list is sorted. Their table has an index of both columns, but for places in a collection: that
 * has so few products that they are found first.
 */
function orderOf(given: Given) {
  const { amountMinor, productId } = productPrices;
  if (given.has("byPrice")) return { table: productPrices, value: amountMinor, id: productId };
  if (given.has("byPosition")) {
    const value = sql`(SELECT position FROM ${members} WHERE ${isIn(given)} AND ${eq(members.productId, products.id)})`;
    return { table: products, value, id: products.id };
  }
  const value = given.has("byName") ? products.nameKey : products.id;
  return { table: products, value, id: products.id };
}

/** The columns that are told of each match of a list. */
export function selected(given: Given) {
  const { value, id } = orderOf(given);
  const isNumber = given.has("byPrice") || given.has("byPosition");
  return {
    id: sql<Id<"product">>`${id}`,
    value: sql<string | number>`${value}`.mapWith(isNumber ? Number : String),
  };
}

export function inOrder(given: Given): [SQL, SQL] {
  const { value, id } = orderOf(given);
  const direction = given.has("descending") ? sql`DESC` : sql`ASC`;
  return [sql`${value} ${direction}`, sql`${id} ${direction}`];
}

/** The bounds of a walk, in the form that its index answers, and no other index does. */
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

/** By each filter, whether more products pass it than a walk has. */
const widths = sources.map(([name, source]) => ({
  name,
  source,
  isWide: preparedByFilters<SortedRowFilters>()((db, given) =>
    db
      .select({ one: sql`1` })
      .from(sql`(${source(given, db)}) AS few`)
      .limit(1)
      .offset(given.one("walk")),
  ),
}));

/** SQLite reads what is written first in the outer loop; PostgreSQL decides by its statistics. */
function matchesOfWalk(db: Selecting, given: GivenFilters<Walked>): Matches {
  const { table } = orderOf(given);
  const other = table === products ? productPrices : products;
  const from = given.has("currency") ? sql`${table} CROSS JOIN ${other}` : sql`${table}`;
  return { from, where: and(matching(db, given), walked(given)) };
}

function matchesAmong(few: SQLWrapper, db: Selecting, given: GivenFilters<Walked>): Matches {
  const prices = given.has("currency") ? sql` CROSS JOIN ${productPrices}` : sql``;
  return {
    from: sql`(${few}) AS few CROSS JOIN ${products}${prices}`,
    where: and(sql`${products.id} = few.subject`, matching(db, given), walked(given)),
  };
}

function newestMatching(db: Selecting, given: GivenFilters<Walked>) {
  const below = given.has("before") ? given.one("before") : null;
  return windowOfMatches(db, { kind: "products", terms: given.one("newestOf"), below });
}

/** The oldest of the newest matches of a search, and how many these are. */
const endOfNewest = preparedByFilters<Walked>()((db, given) =>
  db
    .select({
      id: sql<Id<"product">>`min(newest.subject)`,
      value: sql<string>`min(newest.subject)`,
      count: sql<number>`count(*)`.mapWith(Number),
    })
    .from(sql`(${newestMatching(db, given)}) AS newest`),
);

/** The filters of a search whose newest matches are found first; undefined for another list. */
function newestOf<F extends SortedRowFilters>(filters: F): (F & Walked) | undefined {
  const { terms, byPrice, byName, byPosition } = filters;
  const isOther = terms === undefined || (byPrice ?? byName ?? byPosition) !== undefined;
  return isOther ? undefined : { ...filters, terms: undefined, newestOf: terms };
}

async function findEndOfNewest(db: Reader, filters: Walked): Promise<ListedProduct | undefined> {
  const [end] = await endOfNewest(db, filters);
  return end?.count === MATCHES_IN_WINDOW ? end : undefined;
}

async function findEndOfWalk(db: Reader, filters: SortedRowFilters) {
  const [last, next] = await endOfWalk(db, filters);
  if (last === undefined || next === undefined) return { stop: undefined, until: {} };
  return { stop: last, until: { untilValue: last.value, untilId: last.id } };
}

/**
 * The rows that were read of the matches of a list, and the last product that was looked at if there are others behind
 * it.
 */
export interface Looked<Rows> {
  readonly found: Rows;
  readonly stop: ListedProduct | undefined;
}

/**
 * Reads the matches of a list, as `read` says, in one of three ways: among the few products that pass one filter; of a
 * search, newest first, among its newest matches; else among so many products of the list's order as a walk has.
 */
export function readingMatches<F extends SortedRowFilters>() {
  return <Rows extends readonly unknown[]>(
    read: (db: Selecting, given: GivenFilters<F & Walked>, matches: Matches) => Preparable<Rows>,
  ): ((db: Reader, filters: F) => Promise<Looked<Rows>>) => {
    const reading = (find: (db: Selecting, given: GivenFilters<Walked>) => Matches) =>
      preparedByFilters<F & Walked>()((db, given) => read(db, given, find(db, given)));
    const among = widths.map(({ source, ...one }) => ({
      ...one,
      ofFew: reading((db, given) => matchesAmong(source(given, db), db, given)),
    }));
    const ofNewest = reading((db, given) => matchesAmong(newestMatching(db, given), db, given));
    const ofWalk = reading(matchesOfWalk);
    return async (db, filters) => {
      const newest = newestOf(filters);
      const narrowed = newest ?? filters;
      for (const { name, isWide, ofFew } of among) {
        if (narrowed[name] === undefined || (await isWide(db, narrowed)).length > 0) continue;
        return { found: await ofFew(db, filters), stop: undefined };
      }
      if (newest !== undefined) {
        const found = await ofNewest(db, newest);
        // The words are looked up once more only for a page that is not full.
        const isFull = found.length >= filters.rows;
        return { found, stop: isFull ? undefined : await findEndOfNewest(db, newest) };
      }
      const { stop, until } = await findEndOfWalk(db, filters);
      return { found: await ofWalk(db, { ...filters, ...until }), stop };
    };
  };
}
