// Lookup: pages of customers, newest first.

import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import { searchTerms } from "#platform/store/search.ts";
import type { Reader } from "#platform/store/store.ts";

import type { Customer } from "./customer.ts";
import { type CustomerFilters, findCustomerRows } from "./queries.ts";

/** What customers are looked for by: their fields, a span of ids, and words somebody typed. */
export interface CustomerSearch extends Omit<CustomerFilters, "terms" | "limit"> {
  readonly q?: string | undefined;
}

/** One page of the customers that pass every filter. */
export async function listCustomers(
  db: Reader,
  { q, below, ...search }: CustomerSearch,
  page: PageRequest,
): Promise<Page<Customer>> {
  const rows = await findCustomerRows(db, {
    ...search,
    terms: q === undefined ? undefined : searchTerms("customers", q),
    below: smaller(below, page.after ?? undefined),
    limit: page.limit + 1,
  });
  return toPage(rows, page.limit);
}

function smaller(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}
