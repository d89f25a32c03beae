// Numbers as shops and spreadsheets write them: a point or a comma parts decimals or thousands.

import { exponentOf, isCurrency } from "#kernel/currency.ts";
import { identifier } from "#kernel/text.ts";

/** The meanings of a comma in a number: it parts decimals, or thousands. */
export const commas = ["decimal", "thousands"] as const;
export type Comma = (typeof commas)[number];

/** The way in which the numbers of a file are written. */
export interface Writing {
  /** Null where the person has not said it: then a comma is read where it can be only one of both. */
  readonly comma: Comma | null;
  /** True for the file of another shop, in which a number that can be read in one way is read so. */
  readonly isForeign: boolean;
}

const GROUPED = /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/;
const AMBIGUOUS = /^-?[1-9]\d{0,2},\d{3}$/;
/** A comma with other than three digits behind it, or a zero alone before it, parts no thousands. */
const DECIMAL_COMMA = /^-?(?:\d+,(?:\d{1,2}|\d{4,})?|0?,\d+)$/;
const WITH_POINTS = /^-?(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d*)?$/;
/** Points that part thousands, since a comma or a second point says so. */
const PARTED_BY_POINTS = /^-?[1-9]\d{0,2}(?:(?:\.\d{3})+,\d*|(?:\.\d{3}){2,})$/;
/** 12,34,567.50: lakhs and crores. */
const INDIAN = /^-?[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d*)?$/;
const WITH_POINT = /^-?\d*\.\d+$/;

const BLANK_OR_APOSTROPHE = /[\s'’`]/g;
const PARTED = /^[-+]?\d{1,3}(?:[\s'’`]\d{3})+(?:[.,]\d*)?$/;
/** `5.-` and `5,--`: Swiss and German prices without cents. */
const WITHOUT_CENTS = /(?<=\d)[.,]-{1,2}$/;

/** The number without blanks and apostrophes between its thousands, and with the digits and the minus of ASCII. */
export function ungrouped(text: string): string {
  const plain = identifier(text)
    .replace(/^\+(?=[\d.,])/, "")
    .replace(WITHOUT_CENTS, "");
  const bare = plain.replace(/^-\s+(?=\d)/, "-");
  return PARTED.test(bare) ? bare.replaceAll(BLANK_OR_APOSTROPHE, "") : bare;
}

/** The grams of a unit of weight. */
export const gramsPerUnit = { kg: 1000, g: 1, lb: 453.592_37, oz: 28.349_523 } as const;

/** The same by the names that people write. */
const gramsByName: ReadonlyMap<string, number> = new Map([
  ...Object.entries(gramsPerUnit),
  ["gr", gramsPerUnit.g],
  ["lbs", gramsPerUnit.lb],
]);

/** A number with a unit of weight behind it; null without one. */
export function weighed(text: string): { readonly number: string; readonly grams: number } | null {
  const [, number = "", unit = ""] = /^(.*?[\d.,])\s*([a-z]+)\.?$/i.exec(text) ?? [];
  const grams = gramsByName.get(unit.toLowerCase());
  return grams === undefined ? null : { number: ungrouped(number), grams };
}

/** The number with a point before its decimals; null for one with a comma that may be either, or a text. */
export function pointed(text: string, writing: Writing): string | null {
  if (writing.comma === "decimal") return withDecimalComma(text, writing);
  const isSaid = writing.comma === "thousands";
  const told = writing.isForeign ? toldByItself(text, isSaid) : null;
  if (told !== null || !text.includes(",")) return told ?? text;
  // A second separator says that the first one parts thousands.
  return GROUPED.test(text) && (isSaid || /,.*[,.]/.test(text)) ? text.replaceAll(",", "") : null;
}

/** A number whose separators tell by themselves what they part; null for another. */
function toldByItself(text: string, isSaid: boolean): string | null {
  if (INDIAN.test(text)) return text.replaceAll(",", "");
  if (isSaid) return null;
  if (PARTED_BY_POINTS.test(text)) return text.replaceAll(".", "").replace(",", ".");
  return DECIMAL_COMMA.test(text) ? text.replace(",", ".") : null;
}

function withDecimalComma(text: string, { isForeign }: Writing): string | null {
  if (WITH_POINTS.test(text)) return text.replaceAll(".", "").replace(",", ".");
  return isForeign && WITH_POINT.test(text) ? text : null;
}

/** Both readings of a number whose comma may part thousands or decimals; null for any other. */
export function readingsOf(text: string, { comma }: Writing) {
  if (comma !== null || !AMBIGUOUS.test(text)) return null;
  return { thousands: text.replace(",", ""), decimals: text.replace(",", ".") };
}

/** Returns true if `49.500` may be 49500, since the currency has no three decimals. */
export function mayBeThousands(amount: string, currency: string, { comma }: Writing): boolean {
  const digits = digitsOf(currency);
  return (
    comma !== "thousands" && digits !== null && digits < 3 && /^-?[1-9]\d{0,2}\.\d{3}$/.test(amount)
  );
}

/** `.99` as 0.99 and `12.` as 12. */
export function withBothSides(amount: string): string {
  return amount.replace(/^(-?)\.(?=\d)/, "$10.").replace(/(?<=\d)\.$/, "");
}

/** The amount with the digits of its currency, rounded half up; null if it has no more than these. */
export function rounded(amount: string, currency: string): string | null {
  const digits = digitsOf(currency);
  const [, whole = "", decimals = ""] = /^(\d{1,15})\.(\d+)$/.exec(amount) ?? [];
  if (digits === null || /^0*$/.test(decimals.slice(digits))) return null;
  const isUp = Number(decimals[digits] ?? "0") >= 5;
  const scaled = BigInt(whole + decimals.slice(0, digits)) + (isUp ? 1n : 0n);
  const text = scaled.toString().padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function digitsOf(currency: string): number | null {
  return isCurrency(currency) ? exponentOf(currency) : null;
}
