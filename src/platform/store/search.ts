// Full-text search: which resources of a kind hold all the words somebody typed. On SQLite this is
// FTS5; nouns only hand in text and ask for matches.

import { and, eq, sql } from "drizzle-orm";
import type { Placeholder } from "drizzle-orm";

import { int, table, text } from "./kit.ts";
import { prepared, preparedWrite } from "./prepared.ts";
import type { Builder, Tx } from "./store.ts";

export type SearchKind = "products" | "customers";

/** Made by hand in the migration `search`: drizzle-kit knows no virtual tables. */
const entries = table("search_entries", {
  document: int().notNull(),
  kind: text().notNull(),
  subject: text().notNull(),
});
const documents = table("search_documents", {
  rowid: int().notNull(),
  kind: text().notNull(),
  body: text().notNull(),
});

/** Words of one query that are looked at; more would only cost time. */
const WORDS_MAX = 16;

const documentOf = prepared<{ kind: string; subject: string }>()((db, at) =>
  db
    .select({ document: entries.document })
    .from(entries)
    .where(and(eq(entries.kind, at.kind), eq(entries.subject, at.subject))),
);
const addEntry = preparedWrite<{ kind: string; subject: string }>()((tx, at) =>
  tx
    .insert(entries)
    .values({ document: sql`NULL`, kind: at.kind, subject: at.subject })
    .returning({ document: entries.document }),
);
const addDocument = preparedWrite<{ document: number; kind: string; body: string }>()((tx, at) =>
  tx.insert(documents).values({ rowid: at.document, kind: at.kind, body: at.body }),
);
const dropDocument = preparedWrite<{ document: number }>()((tx, at) =>
  tx.delete(documents).where(eq(documents.rowid, at.document)),
);
const dropEntry = preparedWrite<{ document: number }>()((tx, at) =>
  tx.delete(entries).where(eq(entries.document, at.document)),
);

/** Afterwards the subject is found by exactly the words of the text. */
export async function indexText(
  tx: Tx,
  of: { readonly kind: SearchKind; readonly subject: string },
  body: string,
): Promise<void> {
  const [known] = await documentOf(tx, of);
  if (known !== undefined) await dropDocument(tx, known);
  const [entry] = known === undefined ? await addEntry(tx, of) : [known];
  if (entry !== undefined) await addDocument(tx, { ...entry, kind: of.kind, body });
}

/** Afterwards the subject is found by nothing. */
export async function forgetText(
  tx: Tx,
  of: { readonly kind: SearchKind; readonly subject: string },
): Promise<void> {
  const [known] = await documentOf(tx, of);
  if (known === undefined) return;
  await dropDocument(tx, known);
  await dropEntry(tx, known);
}

/** A subquery of the matching subjects; `terms` takes what `searchTerms` made of a query. */
export function matchingSubjects(db: Pick<Builder, "select">, terms: Placeholder) {
  return db
    .select({ subject: entries.subject })
    .from(documents)
    .innerJoin(entries, eq(entries.document, documents.rowid))
    .where(sql`${documents} MATCH ${terms}`);
}

/**
 * What somebody typed, as the index wants it: every word must occur, the beginning of one is
 * enough. A query without a single letter or digit matches nothing.
 */
export function searchTerms(kind: SearchKind, query: string): string {
  const words = query.match(/[\p{L}\p{N}\p{M}]+/gu)?.slice(0, WORDS_MAX) ?? [];
  const terms = words.map((word) => `body : "${word}" *`);
  return [`kind : "${kind}"`, ...(terms.length === 0 ? [`kind : "nothing"`] : terms)].join(" AND ");
}
