// Story: keep the words of products, by which those of a search are corrected.

import type { Tx } from "#platform/database/database.ts";
import { spelledWords } from "#platform/database/search/words.ts";

import { addSpellings, findSpelled } from "./spelling-queries.ts";
import { keysOf } from "./spellings.ts";

/** Writes the words of a text that are new; not in a trial. Those of the text before it are known. */
export async function writeSpellings(tx: Tx, text: string, before = ""): Promise<void> {
  if (text === before || tx.isTrial === true) return;
  const earlier = new Set(spelledWords(before));
  const words = spelledWords(text).filter((word) => !earlier.has(word));
  if (words.length === 0) return;
  const known = await findSpelled(tx, words);
  // In one order, so that two products with the same words do not deadlock.
  const added = words.filter((word) => !known.has(word)).toSorted();
  if (added.length === 0) return;
  const rows = added.flatMap((word) => keysOf(word).map((key) => [key, word]));
  await addSpellings(tx, { rows: JSON.stringify(rows) });
}
