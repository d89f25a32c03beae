// Sums of amounts on the wire.

import type { CurrencyCode } from "#kernel/currency.ts";
import { printAmount } from "#platform/http/contract/wire-amount.ts";

/** The amount in major units. Clamps to the safe integers, because JSON readers lose digits beyond them. */
export function print(amountMinor: number, currency: CurrencyCode) {
  const limit = Number.MAX_SAFE_INTEGER;
  return printAmount(Math.min(Math.max(amountMinor, -limit), limit), currency);
}
