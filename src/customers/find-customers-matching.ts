// Lookup: customers by words, for lists of what belongs to them.

import type { Id } from "#kernel/id.ts";
import { searchTerms } from "#platform/database/search/search.ts";
import type { Reader } from "#platform/database/store.ts";

import { findMatchingIds } from "./queries.ts";

/** Customers one search leads to; whoever means one person types more than this many share. */
const MATCHES_MAX = 200;

/** Ids of the customers with all the words in name, email or phone: the newest 200 at most. */
export function findCustomersMatching(db: Reader, query: string): Promise<Id<"customer">[]> {
  return findMatchingIds(db, searchTerms("customers", query), MATCHES_MAX);
}
