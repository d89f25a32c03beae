// Amounts in responses: integer minor units become JSON numbers in major units with exactly the
// currency's digits, without passing through a double.

import { assume } from "#kernel/assume.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { formatAmount } from "#kernel/money.ts";

import type { WireAmount } from "./words.ts";

/** Prints minor units as a JSON number: `249.50`, UGX `49500`, KWD `12.345`. */
export function printAmount(amountMinor: number, currency: CurrencyCode): WireAmount {
  return asWireAmount(JSON.rawJSON(formatAmount(amountMinor, currency)));
}

/** The cast of a printed number to a number, which it is on the wire. */
function asWireAmount(printed: unknown): WireAmount {
  return assume<WireAmount>(printed);
}
