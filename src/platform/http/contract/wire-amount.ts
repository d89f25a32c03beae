// Amounts in answers: integers of minor units become JSON numbers in major units with exactly the
// currency's digits, without passing through a float.

import { assume } from "#kernel/assume.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { formatAmount } from "#kernel/money.ts";

import type { WireAmount } from "./words.ts";

/** An amount of minor units as the answer prints it: `249.50`, UGX `49500`, KWD `12.345`. */
export function printAmount(amountMinor: number, currency: CurrencyCode): WireAmount {
  return asWireAmount(JSON.rawJSON(formatAmount(amountMinor, currency)));
}

/** The cast that gives a printed number the type of a number on the wire, which it is. */
function asWireAmount(printed: unknown): WireAmount {
  return assume<WireAmount>(printed);
}
