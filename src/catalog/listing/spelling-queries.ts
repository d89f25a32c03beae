// The SQL of the words of products by their keys.

import { and, desc, inArray, max, sql } from "drizzle-orm";

import { searchSpellings as spellings } from "#catalog/rows/tables.ts";
import type { Reader } from "#platform/database/database.ts";
import { selectTexts } from "#platform/database/dialect.ts";
import { preparedByFilters, preparedWrite } from "#platform/database/prepared.ts";
import { remembered } from "#platform/database/remembered.ts";

import { keysOf } from "./spellings.ts";

const wordsByKeys = preparedByFilters<{
  keys: readonly string[];
  words?: readonly string[] | undefined;
  rows: number;
}>()((db, given) =>
  db
    .select({ word: spellings.word })
    .from(spellings)
    .where(
      and(
        inArray(spellings.key, given.each("keys")),
        given.has("words") ? inArray(spellings.word, given.each("words")) : undefined,
      ),
    )
    .groupBy(spellings.word)
    .orderBy(desc(max(sql`length(${spellings.key})`)), spellings.word)
    .limit(given.one("rows")),
);

/** Words that are compared with one that was typed. */
const CANDIDATES_MAX = 200;

/** The words that share a key with the typed one, those of the longest keys first. */
export async function wordsLike(db: Reader, typed: string): Promise<string[]> {
  const found = await wordsByKeys(db, { keys: keysOf(typed), rows: CANDIDATES_MAX });
  return found.map(({ word }) => word);
}

/** Those of the words that have their keys. */
export const findSpelled = remembered([spellings], async (db, words) => {
  const keys = words.flatMap((word) => keysOf(word)[0] ?? []);
  const found = await wordsByKeys(db, { keys, words, rows: words.length });
  return new Map(found.map(({ word }) => [word, word]));
});

/** Each row is a key and a word. Rows that are there stay. */
export const addSpellings = preparedWrite<{ rows: string }>()((tx, at) =>
  tx.insert(spellings).select(selectTexts(at.rows, 2)).onConflictDoNothing(),
);
