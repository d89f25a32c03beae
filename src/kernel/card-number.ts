// Recognizes card numbers in free text, where customers and cashiers put them and where they must never
// be kept (PCI DSS). Numbers of a shop pass: phones, barcodes and times are shorter or begin otherwise.

/**
 * First digits of a network, and how long its numbers are. Visa's numbers of 13 digits are left out: none has
 * been issued for decades, and a tenth of the barcodes, phones and ids of 13 digits that begin with 4 would look
 * like one. Numbers of 15 digits are American Express alone, because every IMEI passes Luhn's check, too.
 */
const networks: readonly (readonly [prefix: RegExp, lengths: readonly number[]])[] = [
  [/^(?:[3-6]|220[0-4]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^4/, [19]],
  [/^3[47]/, [15]],
  [/^(?:30[0-5]|3[689])/, [14]],
  [/^(?:6011|64[4-9]|65|35(?:2[89]|[3-8]))/, [19]],
  [/^62/, [17, 18, 19]],
  [/^(?:50[67]|5018|5020|5038|5893|6304|6759|676[1-3])/, [18, 19]],
];
const DIGITS_MIN = 14;
const DIGITS_MAX = 19;
/** The digits of a phone, its country code included (E.164). */
const PHONE_DIGITS_MAX = 15;

/** Digits in groups, with blanks, dots and dashes between them. */
const RUN = /\d+(?:[\s.\-\u00AD\u200B-\u200D\u2010-\u2015\u2060\u2212]{1,3}\d+)*/g;
const GROUP = /\d+/g;
const LETTER = /[\p{L}_]/u;
const LETTERS = /[\p{L}_]+/gu;

/** Shown in place of a secret. */
export const MASK = "[masked]";

/** The place of a number in a text: the index of its first digit, and the one after its last. */
type Span = readonly [from: number, to: number];

/** Returns true if the text has what looks like a card number, in one piece or in groups. */
export function holdsCardNumber(text: string): boolean {
  return cardNumbersIn(text).length > 0;
}

/** Returns true if a token is a card number with letters before it or after it. */
export function tokenHoldsCardNumber(token: string): boolean {
  return holdsCardNumber(token.replaceAll(LETTERS, "|"));
}

/** The text with a mask in place of each card number. */
export function maskCardNumbers(text: string): string {
  let masked = "";
  let shownTo = 0;
  for (const [from, to] of cardNumbersIn(text)) {
    masked += text.slice(shownTo, from) + MASK;
    shownTo = to;
  }
  return masked + text.slice(shownTo);
}

function cardNumbersIn(text: string): Span[] {
  return [...text.matchAll(RUN)].flatMap(({ 0: run, index }) => {
    const before = text.charAt(index - 1);
    // Ids, hashes and account numbers have long digits beside letters.
    if (LETTER.test(before + text.charAt(index + run.length))) return [];
    const groups = [...run.matchAll(GROUP)];
    const digits = groups.reduce((sum, { 0: group }) => sum + group.length, 0);
    if (digits < DIGITS_MIN || (before === "+" && digits <= PHONE_DIGITS_MAX)) return [];
    return spansOf(groups).map(([from, to]): Span => [index + from, index + to]);
  });
}

/** The numbers that are whole groups: one may stand before its expiry, or after another number. */
function spansOf(groups: readonly RegExpExecArray[]): Span[] {
  const spans: Span[] = [];
  for (let first = 0; first < groups.length; first += 1) {
    const last = lastOfCard(groups, first);
    if (last === null) continue;
    const [begin, end] = [groups[first], groups[last]];
    if (begin === undefined || end === undefined) continue;
    spans.push([begin.index, end.index + end[0].length]);
    first = last;
  }
  return spans;
}

/** The last group of the longest card number that begins with the first group; null if none does. */
function lastOfCard(groups: readonly RegExpExecArray[], first: number): number | null {
  let digits = "";
  let found: number | null = null;
  for (let last = first; last < groups.length && digits.length < DIGITS_MAX; last += 1) {
    digits += groups[last]?.[0] ?? "";
    if (isCardNumber(digits)) found = last;
  }
  return found;
}

function isCardNumber(digits: string): boolean {
  const isOfNetwork = networks.some(
    ([prefix, lengths]) => lengths.includes(digits.length) && prefix.test(digits),
  );
  return isOfNetwork && hasCheckDigit(digits);
}

/** Luhn's check (ISO/IEC 7812-1, annex B). */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
