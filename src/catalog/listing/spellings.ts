// Rules of spelling: by which keys two words are found alike, and which word is nearest to a typed one.

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

/**
 * The fewest letters to put in, leave out, replace or swap with the next one, so that what was typed is a beginning of the
 * word (Damerau and Levenshtein).
 */
function errorsBetween(typed: string, word: string): number {
  const [from, to] = [[...typed], [...word]];
  let before: number[] = [];
  let last = [0, ...to.map((_, at) => at + 1)];
  for (const [row, letter] of from.entries()) {
    const next = [row + 1];
    for (const [column, other] of to.entries()) {
      const [above = 0, left = 0, diagonal = 0] = [last[column + 1], next[column], last[column]];
      const isSwap = letter === to[column - 1] && other === from[row - 1];
      const swapped = isSwap ? (before[column - 1] ?? 0) + 1 : Infinity;
      const replaced = diagonal + (letter === other ? 0 : 1);
      next.push(Math.min(above + 1, left + 1, replaced, swapped));
    }
    [before, last] = [last, next];
  }
  return Math.min(...last);
}
