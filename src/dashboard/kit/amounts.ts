// Amounts in fields: as people read them, and as a form means what was typed. Beside a field of an amount, a hidden field
// has its currency.

import { readTypedAmount, type Writing } from "#dashboard/kit/typed-amount.ts";
import { en } from "#dashboard/words/en.ts";
import { type CurrencyCode, exponentOf, isCurrency } from "#kernel/currency.ts";
import { parseAmount } from "#kernel/money.ts";

const LOCALE = "en-GB";
/** Making a formatter costs more than a page, so each is kept. */
const formats = new Map<number, Intl.NumberFormat>();

/** The amount in major units, with grouped digits: `1,234.50`. */
export function digitsOf(amountMinor: number, currency: string): string {
  const exponent = isCurrency(currency) ? exponentOf(currency) : 2;
  let format = formats.get(exponent);
  if (format === undefined) {
    const digits = { minimumFractionDigits: exponent, maximumFractionDigits: exponent };
    formats.set(exponent, (format = new Intl.NumberFormat(LOCALE, digits)));
  }
  return format.format(amountMinor / 10 ** exponent);
}

/** The name of the hidden field with the currency of an amount. */
export function currencyFieldOf(field: string): string {
  return `in:${field}`;
}

export interface AmountField {
  readonly text: string;
  readonly currency: CurrencyCode;
  /** The amounts that the text can mean, as the interface takes them. */
  readonly readings: readonly string[];
}

/** Reads what was typed into a field; `writing` has the currency where the form names none. */
export function readAmountField(
  fields: URLSearchParams,
  name: string,
  writing: Writing,
): AmountField {
  const named = fields.get(currencyFieldOf(name)) ?? "";
  const currency = isCurrency(named) ? named : writing.currency;
  const text = (fields.getAll(name).at(-1) ?? "").trim();
  return { text, currency, readings: readTypedAmount(text, { ...writing, currency }) };
}

/** The amount as the interface takes it. It refuses a text that can mean two, and one that is none. */
export function wireAmountOf({ text, readings }: AmountField): string {
  return readings.length === 0 ? text : readings.join(" or ");
}

/** The question which of two amounts is meant; null if the text means one or none. */
export function questionOf(amount: AmountField): string | null {
  const [one, other] = printed(amount);
  return one === undefined || other === undefined ? null : en.amounts.which(one, other);
}

/** How the amount `q` of the `currency` is read, for the person who types it; empty if it is none. */
export function readingOf(query: URLSearchParams, writing: Writing): string {
  const [q, named] = [query.get("q") ?? "", query.get("currency") ?? ""];
  const currency = isCurrency(named) ? named : writing.currency;
  const readings = readTypedAmount(q.trim(), { ...writing, currency });
  const [one, other] = printed({ currency, readings });
  if (one === undefined) return "";
  return other === undefined ? `${currency} ${one}` : en.amounts.either(one, other);
}

/** The readings with grouped digits; one that the currency has no amount for is as it was typed. */
function printed({ currency, readings }: Pick<AmountField, "currency" | "readings">): string[] {
  return readings.map((reading) => {
    const read = parseAmount(reading, currency);
    return "fault" in read ? reading : digitsOf(read.amountMinor, currency);
  });
}
