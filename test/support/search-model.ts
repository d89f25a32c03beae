// The search as it is meant, without an engine: what an index of words answers.

import { type AskedWords, indexedWords, spellingsOf } from "#platform/database/search/words.ts";

/** Returns true if a text is to be found. */
export function isFound(text: string, asked: AskedWords): boolean {
  return searching(asked)(indexedWords(text));
}

/** Tells of the words of a text whether it is to be found. */
export function searching(asked: AskedWords): (words: readonly string[]) => boolean {
  const spellings = spellingsOf(asked);
  return (words) =>
    spellings.length > 0 &&
    spellings.every((ofWord) =>
      ofWord.some((all) =>
        all.every((any) =>
          any.some((term) =>
            words.some((word) =>
              term.by === "whole" ? word === term.word : word.startsWith(term.word),
            ),
          ),
        ),
      ),
    );
}
