// Amounts in several currencies on the wire.

import Type from "typebox";

import { inBothUnits, list, wire } from "#platform/http/contract/wire.ts";
import { amountGiven, component, currency } from "#platform/http/contract/words.ts";

import type { CurrencyAmount } from "./column-types.ts";

const CURRENCIES_MAX = 20;

const amountWire = wire<CurrencyAmount>()("CurrencyAmount", {
  currency,
  ...inBothUnits("amount", (one: CurrencyAmount) => one.amountMinor),
});

/** Amounts in a response. */
export const amountsWire = list(amountWire);

const amountInput = component("CurrencyAmountInput", { currency, amount: amountGiven });

/** Amounts in a request, at most one per currency. */
export function amountsGiven(options: object = {}) {
  return Type.Array(amountInput, { maxItems: CURRENCIES_MAX, ...options });
}
