// The searchable texts of products and customers, for the search index that a copy builds again.

import { findProducts } from "#catalog/products/lookups.ts";
import { searchText as productText } from "#catalog/rows/product.ts";
import { searchText as customerText } from "#customers/customer.ts";
import { findCustomer } from "#customers/lookups.ts";
import { isId } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";
import type { IndexedSubject, SearchDocument } from "#platform/transfer/tables-to-copy.ts";

/** Per indexed kind: the text of a subject, null where it no longer exists. */
const texts: Readonly<Record<string, (db: Reader, subject: string) => Promise<string | null>>> = {
  products: async (db, subject) => {
    if (!isId("product", subject)) return null;
    const [product] = (await findProducts(db, { ids: [subject] })).rows;
    return product === undefined ? null : productText(product);
  },
  customers: async (db, subject) => {
    if (!isId("customer", subject)) return null;
    const customer = await findCustomer(db, subject);
    return customer === undefined ? null : customerText(customer);
  },
};

/** The texts of the subjects; deleted subjects are left out. */
export async function searchDocuments(
  db: Reader,
  subjects: readonly IndexedSubject[],
): Promise<SearchDocument[]> {
  const found = await Promise.all(
    subjects.map(async (one) => ({ ...one, text: await textOf(db, one) })),
  );
  return found.flatMap(({ text, ...one }) => (text === null ? [] : [{ ...one, text }]));
}

function textOf(db: Reader, { kind, subject }: IndexedSubject): Promise<string | null> {
  const text = texts[kind];
  if (text === undefined) throw new Error(`There is no searchable text for ${kind}.`);
  return text(db, subject);
}
