// Full-text search: finds the resources of a kind whose text contains all words of a query. SQLite
// uses FTS5; on PostgreSQL the program writes the words of each text into a tsvector. Nouns hand in
// text and query for matches.

import {
  and,
  desc,
  eq,
  lt,
  lte,
  max,
  type Placeholder,
  type SQL,
  sql,
  type SQLWrapper,
} from "drizzle-orm";

import type { Builder, Tx } from "./database.ts";
import { engine } from "./engine.ts";
import { int, table, text } from "./kit.ts";
import { prepared, preparedInsert, preparedWrite } from "./prepared.ts";
import { type AskedWords, indexedWords, spellingsOf, type Term } from "./search/words.ts";

export const searchKinds = ["products", "customers"] as const;
export type SearchKind = (typeof searchKinds)[number];

/**
 * Created by hand in the migration `search`, because drizzle-kit does not support virtual tables.
 */
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

/** The table on PostgreSQL, where each row has its own words. */
const lexemes = table("search_documents", {
  kind: text().notNull(),
  subject: text().notNull(),
  words: text().notNull(),
});

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
/** It waits for the group: each journal of a statement that follows has the index written out, at twice its cost. */
const addDocument = preparedInsert(documents);
const dropDocument = preparedWrite<{ document: number }>()((tx, at) =>
  tx.delete(documents).where(eq(documents.rowid, at.document)),
);
const dropEntry = preparedWrite<{ document: number }>()((tx, at) =>
  tx.delete(entries).where(eq(entries.document, at.document)),
);

const putWords = preparedWrite<{ kind: string; subject: string; words: string }>()((tx, at) =>
  tx
    .insert(lexemes)
    .values({ kind: at.kind, subject: at.subject, words: sql`${at.words}::text::tsvector` })
    .onConflictDoUpdate({
      target: [lexemes.kind, lexemes.subject],
      set: { words: sql`excluded.words` },
    }),
);
const dropWords = preparedWrite<{ kind: string; subject: string }>()((tx, at) =>
  tx.delete(lexemes).where(and(eq(lexemes.kind, at.kind), eq(lexemes.subject, at.subject))),
);

const [AND, OR] = engine === "postgres" ? [" & ", " | "] : [" AND ", " OR "];

/** Marks, and letters that `unicode61` takes for marks. */
const MARK = /[\p{M}\u19b0-\u19c9\u1cf2\u1cf3]/gu;
const PRIVATE_USE = 0xe000;
/** More than the marks of one script are apart. */
const PRIVATE_USE_SIZE = 0x1900;

/** The resource that a text belongs to. */
interface Indexed {
  readonly kind: SearchKind;
  readonly subject: string;
}

/** Indexes the text of a subject, in place of any earlier text; not in a trial. */
export async function indexText(tx: Tx, of: Indexed, body: string): Promise<void> {
  if (tx.isTrial === true) return;
  if (engine === "postgres") {
    await putWords(tx, { ...of, words: lexemesOf(of.kind, body) });
    return;
  }
  const [known] = await documentOf(tx, of);
  if (known !== undefined) await dropDocument(tx, known);
  const [entry] = known === undefined ? await addEntry(tx, of) : [known];
  if (entry === undefined) return;
  await addDocument(tx, { rowid: entry.document, kind: of.kind, body: tokensOf(body) });
}

/** Removes the subject from the index. */
export async function forgetText(tx: Tx, of: Indexed): Promise<void> {
  if (engine === "postgres") {
    await dropWords(tx, of);
    return;
  }
  const [known] = await documentOf(tx, of);
  if (known === undefined) return;
  await dropDocument(tx, known);
  await dropEntry(tx, known);
}

/** A subquery of the matching subjects; `terms` is the result of `searchTerms`. */
export function matchingSubjects(db: Pick<Builder, "select">, terms: Placeholder) {
  if (engine === "postgres") {
    return db
      .select({ subject: lexemes.subject })
      .from(lexemes)
      .where(sql`${lexemes.words} @@ ${terms}::text::tsquery`);
  }
  return db
    .select({ subject: entries.subject })
    .from(documents)
    .innerJoin(entries, eq(entries.document, documents.rowid))
    .where(sql`${documents} MATCH ${terms}`);
}

/**
 * Returns true if a subject matches, where so many are looked at that the matches are better found once for all of
 * them.
 */
export function isMatch(db: Pick<Builder, "select">, { kind, terms, id }: Looked): SQL {
  if (engine === "postgres") {
    return sql`EXISTS (SELECT 1 FROM ${lexemes} WHERE ${lexemes.kind} = ${kind} AND ${lexemes.subject} = ${id}
      AND ${lexemes.words} @@ ${terms}::text::tsquery)`;
  }
  const matching = db
    .select({ rowid: documents.rowid })
    .from(documents)
    .where(sql`${documents} MATCH ${terms}`);
  // The sign keeps SQLite from reading all matches again for each subject.
  return sql`EXISTS (SELECT 1 FROM ${entries} WHERE ${entries.kind} = ${kind} AND ${entries.subject} = ${id}
    AND +${entries.document} IN ${matching})`;
}

