// Money at the wire. Inside, amounts are integers of minor units; here they become JSON numbers in
// major units with exactly the currency's digits, and back, without ever passing through a float.

import { assume } from "#kernel/assume.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { formatAmount, parseAmount } from "#kernel/money.ts";
import type { Faults } from "#kernel/refusal.ts";

import { amountSentence } from "./check-meaning.ts";
import type { WireAmount } from "./words.ts";

/** An amount of minor units as the answer prints it: `249.50`, UGX `49500`, KWD `12.345`. */
export function printAmount(amountMinor: number, currency: CurrencyCode): WireAmount {
  return asWireAmount(JSON.rawJSON(formatAmount(amountMinor, currency)));
}

/** What was given, in minor units; notes the fault at its pointer and answers 0 where there is one. */
export function readAmount(
  given: number | string,
  currency: CurrencyCode,
  place: { readonly faults: Faults; readonly pointer: string },
): number {
  const parsed = parseAmount(given, currency);
  if (!("fault" in parsed)) return parsed.amountMinor;
  place.faults.add(place.pointer, parsed.fault, amountSentence(parsed.fault, currency));
  return 0;
}

/** The cast that gives a printed number the type of a number on the wire, which it is. */
function asWireAmount(printed: unknown): WireAmount {
  return assume<WireAmount>(printed);
}
