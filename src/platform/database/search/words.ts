// Splits texts into words for PostgreSQL's index. Invariant: texts and queries are normalized in
// the same way as by FTS5's `unicode61 remove_diacritics 2`, so that both engines find the same
// resources.

import anyAscii from "any-ascii";

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Removes accents from Latin letters only: Й, for one, is a letter of its own. */
const LATIN_WITH_MARKS = /(\p{Script=Latin})\p{M}+/gu;
/** Latin letters beyond ASCII, such as ł, ø and ß: most have no base letter that Unicode names. */
const FOREIGN_LETTER = /(?=\p{Script=Latin})[^A-Za-z]/gu;
/** Ga and Ewe names are commonly spelled with n, as in the slugs of products. */
const ENG = /ŋ/giu;
/** Lower-case variants of one letter. */
const VARIANTS: Readonly<Record<string, string>> = { ς: "σ", "\u00b5": "μ", ſ: "s" };
/** Matches no text, because no kind begins like this. */
const NOTHING = "'nothing'";
/** Characters of a word. PostgreSQL allows 2,046 bytes, and a character takes up to four. */
const WORD_LENGTH_MAX = 200;
/** Bytes of all words of a text. PostgreSQL allows less than a megabyte. */
const BYTES_MAX = 900_000;

/** The first words of a text, as they were typed. */
export function wordsOf(text: string, most: number): string[] {
  return text.match(WORD)?.slice(0, most) ?? [];
}

/** The text with its Latin letters as they are typed on a keyboard without them: Łukasz becomes Lukasz. */
export function inAsciiLetters(text: string): string {
  return text.replaceAll(ENG, "n").replaceAll(FOREIGN_LETTER, (letter) => {
    const ascii = anyAscii(letter).replaceAll(/[^A-Za-z]/g, "");
    return ascii === "" ? letter : ascii;
  });
}

/** A word of a query as it was typed and in ASCII letters: texts of older versions have the former. */
export function spellingsOf(word: string): string[] {
  return [...new Set([word, inAsciiLetters(word)])];
}

/** The distinct words of a text as a tsvector, each prefixed by its kind: `'products:mug'`. */
export function lexemesOf(kind: string, text: string): string {
  const lexemes = new Set<string>();
  let bytes = 0;
  for (const word of wordsOf(inAsciiLetters(text), Infinity)) {
    const lexeme = lexemeOf(kind, word);
    if (lexemes.has(lexeme)) continue;
    bytes += Buffer.byteLength(lexeme);
    if (bytes > BYTES_MAX) break;
    lexemes.add(lexeme);
  }
  return [...lexemes].join(" ");
}

/** Words as a tsquery: all must match, each as a prefix. */
export function lexemeQuery(kind: string, words: readonly string[]): string {
  if (words.length === 0) return NOTHING;
  const either = (word: string) => spellingsOf(word).map((one) => `${lexemeOf(kind, one)}:*`);
  return words.map((word) => `(${either(word).join(" | ")})`).join(" & ");
}

/** Needs no escaping: a normalized word contains neither quotes nor backslashes. */
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

/** Cuts words of queries and texts at the same length, so that long words still match. */
function cut(word: string): string {
  if (word.length <= WORD_LENGTH_MAX) return word;
  return [...word].slice(0, WORD_LENGTH_MAX).join("");
}
