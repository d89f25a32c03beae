// Recognizes card numbers in free text, where customers and cashiers put them and where they must never
// be kept (PCI DSS). Numbers of a shop pass: phones, barcodes and times are shorter or begin otherwise.

/**
 * First digits of a network, and how long its numbers are. Visa's numbers of 13 digits are left out:
 * none has been issued for decades, and a tenth of all barcodes that begin with 4 would look like one.
 */
const networks: readonly (readonly [prefix: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(?:30[0-5]|3[689])/, [14]],
  [/^(?:6011|64[4-9]|65)/, [16, 19]],
  [/^35(?:2[89]|[3-8])/, [16, 19]],
  [/^62/, [16, 17, 18, 19]],
  [/^(?:50[67]|5018|5020|5038|5893|6304|6759|676[1-3])/, [16, 18, 19]],
];
const DIGITS_MIN = 14;
const DIGITS_MAX = 19;

/** Digits in groups, with one blank, dot or dash between them. */
const RUN = /\d+(?:[ .\-\u00A0\u2007\u2010-\u2014\u202F]\d+)*/g;
const LETTER = /[\p{L}_]/u;

/** Whether the text has what looks like a card number, in one piece or in groups. */
export function holdsCardNumber(text: string): boolean {
  for (const { 0: run, index } of text.matchAll(RUN)) {
    // Ids, hashes and account numbers have long digits beside letters.
    if (LETTER.test(text.charAt(index - 1) + text.charAt(index + run.length))) continue;
    const groups = run.split(/\D/);
    if (beginsWithCard(groups) || endsWithCard(groups)) return true;
  }
  return false;
}

/** A card's number stands at the beginning, before its expiry, or at the end, after another number. */
function beginsWithCard(groups: readonly string[]): boolean {
  let digits = "";
  for (const group of groups) {
    digits += group;
    if (digits.length > DIGITS_MAX) return false;
    if (isCardNumber(digits)) return true;
  }
  return false;
}

function endsWithCard(groups: readonly string[]): boolean {
  let digits = "";
  for (const group of groups.toReversed()) {
    digits = group + digits;
    if (digits.length > DIGITS_MAX) return false;
    if (isCardNumber(digits)) return true;
  }
  return false;
}

function isCardNumber(digits: string): boolean {
  if (digits.length < DIGITS_MIN) return false;
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
