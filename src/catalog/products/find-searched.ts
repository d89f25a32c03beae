// Lookup: products by the words of a search. Where few products have the words, their singulars are asked for, too; where
// none has them, words that are misspelled are corrected. Both depend on the words alone and on what the caller may see, no
// other filter, so that a list, its pages and its facets agree.

import { type Product, visibleStatuses } from "#catalog/rows/product.ts";
import type { Page } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import { hasPlural } from "#platform/database/search/words.ts";

import { correctWords, type Seen, seenBy } from "./correct-words.ts";
import type { ListOfProducts } from "./query-schema.ts";

interface SearchQuery {
  readonly q?: string;
  /** True where the words are taken as they are. */
  readonly exact?: boolean;
}

/** The query of a list or of facets, and the scopes of who asks. */
interface Asked {
  readonly query: SearchQuery;
  readonly caller: { readonly scopes: ReadonlySet<string> };
  /** True if each word may also be its singular; undefined where that is not decided. */
  readonly orSingular?: boolean | undefined;
}

interface Finding<A, T> {
  readonly find: (asked: A) => Promise<T>;
  /** How many products are found, at least. */
  readonly count: (found: T) => number;
}

interface Searched<T> {
  readonly found: T;
  readonly orSingular: boolean;
  /** The words that were searched for in place of those of the query; null if these were. */
  readonly correctedQ: string | null;
}

/** Returns what is found by the words, by their singulars, or by corrected ones. */
export async function findSearched<A extends Asked, T>(
  db: Reader,
  asked: A,
  finding: Finding<A, T>,
): Promise<Searched<T>> {
  const seen = seenBy(db, visibleStatuses(asked.caller.scopes));
  const searched = await findOrSingular(seen, asked, finding);
  const { q, exact = false } = asked.query;
  if (q === undefined || exact || finding.count(searched.found) > 0) return searched;
  const correctedQ = await correctWords(seen, q);
  if (correctedQ === null) return searched;
  const corrected = { ...asked, query: { ...asked.query, q: correctedQ } };
  return { ...(await findOrSingular(seen, corrected, finding)), correctedQ };
}

/** With so many products no singular is asked for. */
const ENOUGH = 5;

async function findOrSingular<A extends Asked, T>(
  seen: Seen,
  asked: A,
  { find, count }: Finding<A, T>,
): Promise<Searched<T>> {
  const findBy = async (orSingular: boolean) => ({
    found: await find({ ...asked, orSingular }),
    orSingular,
    correctedQ: null,
  });
  const { orSingular = false, query } = asked;
  const { q, exact = false } = query;
  const searched = await findBy(orSingular);
  const isDecided = asked.orSingular !== undefined || q === undefined || exact;
  if (isDecided || !hasPlural(q) || count(searched.found) >= ENOUGH) return searched;
  return (await seen.hasFewer(q, ENOUGH)) ? findBy(true) : searched;
}

/** Begins the place of a cursor in a list by singulars: no other place begins with a blank. */
const BY_SINGULARS = " ";

/** The same of a page of a list, which tells the corrected words. Its cursor says whether singulars were asked for. */
export async function findSearchedPage(
  db: Reader,
  asked: ListOfProducts,
  find: (asked: ListOfProducts) => Promise<Page<Product>>,
): Promise<Page<Product>> {
  const { after } = asked.page;
  const wasSingular = after?.startsWith(BY_SINGULARS) === true;
  const page = wasSingular
    ? { ...asked.page, after: after.slice(BY_SINGULARS.length) }
    : asked.page;
  const listed = { ...asked, page, ...(after !== null && { orSingular: wasSingular }) };
  const finding = { find, count: countOnPage };
  const { found, orSingular, correctedQ } = await findSearched(db, listed, finding);
  const end = found.end ?? found.rows.at(-1)?.id;
  const place = orSingular && end !== undefined ? `${BY_SINGULARS}${end}` : found.end;
  return { ...found, end: place, members: { corrected_q: correctedQ } };
}

function countOnPage({ rows, hasMore }: Page<Product>): number {
  return rows.length + Number(hasMore);
}
