// Amounts as Stripe writes them (docs, Supported currencies): which currencies it takes, in which steps, and between
// which bounds. Invariant: no amount is rounded; what has no exact counterpart has none.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { CurrencyTerms } from "#payments/port/gateway.ts";

/** The currencies of the docs that shops sell in. */
const taken: ReadonlySet<string> = new Set(
  [
    "USD AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP",
    "CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS",
    "INR ISK JMD JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR",
    "MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK",
    "SGD SHP SLE SOS SRD SZL THB TJS TND TOP TRY TTD TWD TZS UAH UGX UYU UZS VND VUV WST XAF XCD XOF XPF YER ZAR",
    "ZMW",
  ].flatMap((line) => line.split(" ")),
);

/** So many minor units of the shop are so many of Stripe's, and less than that cannot be charged. */
interface Step {
  readonly minor: number;
  readonly units: number;
}

const same: Step = { minor: 1, units: 1 };
/** Two digits that are always 00: for Stripe these were decimal currencies once. */
const padded: Step = { minor: 1, units: 100 };
/** Three digits, of which the last is 0. */
const byTens: Step = { minor: 10, units: 10 };
const steps: Partial<Record<CurrencyCode, Step>> = {
  ISK: padded,
  UGX: padded,
  BHD: byTens,
  JOD: byTens,
  KWD: byTens,
  OMR: byTens,
  TND: byTens,
  // Stripe charges whole ariary.
  MGA: { minor: 100, units: 1 },
};

/**
 * Minor units. The docs give them by the currency in which an account is paid out; what is charged in another one
 * must come to as much, which only Stripe knows.
 */
// prettier-ignore
const minimums: Partial<Record<CurrencyCode, number>> = {
  USD: 50, AED: 200, AUD: 50, BRL: 50, CAD: 50, CHF: 50, CZK: 1500, DKK: 250, EUR: 50, GBP: 30, HKD: 400,
  HUF: 17_500, INR: 50, JPY: 50, MXN: 1000, MYR: 200, NOK: 300, NZD: 50, PLN: 200, RON: 200, SEK: 300, SGD: 50,
  THB: 1000,
};

/** Eight digits, and twelve of rupiah. */
const UNITS_MAX = 99_999_999;
const RUPIAH_UNITS_MAX = 999_999_999_999;

/** The terms of a charge in the currency; null if Stripe does not take it. */
export function currencyTerms(currency: CurrencyCode): CurrencyTerms | null {
  if (!taken.has(currency)) return null;
  const { minor, units } = stepOf(currency);
  const unitsMax = currency === "IDR" ? RUPIAH_UNITS_MAX : UNITS_MAX;
  return {
    multipleMinor: minor,
    minimumMinor: minimums[currency] ?? minor,
    maximumMinor: Math.floor(unitsMax / units) * minor,
  };
}

/** The amount in Stripe's units; null if it cannot be said in them. */
export function toUnits(amountMinor: number, currency: CurrencyCode): number | null {
  const { minor, units } = stepOf(currency);
  return amountMinor % minor === 0 ? (amountMinor / minor) * units : null;
}

/** The amount in the shop's minor units; null if it cannot be said in them. */
export function toMinor(amountUnits: number, currency: CurrencyCode): number | null {
  const { minor, units } = stepOf(currency);
  return amountUnits % units === 0 ? (amountUnits / units) * minor : null;
}

function stepOf(currency: CurrencyCode): Step {
  return steps[currency] ?? same;
}
