// Amounts as Stripe takes them (docs, Currencies): in which steps, and between which bounds.

import { invalid } from "./errors.ts";

/** About the 0.50 USD below which Stripe takes nothing; its minimum of each currency differs. */
const AMOUNT_MIN = 50;
const AMOUNT_MAX = 99_999_999;

/** Currencies whose amounts have more digits in the API than payers have: the last ones are 0. */
const steps: ReadonlyMap<string, number> = new Map([
  ...["isk", "ugx"].map((code) => [code, 100] as const),
  ...["bhd", "jod", "kwd", "omr", "tnd"].map((code) => [code, 10] as const),
]);

/** The currency in lower case; refused if there is none of that code. */
export function readCurrency(given: string | null): string {
  const currency = (given ?? "").toLowerCase();
  const isKnown = Intl.supportedValuesOf("currency").includes(currency.toUpperCase());
  if (!isKnown) throw invalid(`Invalid currency: ${currency}`, { param: "currency" });
  return currency;
}

/** Refuses what Stripe does not charge. */
export function checkAmount(amountMinor: number, currency: string, param: string): void {
  if (amountMinor < AMOUNT_MIN) {
    throw invalid("Amount must be at least 50 cents", { code: "amount_too_small", param });
  }
  if (amountMinor > AMOUNT_MAX) {
    throw invalid("Amount must be no more than 999,999.99", { code: "amount_too_large", param });
  }
  checkStep(amountMinor, currency, param);
}

/** Refuses digits that the currency does not have, in charges and in refunds. */
export function checkStep(amountMinor: number, currency: string, param: string): void {
  const step = steps.get(currency) ?? 1;
  if (amountMinor % step === 0) return;
  const code = "invalid_charge_amount_no_decimal_compatible";
  const rule = `amounts in ${currency.toUpperCase()} must be evenly divisible by ${step}`;
  throw invalid(`Invalid amount: ${rule}.`, { code, param });
}
