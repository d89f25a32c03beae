// Rule: the merchant's own discount as a request names it.

import type { CurrencyCode } from "#kernel/currency.ts";
import { readAmount, readPercent } from "#kernel/money.ts";
import type { Faults } from "#kernel/refusal.ts";
import type { ManualDiscount } from "#pricing/quote/agree.ts";

import type { ManualRequest } from "./order-request.ts";

/** Reads the merchant's own discount. Adds a fault for what is no amount or percentage. */
export function readManual(
  request: ManualRequest | null,
  currency: CurrencyCode,
  faults: Faults,
): ManualDiscount | null {
  if (request === null) return null;
  const { title } = request;
  if ("percent" in request) {
    const millionths = readPercent(request.percent, { faults, pointer: "/discount/percent" });
    return millionths === null ? null : { title, terms: { kind: "percent", millionths } };
  }
  const place = { faults, pointer: "/discount/amount" };
  const amountMinor = readAmount(request.amount, currency, place);
  return amountMinor === null ? null : { title, terms: { kind: "amount", amountMinor } };
}
