// Lookup: products by words that are misspelled. Where no product that the caller may see has the words, each that none of
// them has is replaced by the nearest word that one of them has.

import { listSortedProducts } from "#catalog/listing/sorted-queries.ts";
import { newestFirst } from "#catalog/listing/sorting.ts";
import { wordsLike } from "#catalog/listing/spelling-queries.ts";
import { nearestWords } from "#catalog/listing/spellings.ts";
import { visibleStatuses } from "#catalog/rows/product.ts";
import type { Page } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import { spelledWords, withWords, wordsOf } from "#platform/database/search-words.ts";

import { type ProductFilters, rowFiltersOf } from "./lookups.ts";

/** Words of a search that are corrected; further ones stay. */
const WORDS_MAX = 4;

interface SearchQuery {
  readonly q?: string;
  /** True where the words are taken as they are. */
  readonly exact?: boolean;
}

/** The query of a list or of facets, and the scopes of who asks. */
interface Asked<Q extends SearchQuery> {
  readonly query: Q;
  readonly caller: { readonly scopes: ReadonlySet<string> };
}

interface Finding<Q extends SearchQuery, T> {
  readonly find: (query: Q) => Promise<T>;
  readonly isEmpty: (found: T) => boolean;
}

/**
 * Returns what is found by the words, or by corrected ones and which these are. That depends on the words alone, no other
 * filter, so that a list, its pages and its facets are corrected alike.
 */
export async function findCorrected<Q extends SearchQuery, T>(
  db: Reader,
  { query, caller }: Asked<Q>,
  { find, isEmpty }: Finding<Q, T>,
): Promise<{ readonly found: T; readonly correctedQ: string | null }> {
  const found = await find(query);
  const { q, exact = false } = query;
  if (q === undefined || exact || !isEmpty(found)) return { found, correctedQ: null };
  const correctedQ = await correct(seenBy(db, visibleStatuses(caller.scopes)), q);
  if (correctedQ === null) return { found, correctedQ };
  return { found: await find({ ...query, q: correctedQ }), correctedQ };
}

/** The same of a page of a list, which tells the corrected words. */
export async function findCorrectedPage<Q extends SearchQuery, T>(
  db: Reader,
  asked: Asked<Q>,
  find: (query: Q) => Promise<Page<T>>,
): Promise<Page<T>> {
  const isEmpty = ({ rows, hasMore }: Page<T>) => rows.length === 0 && !hasMore;
  const { found, correctedQ } = await findCorrected(db, asked, { find, isEmpty });
  return { ...found, members: { corrected_q: correctedQ } };
}

/** Looks for products that the caller may see by words alone. */
interface Seen {
  readonly db: Reader;
  /** True if one of the newest matches is seen. */
  has(q: string): Promise<boolean>;
  /** True also if there are more matches than are looked at. */
  mayHave(q: string): Promise<boolean>;
}

function seenBy(db: Reader, statuses: ProductFilters["statuses"]): Seen {
  const look = (q: string) =>
    listSortedProducts(db, { ...rowFiltersOf({ q, statuses }), ...newestFirst });
  return {
    db,
    has: async (q) => (await look(q)).found.length > 0,
    mayHave: async (q) => {
      const { found, stop } = await look(q);
      return found.length > 0 || stop !== undefined;
    },
  };
}

async function correct(seen: Seen, q: string): Promise<string | null> {
  if (await seen.mayHave(q)) return null;
  const words: (string | null)[] = [];
  for (const typed of wordsOf(q, WORDS_MAX)) words.push(await nearestTo(seen, typed));
  const corrected = withWords(q, words);
  return corrected !== q && (await seen.has(corrected)) ? corrected : null;
}

/** The word that was probably meant; null if it is the typed one, or none. */
async function nearestTo(seen: Seen, typed: string): Promise<string | null> {
  const [word, ...more] = spelledWords(typed);
  if (word === undefined || more.length > 0 || (await seen.mayHave(typed))) return null;
  for (const near of nearestWords(word, await wordsLike(seen.db, word))) {
    if (await seen.has(near)) return near;
  }
  return null;
}
