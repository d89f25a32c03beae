// Rules: a number as people type it with the keyboard of their language.

import { asciiDigits } from "#platform/html/ascii-digits.ts";

/** A comma before three digits may part thousands, so that the number stays as it is and is refused. */
const DECIMAL_COMMA = /^(-?\d+),(\d{1,2}|\d{4,})$/;
/** That of Arabic is of decimals alone. */
const ARABIC_COMMA = /^(-?\d+)\u066b(\d+)$/;

/** The number as the interface takes it, with digits of ASCII and a point before the fraction; another text as it is. */
export function typedNumber(text: string): string {
  const said = asciiDigits(text.trim());
  return said.replace(DECIMAL_COMMA, "$1.$2").replace(ARABIC_COMMA, "$1.$2");
}
