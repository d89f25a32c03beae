// Rules: digits as people type them with the keyboard of their language.

const DIGIT = /\p{Nd}/u;

/** The text with its digits in ASCII, of whatever script they are. */
export function asciiDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => String(valueOf(digit)));
}

/** The digits of a script are ten code points in a row, from its zero on. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (code - zero) % 10;
}
