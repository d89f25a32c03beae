// The words by which texts are indexed, and those that a query asks for. Invariant: both engines keep the same words, so
// that both find the same resources.

import { folded, formsOf, isAscii, withPlainSigns } from "./fold.ts";

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
/** Words that some write together: Wi-Fi, KT-INS114-DRE, O'Hara. */
const COMPOUND = new RegExp(`${WORD.source}(?:[-._/']${WORD.source})*`, "gu");
const JOINT = /[-._/']/u;
/** Letters and digits that some write apart: 500 ml. */
const PIECES = /\p{N}+|\P{N}+/gu;
const DIGIT = /\p{N}/u;
/** A word that may be two in a text, with two letters or more: the A of A4 is a word of most texts. */
const MEASURE = /^(?:\p{N}+\p{L}{2,}|\p{L}{2,}\p{N}+)$/u;

/** Scripts without blanks between words; U+30FC is the long vowel of Japanese. */
const IN_PAIRS = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u30fc";
const IN_TRIGRAMS = "\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const RUNS = new RegExp(`([${IN_PAIRS}]+)|([${IN_TRIGRAMS}]+)|[^${IN_PAIRS}${IN_TRIGRAMS}]+`, "gu");
const WITHOUT_BLANKS = new RegExp(`[${IN_PAIRS}${IN_TRIGRAMS}]`, "u");
/** Letters of such a run that are one word of the index: 马克杯 is 马克, 克杯 and 杯. */
const [PAIR, TRIGRAM] = [2, 3];
/** Pairs or trigrams of one run of a query; further ones are ignored to bound the cost. */
const GRAMS_MAX = 8;

/** Letters of a word that is spelled: fewer are too like each other, and more are no word. */
const SPELLED = /^\p{L}{4,24}$/u;
/** Words of a query that are used; further words are ignored to bound the cost. */
const WORDS_MAX = 16;
/** Characters of a word. PostgreSQL allows 2,046 bytes, and a character takes up to four. */
const WORD_LENGTH_MAX = 200;
/** Bytes of all words of a text, with the kind before each. PostgreSQL allows less than a megabyte. */
const BYTES_MAX = 900_000;
const KIND_BYTES = 12;

/** The endings of plurals, and those of their singulars, the longest first; French has -x, as in gâteaux and journaux. */
const PLURAL_ENDINGS: readonly (readonly [plural: string, singulars: readonly string[]])[] = [
  ["ies", ["y"]],
  ["ves", ["f", "fe"]],
  ["aux", ["al"]],
  ["es", [""]],
  ["s", [""]],
  ["x", [""]],
];
const LATIN_WORD = /^[a-z]+$/;
/** A word in -ss, such as glass, is no plural. */
const IN_SS = /ss$/;
/** Single letters are no words. */
const SINGULAR_LENGTH_MIN = 2;

/** The first words of a text, as they were typed. */
export function wordsOf(text: string, most: number): string[] {
  return text.match(WORD)?.slice(0, most) ?? [];
}

/** The text with each of its first words replaced by what is given for it, where anything is. */
export function withWords(text: string, words: readonly (string | null)[]): string {
  let at = 0;
  return text.replaceAll(WORD, (word) => words[at++] ?? word);
}

/** The distinct words by which a text is found, each by its beginning. */
export function indexedWords(text: string): string[] {
  const words = new Set<string>();
  let bytes = 0;
  for (const found of formsOf(text).flatMap(wordsIn)) {
    const word = cut(found);
    if (words.has(word)) continue;
    bytes += Buffer.byteLength(word) + KIND_BYTES;
    if (bytes > BYTES_MAX) break;
    words.add(word);
  }
  return [...words];
}

/** The distinct words of a text that have letters alone, folded: what a word of a query may have meant. */
export function spelledWords(text: string): string[] {
  return [...new Set(wordsIn(folded(text)))].filter((word) => SPELLED.test(word));
}

/** The word of a query as it would be spelled; undefined if it has more than letters. */
export function spelledAs(word: string): string | undefined {
  const form = folded(word);
  return SPELLED.test(form) ? form : undefined;
}

function wordsIn(form: string): string[] {
  return compoundsIn(form).flatMap(({ parts, isJoined }) => {
    const words = parts.flatMap(runsOf).flatMap(wordsOfRun);
    return isJoined ? [...words, ...joined(parts)] : words;
  });
}

interface Compound {
  readonly parts: readonly string[];
  /** False of the parts of an email address, which have one spelling. */
  readonly isJoined: boolean;
}

function compoundsIn(text: string): Compound[] {
  return [...text.matchAll(COMPOUND)].map(({ 0: compound, index }) => ({
    parts: compound.split(JOINT),
    isJoined: text[index - 1] !== "@" && text[index + compound.length] !== "@",
  }));
}

/** A part of a word in one kind of script. */
interface Run {
  readonly text: string;
  /** Letters of one word of the index, where the script has no blanks between words. */
  readonly length: number | null;
}

function runsOf(part: string): Run[] {
  // Most are: every text of a shop goes through here, and an import indexes ten thousand.
  if (!WITHOUT_BLANKS.test(part)) return [{ text: part, length: null }];
  return [...part.matchAll(RUNS)].map(([text, pairs, trigrams]) => {
    if (pairs !== undefined) return { text, length: PAIR };
    return { text, length: trigrams === undefined ? null : TRIGRAM };
  });
}

function wordsOfRun({ text, length }: Run): string[] {
  if (length !== null) return grams(text, length);
  const pieces = DIGIT.test(text) ? (text.match(PIECES) ?? []) : [];
  return pieces.length > 1 ? [text, ...pieces] : [text];
}

/** Several parts as one word; none of a script without blanks. */
function joined(parts: readonly string[]): string[] {
  const isOne = parts.length > 1 && !parts.some((part) => WITHOUT_BLANKS.test(part));
  return isOne ? [parts.join("")] : [];
}

/** Each letter with those behind it. */
function grams(run: string, length: number): string[] {
  const letters = [...run];
  return letters.map((_, at) => letters.slice(at, at + length).join(""));
}

/** A word of the index that is asked for. */
export interface Term {
  readonly word: string;
  /** `former` is a beginning in the form of texts that an older version indexed. */
  readonly by: "beginning" | "whole" | "former";
}

/** The terms of one spelling of a word: any of each list is needed. */
export type Spelling = readonly (readonly Term[])[];

/** A query, and what its words are found by beside their own letters. */
export interface AskedWords {
  readonly q: string;
  /** True if each may also be its singular, as a whole word. */
  readonly orSingular?: boolean;
  /** True as long as there are texts that an older version indexed. */
  readonly orFormer?: boolean;
}

/** The first words of a query, each as a list of its spellings: a text has the word if it has one of them. */
export function spellingsOf({ q, orSingular = false, orFormer = false }: AskedWords): Spelling[][] {
  let left = WORDS_MAX;
  return compoundsIn(withPlainSigns(q))
    .map(({ parts, isJoined }) => {
      const words = parts.slice(0, left);
      left -= words.length;
      const text = words.join(isJoined ? "-" : " ");
      const spellings = formsOf(text).flatMap((form) => spellingsOfForm(form, orSingular));
      return orFormer && !isAscii(text) ? [...spellings, formerSpelling(words)] : spellings;
    })
    .filter((spellings) => spellings.length > 0);
}

function spellingsOfForm(form: string, orSingular: boolean): Spelling[] {
  const compounds = compoundsIn(form);
  const parts = compounds.flatMap((one) => one.parts);
  const ofWord = (word: string): Term[] => [
    { word: cut(word), by: "beginning" },
    ...(orSingular ? singularsOf(word) : []).map((one): Term => ({ word: one, by: "whole" })),
  ];
  const ofRun = ({ text, length }: Run): Spelling =>
    length === null
      ? [ofWord(text)]
      : gramsAsked(text, length).map((word) => [{ word, by: "beginning" }]);
  const apart = parts.length === 1 && MEASURE.test(form) ? (form.match(PIECES) ?? []) : [];
  const spellings: Spelling[] = [
    parts.flatMap((part) => runsOf(part).flatMap(ofRun)),
    compounds.length === 1 ? joined(parts).map(ofWord) : [],
    apart.map((word) => [{ word, by: "whole" }]),
  ];
  return spellings.filter((spelling) => spelling.length > 0);
}

/** The whole words of the index that a run has; a shorter run is the beginning of one. */
function gramsAsked(run: string, length: number): string[] {
  const letters = [...run];
  return grams(run, length).slice(0, Math.max(1, Math.min(letters.length - length + 1, GRAMS_MAX)));
}

function formerSpelling(words: readonly string[]): Spelling {
  return words.map((word) => [
    { word: word.normalize("NFC").toLowerCase().replaceAll("ς", "σ"), by: "former" },
  ]);
}

/**
 * The words that may be the singular of a folded word. They are asked for as whole words: the beginning of shoes, less
 * `es`, would find shorts.
 */
function singularsOf(word: string): string[] {
  if (!LATIN_WORD.test(word) || IN_SS.test(word)) return [];
  return PLURAL_ENDINGS.filter(([plural]) => word.endsWith(plural))
    .flatMap(([plural, singulars]) =>
      singulars.map((ending) => word.slice(0, -plural.length) + ending),
    )
    .filter((singular) => singular.length >= SINGULAR_LENGTH_MIN);
}

/** Returns true if a word of the query may be a plural. */
export function hasPlural(q: string): boolean {
  return wordsOf(folded(q), WORDS_MAX).some((word) => singularsOf(word).length > 0);
}

/** Cuts words of queries and texts at the same length, so that long words still match. */
function cut(word: string): string {
  if (word.length <= WORD_LENGTH_MAX) return word;
  return [...word].slice(0, WORD_LENGTH_MAX).join("");
}
