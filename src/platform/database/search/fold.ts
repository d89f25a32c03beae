// The form in which words are indexed and searched for, on both engines: in small letters, as they are typed on a common
// keyboard. What is a letter of its own keeps its marks: й, が, and all of Hindi, Thai and their neighbours.

import anyAscii from "any-ascii";

import { identifier } from "#kernel/text.ts";

/** In German, Danish and Swedish these are also written with two letters. */
const IN_TWO: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ø: "oe", å: "aa" };
const WRITTEN_IN_TWO = /[äöüøå]/giu;

const ASCII = /^[\0-\x7f]*$/;
/** Signs that NFKC would make letters of. */
const TRADE_MARKS = /[\u2120\u2122]/g;
/** Other signs for those that join the parts of a word, with U+200C of Persian and the point of Catalan. */
const APOSTROPHES = /[\u02bb\u02bc\u05f3\u2018\u2019\u201b\u2032]/g;
const HYPHENS = /[\u00b7\u200c]/g;
const FRACTION_SLASH = /\u2044/g;
/** U+200D shapes letters; U+0640 stretches Arabic words. */
const SHAPING = /[\u0640\u200d]/g;
/** Marks of letters that are commonly typed without: accents and tonos, and the points of Hebrew and Arabic. */
const WITH_MARKS =
  /([[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}]&&\p{L}])(\p{Mn}+)/gv;
const BREVE = "\u0306";
/** Latin letters beyond ASCII, such as ł, ø and ß: most have no base letter that Unicode names. */
const FOREIGN_LETTER = /[\p{Script=Latin}--[a-z]]/gv;
/** Letters that are commonly typed as a plainer one; ŋ is n in the usual spelling of Ga and Ewe names. */
const PLAINER: Readonly<Record<string, string>> = {
  ς: "σ",
  ŋ: "n",
  "\u0671": "\u0627",
  "\u0649": "\u064a",
  "\u06cc": "\u064a",
  "\u0629": "\u0647",
  "\u06a9": "\u0643",
};
const HAS_PLAINER = /[ςŋ\u0629\u0649\u0671\u06a9\u06cc]/gu;

/** Returns true if the text is folded by its case alone. */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/** The text with plain signs between the parts of words, and with ASCII digits. */
export function withPlainSigns(text: string): string {
  if (isAscii(text)) return text;
  return identifier(text)
    .replaceAll(TRADE_MARKS, " ")
    .replaceAll(APOSTROPHES, "'")
    .replaceAll(HYPHENS, "-");
}

/** The text folded: Łukasz is lukasz, ΚΑΦΕΣ and καφές are καφεσ, and ё is е. */
export function folded(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return withPlainSigns(text)
    .normalize("NFKD")
    .replaceAll(FRACTION_SLASH, "/")
    .replaceAll(SHAPING, "")
    .replaceAll(WITH_MARKS, (_, letter: string, marks: string) =>
      /и/iu.test(letter) && marks.includes(BREVE) ? letter + BREVE : letter,
    )
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(HAS_PLAINER, (letter) => PLAINER[letter] ?? letter)
    .replaceAll(FOREIGN_LETTER, asciiOf);
}

/** The text in each form in which it is found: folded, and with ä, ö and ü as ae, oe and ue. */
export function formsOf(text: string): string[] {
  if (isAscii(text)) return [folded(text)];
  const inTwo = text
    .normalize("NFC")
    .replaceAll(WRITTEN_IN_TWO, (letter) => IN_TWO[letter.toLowerCase()] ?? letter);
  return [...new Set([folded(text), folded(inTwo)])];
}

/** A letter without such a name stays. */
function asciiOf(letter: string): string {
  const ascii = anyAscii(letter)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "");
  return ascii === "" ? letter : ascii;
}
