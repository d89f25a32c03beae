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
/** Most texts have no letter of the scripts below. */
const BEYOND = /[\u0591-\uffff]/;
/** Vowel signs and other marks of Hebrew and Arabic, which are seldom typed. */
const POINTS =
  /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g;
/** Letters of Arabic that are commonly typed as a plainer one. */
const PLAINER: Readonly<Record<string, string>> = {
  "\u0622": "\u0627",
  "\u0623": "\u0627",
  "\u0625": "\u0627",
  "\u0671": "\u0627",
  "\u0649": "\u064a",
  "\u0629": "\u0647",
};
/** Chinese and Japanese, which have no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc]+/gu;
/** Pairs of one word of a query; further ones are ignored to bound the cost. */
const PAIRS_MAX = 8;
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

/** The text as it is indexed: as it is typed, and a run without spaces in pairs: 马克杯 as 马克, 克杯 and 杯. */
export function indexed(text: string): string {
  const typed = asTyped(text);
  if (!BEYOND.test(typed)) return typed;
  return typed.replaceAll(UNSPACED, (run) => {
    const letters = [...run];
    return ` ${letters.map((letter, at) => letter + (letters[at + 1] ?? "")).join(" ")} `;
  });
}

/** Letters of a word that is spelled: fewer are too like each other, and more are no word. */
const SPELLED = /^\p{L}{4,24}$/u;

/** The distinct words of a text that have letters alone, folded as they are indexed. */
export function spelledWords(text: string): string[] {
  const words = wordsOf(indexed(text), Infinity).map(folded);
  return [...new Set(words)].filter((word) => SPELLED.test(word));
}

/** The text with each of its first words replaced by what is given for it, where anything is. */
export function withWords(text: string, words: readonly (string | null)[]): string {
  let at = 0;
  return text.replaceAll(WORD, (word) => words[at++] ?? word);
}

/** By what a word of a query is found: as it was typed, as older versions indexed it, or by all that is indexed of it. */
export function spellingsOf(word: string): string[][] {
  const terms = wordsOf(indexed(word), PAIRS_MAX);
  // Marks alone leave nothing, which would be the beginning of every word.
  const isKnown = terms.length === 0 || (terms.length === 1 && terms[0] === word);
  return isKnown ? [[word]] : [[word], terms];
}

/** The text with its letters as they are typed on a common keyboard: Łukasz becomes Lukasz. */
function asTyped(text: string): string {
  const latin = text.replaceAll(ENG, "n").replaceAll(FOREIGN_LETTER, (letter) => {
    const ascii = anyAscii(letter).replaceAll(/[^A-Za-z]/g, "");
    return ascii === "" ? letter : ascii;
  });
  if (!BEYOND.test(latin)) return latin;
  return latin
    .replaceAll(POINTS, "")
    .replaceAll(/[\u0622\u0623\u0625\u0629\u0649\u0671]/g, (letter) => PLAINER[letter] ?? letter);
}

/** The distinct words of a text as a tsvector, each prefixed by its kind: `'products:mug'`. */
export function lexemesOf(kind: string, text: string): string {
  const lexemes = new Set<string>();
  let bytes = 0;
  for (const word of wordsOf(indexed(text), Infinity)) {
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
  const all = (terms: readonly string[]) =>
    terms.map((term) => `${lexemeOf(kind, term)}:*`).join(" & ");
  const either = (word: string) => spellingsOf(word).map((terms) => `(${all(terms)})`);
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
