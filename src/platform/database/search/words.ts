// Texts as words, for an index whose words are made by the program. Invariant: a text and a query are
// folded alike, as FTS5's `unicode61 remove_diacritics 2` folds them, so that both engines find the same.

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Latin letters lose their accents; a Й stays one, as it is a letter of its own. */
const LATIN_WITH_MARKS = /(\p{Script=Latin})\p{M}+/gu;
/** Forms of one letter that are lower case already. */
const VARIANTS: Readonly<Record<string, string>> = { ς: "σ", "\u00b5": "μ", ſ: "s" };
/** Stands in no text: it is of no kind. */
const NOTHING = "'nothing'";
/** Of one word; PostgreSQL takes up to 2,046 bytes, and a character has up to four. */
const WORD_LENGTH_MAX = 200;
/** Of one text; PostgreSQL takes less than a megabyte of words in all. */
const BYTES_MAX = 900_000;

/** The words that somebody typed, as they were typed; at most so many. */
export function wordsOf(text: string, most: number): string[] {
  return text.match(WORD)?.slice(0, most) ?? [];
}

/** The text's different words as a tsvector is written, each under its kind: `'products:mug'`. */
export function lexemesOf(kind: string, text: string): string {
  const lexemes = new Set<string>();
  let bytes = 0;
  for (const word of wordsOf(text, Infinity)) {
    const lexeme = lexemeOf(kind, word);
    if (lexemes.has(lexeme)) continue;
    bytes += Buffer.byteLength(lexeme);
    if (bytes > BYTES_MAX) break;
    lexemes.add(lexeme);
  }
  return [...lexemes].join(" ");
}

/** The same words as a tsquery is written: all of them, the beginning of each is enough. */
export function lexemeQuery(kind: string, words: readonly string[]): string {
  if (words.length === 0) return NOTHING;
  return words.map((word) => `${lexemeOf(kind, word)}:*`).join(" & ");
}

/** Quoted without care: a word has no quotes and no backslashes, and folding makes none. */
function lexemeOf(kind: string, word: string): string {
  return `'${kind}:${cut(folded(word))}'`;
}

function folded(word: string): string {
  return word
    .normalize("NFD")
    .replace(LATIN_WITH_MARKS, "$1")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[ς\u00b5ſ]/gu, (letter) => VARIANTS[letter] ?? letter);
}

/** A query is cut where its text was, so that a word of any length is found. */
function cut(word: string): string {
  if (word.length <= WORD_LENGTH_MAX) return word;
  return [...word].slice(0, WORD_LENGTH_MAX).join("");
}
