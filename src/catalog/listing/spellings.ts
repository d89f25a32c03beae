// Rules of spelling: by which keys two words are found alike, and which word is nearest to a typed one.

import { distancesToBeginnings } from "#platform/process/nearest-name.ts";

/** Letters from which keys are made. */
const KEY_LENGTH = 7;
/** From so many letters on, two of a word may be wrong. */
const LONG_WORD = 8;

/** The keys of a word: its first letters, and these less any one of them. Two words that differ by one letter share a key. */
export function keysOf(word: string): string[] {
  const letters = [...word].slice(0, KEY_LENGTH);
  const shorter = letters.map((_, at) => letters.toSpliced(at, 1).join(""));
  return [...new Set([letters.join(""), ...shorter])];
}

/** The words that are so near to what was typed that it may have meant them, the nearest first. */
export function nearestWords(typed: string, words: readonly string[]): string[] {
  const most = [...typed].length < LONG_WORD ? 1 : 2;
  return words
    .map((word) => ({
      word,
      errors: errorsBetween(typed, word),
      alike: lettersAlike(typed, word),
    }))
    .filter(({ errors }) => errors <= most)
    .toSorted(
      (one, other) =>
        one.errors - other.errors ||
        other.alike - one.alike ||
        (one.word < other.word ? -1 : Number(one.word > other.word)),
    )
    .map(({ word }) => word);
}

function lettersAlike(one: string, other: string): number {
  const [letters, others] = [[...one], [...other]];
  const differs = letters.findIndex((letter, at) => letter !== others[at]);
  return differs === -1 ? letters.length : differs;
}

/** The fewest letters that are wrong where what was typed is a beginning of the word. */
function errorsBetween(typed: string, word: string): number {
  return Math.min(...distancesToBeginnings([...typed], [...word]));
}
