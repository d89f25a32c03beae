// Amounts as people type and copy them, in the writing of any country: `1,250.00`, `1.250,00`, `1 250,00`, `GHS 1250`.
// Invariant: a text that can mean two amounts is never guessed.

import { type CurrencyCode, exponentOf } from "#kernel/currency.ts";
import { formatAmount } from "#kernel/money.ts";
import { identifier } from "#kernel/text.ts";

/** How amounts are written where the text was typed. */
export interface Writing {
  readonly currency: CurrencyCode;
  /** BCP 47; null where the shop has not said. */
  readonly locale: string | null;
}

/** The characters that a locale writes around and within an amount of the currency. */
interface Marks {
  readonly decimal: string;
  /** The names of the currency, the longest first. */
  readonly names: readonly string[];
}

/** More than any amount has, with its currency. */
const TEXT_LENGTH_MAX = 64;
/** Those of Arabic are of decimals, and of thousands, alone. */
const ARABIC_DECIMAL = "\u066b";
const APOSTROPHES = /['\u2019\u066c]/g;
const BLANKS = /\s+/g;
const FORM = /^[\d.,' \u066b]*\d[.,]?$/;
const SEPARATOR = /[^\d]/g;
/** Three digits between separators, or in India two before the last three. */
const GROUPS = /^\d{1,3}(?:S\d{2,3})*S\d{3}$/;
/** The locale of the dashboard. */
const PLAIN_LOCALE = "en-GB";

/**
 * The amounts that the text can mean, as the interface takes them: one, or two where a separator before three digits
 * may part decimals or thousands, the lesser first; none if it means no amount.
 */
export function readTypedAmount(text: string, writing: Writing): readonly string[] {
  if (text.length > TEXT_LENGTH_MAX) return [];
  const marks = marksOf(writing);
  const said = withoutName(withPlainBlanks(text), marks);
  const isNegative = said.startsWith("-") !== said.endsWith("-");
  const digits = withoutName(isNegative ? said.replace(/^-|-$/, "") : said, marks)
    .replaceAll(marks.decimal, (mark) => (/[.,]/.test(mark) ? mark : ARABIC_DECIMAL))
    .replaceAll(APOSTROPHES, "'");
  if (!FORM.test(digits)) return [];
  return readingsOf(digits, writing, marks).map((one) => `${isNegative ? "-" : ""}${one}`);
}

/** The amount as a field shows it: it is read back as the same amount. */
export function writeTypedAmount(amountMinor: number, writing: Writing): string {
  const text = formatAmount(amountMinor, writing.currency);
  if (exponentOf(writing.currency) !== 3) return text;
  return text.replace(".", plainDecimal(marksOf(writing)));
}

function readingsOf(digits: string, { currency }: Writing, marks: Marks): string[] {
  const separators = digits.match(SEPARATOR) ?? [];
  const last = separators.at(-1);
  if (last === undefined) return [whole(digits)];
  const isRepeated = separators.length > 1 && new Set(separators).size === 1;
  if (isRepeated || /[ ']/.test(last)) return thousands(digits, last);
  const at = digits.lastIndexOf(last);
  const asDecimals = decimals(digits.slice(0, at), digits.slice(at + 1));
  if (!mayPartThousands(digits)) return asDecimals;
  const exponent = exponentOf(currency);
  if (exponent === 0) return [whole(digits)];
  const isDecimal = exponent === 3 && last === plainDecimal(marks);
  return isDecimal ? asDecimals : [...asDecimals, whole(digits)];
}

/** The separator of decimals that people of the locale have on their keyboard. */
function plainDecimal({ decimal }: Marks): string {
  return decimal === "," ? "," : ".";
}

/** Returns true for one to three digits of which the first is not 0, a separator, and three digits. */
function mayPartThousands(digits: string): boolean {
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits);
}

/** The amount of which the last separator parts the decimals, and the others thousands. */
function decimals(before: string, behind: string): string[] {
  const [separator] = before.match(SEPARATOR) ?? [];
  const [units] = separator === undefined ? [whole(before)] : thousands(before, separator);
  if (units === undefined) return [];
  return [behind === "" ? units : `${units}.${behind}`];
}

function thousands(digits: string, separator: string): string[] {
  return GROUPS.test(digits.replaceAll(separator, "S")) ? [whole(digits)] : [];
}

/** Without separators and leading zeros. */
function whole(digits: string): string {
  return digits.replaceAll(SEPARATOR, "").replace(/^0+(?=\d)/, "") || "0";
}

function withPlainBlanks(text: string): string {
  return identifier(text).replaceAll(BLANKS, " ");
}

/** The text without the name of the currency before or behind it. */
function withoutName(text: string, { names }: Marks): string {
  const rest = text.trim();
  const upper = rest.toUpperCase();
  const before = names.find((name) => upper.startsWith(name));
  if (before !== undefined) return rest.slice(before.length).trim();
  const behind = names.find((name) => upper.endsWith(name));
  return behind === undefined ? rest : rest.slice(0, rest.length - behind.length).trim();
}

/** Making a formatter costs more than reading an amount, so each is kept. */
const known = new Map<string, Marks>();

function marksOf({ currency, locale }: Writing): Marks {
  const key = `${currency} ${locale ?? ""}`;
  const marks = known.get(key) ?? findMarks(currency, locale ?? PLAIN_LOCALE);
  known.set(key, marks);
  return marks;
}

function findMarks(currency: CurrencyCode, locale: string): Marks {
  const partsBy = (currencyDisplay: "symbol" | "narrowSymbol") =>
    new Intl.NumberFormat(locale, {
      style: "currency",
      currency,
      currencyDisplay,
      minimumFractionDigits: 2,
    }).formatToParts(0);
  const parts = [...partsBy("symbol"), ...partsBy("narrowSymbol")];
  const symbols = parts.filter(({ type }) => type === "currency").map(({ value }) => value);
  const names = [currency, ...symbols].map((name) => withPlainBlanks(name).toUpperCase());
  return {
    decimal: parts.find(({ type }) => type === "decimal")?.value ?? ".",
    names: names.filter((name) => name !== "").toSorted((one, other) => other.length - one.length),
  };
}
