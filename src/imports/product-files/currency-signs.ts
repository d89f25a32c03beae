// The signs of currencies that people put into cells of prices: codes, signs and the words of shops.

import { currencyCodes } from "#kernel/currency.ts";

import { ungrouped } from "./written-number.ts";

/** Signs beside those that the tables of Unicode (CLDR) have for English. */
const others: Readonly<Record<string, readonly string[]>> = {
  AUD: ["A$"],
  CAD: ["C$"],
  CHF: ["FR", "SFR"],
  GHS: ["₵", "GH¢", "GHC"],
  INR: ["RS"],
  KES: ["KSH"],
  LKR: ["RS"],
  MUR: ["RS"],
  NPR: ["RS"],
  PKR: ["RS"],
  RUB: ["РУБ"],
  TZS: ["TSH"],
  UAH: ["ГРН"],
  UGX: ["USH"],
  USD: ["US$"],
  XAF: ["FCFA", "CFA"],
  XOF: ["FCFA", "CFA"],
};

const SIGN_BEFORE = /^(-?)([\p{L}\p{Sc}][\p{L}\p{Sc}\s]*)\.?\s*(-?[\d.,].*)$/u;
const SIGN_BEHIND = /^(.*[\d.,])\s*([\p{L}\p{Sc}][\p{L}\p{Sc}\s]*)\.?$/u;
const known = new Map<string, ReadonlySet<string>>();

/** A price with a sign before or behind it; null without one. */
export function withSign(text: string): { readonly sign: string; readonly number: string } | null {
  const [, minus = "", before = "", number = ""] = SIGN_BEFORE.exec(text) ?? [];
  if (before !== "") return { sign: before.trim(), number: ungrouped(minus + number) };
  const [, counted = "", behind = ""] = SIGN_BEHIND.exec(text) ?? [];
  return behind === "" ? null : { sign: behind.trim(), number: ungrouped(counted) };
}

/** Returns true if the currency is written so. Several currencies share a sign such as `$`. */
export function isSignOf(sign: string, currency: string): boolean {
  return signsOf(currency).has(folded(sign));
}

/** Returns true for the sign of any currency. */
export function isAnySign(sign: string): boolean {
  return /\p{Sc}/u.test(sign) || currencyCodes.some((currency) => isSignOf(sign, currency));
}

function signsOf(currency: string): ReadonlySet<string> {
  const found = known.get(currency) ?? new Set(writtenSigns(currency).map(folded));
  known.set(currency, found);
  return found;
}

function writtenSigns(currency: string): string[] {
  const shown = (["symbol", "narrowSymbol"] as const).flatMap((currencyDisplay) =>
    new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay })
      .formatToParts(0)
      .flatMap(({ type, value }) => (type === "currency" ? [value] : [])),
  );
  return [currency, ...shown, ...(others[currency] ?? [])];
}

function folded(sign: string): string {
  return sign.toUpperCase().replaceAll(/\s/g, "");
}