interface Looked {
  readonly kind: SearchKind;
  readonly terms: Placeholder;
  readonly id: SQLWrapper;
}

/**
 * A query of so many matching subjects, the newest first. On SQLite that is the order in which they were indexed, in which
 * the index is walked, so that it stops with the last of them.
 */
export function newestMatches(db: Pick<Builder, "select">, at: Wanted) {
  const newest = engine === "postgres" ? lexemes.subject : documents.rowid;
  return matchingSubjects(db, at.terms).orderBy(desc(newest)).limit(at.limit);
}

/** Above any page of a list, so that it is filled although some of the matches are not on it. */
export const MATCHES_IN_WINDOW = 1_000;

/**
 * A subquery of the newest 1,000 matching subjects, of those below the given one if it is given: a page of a list in
 * that order needs no more, and of a single letter every second subject matches.
 */
export function windowOfMatches(db: Pick<Builder, "select">, { kind, terms, below }: Windowed) {
  if (engine === "postgres") {
    return db
      .select({ subject: lexemes.subject })
      .from(lexemes)
      .where(
        and(
          eq(lexemes.kind, kind),
          sql`${lexemes.words} @@ ${terms}::text::tsquery`,
          below === null ? undefined : lt(lexemes.subject, below),
        ),
      )
      .orderBy(desc(lexemes.subject))
      .limit(MATCHES_IN_WINDOW);
  }
  // The clock of a test shop can go back: a lower id may have been indexed later.
  const last = db
    .select({ document: max(entries.document) })
    .from(entries)
    .where(and(eq(entries.kind, kind), below === null ? undefined : lt(entries.subject, below)));
  return db
    .select({ subject: entries.subject })
    .from(documents)
    .innerJoin(entries, eq(entries.document, documents.rowid))
    .where(
      and(
        sql`${documents} MATCH ${terms}`,
        below === null ? undefined : lte(documents.rowid, last),
      ),
    )
    .orderBy(desc(documents.rowid))
    .limit(MATCHES_IN_WINDOW);
}

interface Windowed {
  readonly kind: SearchKind;
  readonly terms: Placeholder;
  readonly below: Placeholder | null;
}

interface Wanted {
  readonly terms: Placeholder;
  readonly limit: Placeholder;
}

/**
 * Converts a search text to the index's query language. Every word must match the beginning of a word in the text, in one
 * of its spellings. A query without letters or digits matches nothing. Of several queries one must match.
 */
export function searchTerms(
  kind: SearchKind,
  ...queries: readonly (string | AskedWords)[]
): string {
  return anyOf(
    queries.map((query) => {
      const asked = spellingsOf(typeof query === "string" ? { q: query } : query);
      const words = asked.map((spellings) =>
        anyOf(spellings.map((all) => allOf(all.map((any) => anyOf(any.map(termOf(kind))))))),
      );
      return allOf([...(engine === "postgres" ? [] : [`kind : "${kind}"`]), ...orNothing(words)]);
    }),
  );
}

/** The terms of texts that two results of `searchTerms` both match. */
export function bothTerms(one: string, other: string): string {
  return allOf([one, other]);
}

function allOf(terms: readonly string[]): string {
  return terms.length === 1 ? terms.join("") : `(${terms.join(AND)})`;
}

function anyOf(terms: readonly string[]): string {
  return terms.length === 1 ? terms.join("") : `(${terms.join(OR)})`;
}

/** Without words there is no text that matches, because no kind begins like this. */
function orNothing(words: readonly string[]): readonly string[] {
  const nothing = engine === "postgres" ? "'nothing'" : `kind : "nothing"`;
  return words.length > 0 ? words : [nothing];
}

/** A word needs no escaping: it contains neither quotes nor backslashes. */
function termOf(kind: SearchKind): (term: Term) => string {
  if (engine === "postgres") {
    return ({ word, by }) => `${lexemeOf(kind, word)}${by === "whole" ? "" : ":*"}`;
  }
  return ({ word, by }) =>
    `body : "${by === "former" ? word : tokenOf(word)}"${by === "whole" ? "" : " *"}`;
}

/** The words of a text as a tsvector, each with its kind before it: `'products:mug'`. */
export function lexemesOf(kind: string, body: string): string {
  return indexedWords(body)
    .map((word) => lexemeOf(kind, word))
    .join(" ");
}

function lexemeOf(kind: string, word: string): string {
  return `'${kind}:${word}'`;
}

/** The words of a text as FTS5's `unicode61` tells them apart. */
export function tokensOf(body: string): string {
  return indexedWords(body).map(tokenOf).join(" ");
}

/** A word in the characters that FTS5 keeps as they are: it would split Hindi and Thai words at their marks. */
function tokenOf(word: string): string {
  return word.replaceAll(MARK, (mark) =>
    String.fromCodePoint(PRIVATE_USE + ((mark.codePointAt(0) ?? 0) % PRIVATE_USE_SIZE)),
  );
}
