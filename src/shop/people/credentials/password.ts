// Decides on passwords: any text that is long enough and not among the first that are tried. There are no rules
// about kinds of characters, and no end of its life: NIST 800-63B-4 advises against both.

import type { Faults } from "#kernel/refusal.ts";

import commonText from "./common-passwords.txt" with { type: "text" };

const PASSWORD_LENGTH_MIN = 15;
const PASSWORD_LENGTH_MAX = 256;

/** Characters in a row that are neither repeated nor a run, below which a password is one of these. */
const KEYBOARD = ["qwertyuiop", "asdfghjkl", "zxcvbnm", "azertyuiop", "qsdfghjklm", "wxcvbn"];
/** Common words, and long passwords that are tried first. Joined, they are a password that is commonly tried; five words of a sentence are not among them. */
const COMMON = new Set(commonText.split("\n").filter((line) => line !== ""));
const COMMON_LENGTH_MAX = Math.max(...[...COMMON].map((word) => word.length));
/** A common password of the least length has so many words at most; more are a choice of one's own. */
const COMMON_WORDS_MAX = 4;

/** Facts that others know of a person: a password must not consist of it. */
export interface KnownAbout {
  readonly shopName: string;
  readonly personName: string;
  /** The host of the shop's address; null if there is none. */
  readonly host: string | null;
}

/** Adds a fault at `/password` for a text that cannot be a password. */
export function validatePassword(password: string, about: KnownAbout, faults: Faults): void {
  const detail = password.normalize("NFC");
  const length = [...detail].length;
  if (length < PASSWORD_LENGTH_MIN) {
    const words = `The password must have at least ${PASSWORD_LENGTH_MIN} characters.`;
    faults.add("/password", "too_short", words);
  } else if (length > PASSWORD_LENGTH_MAX) {
    const words = `The password must have at most ${PASSWORD_LENGTH_MAX} characters.`;
    faults.add("/password", "too_long", words);
  } else {
    const why = weaknessOf(detail.toLowerCase(), about);
    if (why !== null) faults.add("/password", "easy_to_guess", why);
  }
}

function weaknessOf(text: string, about: KnownAbout): string | null {
  const plain = text.replaceAll(/[\s_.-]/g, "");
  if (isRepeated(plain)) return "The password is the same characters again and again.";
  if (isRun(plain)) return "The password is a run of neighboring characters.";
  if (consistsOfFirstTries(plain)) return "The password consists of words that are tried first.";
  if (shareOf(plain, knownWords(about)) > plain.length / 2) {
    return "More than half of the password is the name of the shop, of its address or of the person.";
  }
  return null;
}

/** Returns true if the text is a part of at most a third of its length, repeated, such as `abcabcabcabcabc`. */
function isRepeated(text: string): boolean {
  const length = (text + text).indexOf(text, 1);
  return new Set(text).size <= 2 || length <= text.length / 2;
}

/**
 * Returns true if each character follows the one before: in the alphabet, as digits, or on a keyboard, in any
 * direction.
 */
function isRun(text: string): boolean {
  const characters = [...text];
  const breaks = characters
    .slice(1)
    .filter((next, at) => !areNeighbours(characters[at] ?? "", next));
  return breaks.length <= characters.length / 8;
}

function areNeighbours(one: string, next: string): boolean {
  const distance = Math.abs((one.codePointAt(0) ?? 0) - (next.codePointAt(0) ?? 0));
  const isWrapped = (one === "9" && next === "0") || (one === "0" && next === "9");
  return (
    distance <= 1 ||
    isWrapped ||
    KEYBOARD.some((row) => row.includes(one + next) || row.includes(next + one))
  );
}

/** Returns true if the text is at most four common words, with digits and signs between them. */
function consistsOfFirstTries(text: string): boolean {
  // Fewest words that spell the text up to each place; digits and signs cost nothing.
  const fewest = [0];
  for (let end = 1; end <= text.length; end += 1) {
    const isFree = !/\p{L}/u.test(text.charAt(end - 1));
    let best = isFree ? (fewest[end - 1] ?? Infinity) : Infinity;
    for (let start = Math.max(0, end - COMMON_LENGTH_MAX); start < end; start += 1) {
      if (COMMON.has(text.slice(start, end)))
        best = Math.min(best, (fewest[start] ?? Infinity) + 1);
    }
    fewest.push(best);
  }
  const letters = text.replaceAll(/\P{L}/gu, "").length;
  const words = fewest.at(-1) ?? Infinity;
  return letters > 0 && words <= COMMON_WORDS_MAX;
}

/** The words of two letters or more; shorter ones are in every text. */
function knownWords({ shopName, personName, host }: KnownAbout): string[] {
  const texts = [shopName, personName, host ?? ""].map((text) =>
    text.normalize("NFC").toLowerCase(),
  );
  const whole = texts.map((text) => text.replaceAll(/[\s_.-]/g, ""));
  const parts = texts.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u));
  return [...new Set([...whole, ...parts])].filter((word) => [...word].length > 2);
}

/** How many places of the text are in one of the words. */
function shareOf(text: string, words: readonly string[]): number {
  const covered = new Set<number>();
  for (const word of words) {
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
      for (let place = at; place < at + word.length; place += 1) covered.add(place);
    }
  }
  return covered.size;
}

declare module "#kernel/fault.ts" {
  interface FaultCodes {
    /** A password that is among the first to be tried. No value of the API is one, so its reference has no such code. */
    readonly easy_to_guess: string;
  }
}
