// Rules: a number as people type it with the keyboard of their language.

const DIGIT = /\p{Nd}/u;
/** A comma before three digits may part thousands, so that the number stays as it is and is refused. */
const DECIMAL_COMMA = /^(-?\d+),(\d{1,2}|\d{4,})$/;
/** That of Arabic is of decimals alone. */
const ARABIC_COMMA = /^(-?\d+)\u066b(\d+)$/;

/** The number as the interface takes it, with digits of ASCII and a point before the fraction; another text as it is. */
export function typedNumber(text: string): string {
  const said = text.trim().replaceAll(/\p{Nd}/gu, (digit) => String(valueOf(digit)));
  return said.replace(DECIMAL_COMMA, "$1.$2").replace(ARABIC_COMMA, "$1.$2");
}

/** The digits of a script are ten code points in a row, from its zero on. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (code - zero) % 10;
}
