// Lookup: the words that were probably meant by those of a search that are misspelled. Where no product that the caller may
// see has the words, each that none of them has is replaced by the nearest word that one of them has.

import { listSortedProducts } from "#catalog/listing/sorted-queries.ts";
import { newestFirst } from "#catalog/listing/sorting.ts";
import { wordsLike } from "#catalog/listing/spelling-queries.ts";
import { nearestWords } from "#catalog/listing/spellings.ts";
import type { Reader } from "#platform/database/database.ts";
import { spelledAs, withWords, wordsOf } from "#platform/database/search/words.ts";

import { type ProductFilters, rowFiltersOf } from "./lookups.ts";

/** Words of a search that are corrected; further ones stay. */
const WORDS_MAX = 4;

/** Looks for products that the caller may see by words alone. */
export interface Seen {
  readonly db: Reader;
  /** True if one of the newest matches is seen. */
  has(words: Pick<ProductFilters, "q" | "orSingular">): Promise<boolean>;
  /** True also of the singulars of the words, and if there are more matches than are looked at. */
  mayHave(q: string): Promise<boolean>;
  /** True if fewer than so many products are seen. */
  hasFewer(q: string, than: number): Promise<boolean>;
}

export function seenBy(db: Reader, statuses: ProductFilters["statuses"]): Seen {
  const look = async (filters: ProductFilters) =>
    listSortedProducts(db, {
      ...(await rowFiltersOf(db, { ...filters, statuses })),
      ...newestFirst,
    });
  return {
    db,
    has: async (words) => (await look(words)).found.length > 0,
    mayHave: async (q) => {
      const { found, stop } = await look({ q, orSingular: true });
      return found.length > 0 || stop !== undefined;
    },
    hasFewer: async (q, than) => {
      const { found, stop } = await look({ q, limit: than });
      return found.length < than && stop === undefined;
    },
  };
}

/** The text with the words that were meant; null if it has those already, or none is found. */
export async function correctWords(seen: Seen, q: string): Promise<string | null> {
  if (await seen.mayHave(q)) return null;
  const words: (string | null)[] = [];
  for (const typed of wordsOf(q, WORDS_MAX)) words.push(await nearestTo(seen, typed));
  const corrected = withWords(q, words);
  if (corrected === q) return null;
  return (await seen.has({ q: corrected, orSingular: true })) ? corrected : null;
}

/** The word that was probably meant; null if it is the typed one, or none. */
async function nearestTo(seen: Seen, typed: string): Promise<string | null> {
  const word = spelledAs(typed);
  if (word === undefined || (await seen.mayHave(typed))) return null;
  for (const near of nearestWords(word, await wordsLike(seen.db, word))) {
    if (await seen.has({ q: near })) return near;
  }
  return null;
}
