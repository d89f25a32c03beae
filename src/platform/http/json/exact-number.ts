// Converts JSON number literals to doubles only if no digit is lost. A double is accepted if it
// prints as the same decimal.

/** Decimals of this many digits survive the conversion to a double and back (IEEE 754). */
const SAFE_DIGITS = 15;
const DIGIT_0 = 0x30;

/** The double of a literal, -0 as 0; null if it would be another decimal. */
export function exactNumber(literal: string): number | null {
  const number = Number(literal);
  const isShort = literal.length <= SAFE_DIGITS && !/[eE]/.test(literal);
  if (!isShort && !isExact(literal, number)) return null;
  return number === 0 ? 0 : number;
}

function isExact(literal: string, number: number): boolean {
  return (
    // Beyond this a double stands for several integers.
    Math.abs(number) <= Number.MAX_SAFE_INTEGER &&
    decimalForm(literal) === decimalForm(String(number))
  );
}

/** A unique spelling per decimal, without its sign: significant digits and a power of ten. */
function decimalForm(literal: string): string {
  const [mantissa = "", exponent = "0"] = literal.replace(/^-/, "").toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = whole + fraction;
  let first = 0;
  while (digits.charCodeAt(first) === DIGIT_0) first += 1;
  if (first === digits.length) return "0";
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === DIGIT_0) end -= 1;
  const power = Number(exponent) - fraction.length + (digits.length - end);
  return `${digits.slice(first, end)}e${power}`;
}
