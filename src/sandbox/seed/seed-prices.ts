// Prices of the seed: round numbers typical for each currency, no exchange rates.

import { type CurrencyCode, exponentOf } from "#kernel/currency.ts";

interface PriceLevel {
  /** The price of something that costs one dollar. */
  readonly perDollar: number;
  /** Prices are multiples of this. */
  readonly step: number;
}

// prettier-ignore
const levels: Partial<Record<CurrencyCode, PriceLevel>> = {
  USD: { perDollar: 1, step: 0.5 },      EUR: { perDollar: 0.95, step: 0.5 },
  GBP: { perDollar: 0.8, step: 0.5 },    CAD: { perDollar: 1.4, step: 0.5 },
  AED: { perDollar: 3.7, step: 1 },      INR: { perDollar: 85, step: 10 },
  CNY: { perDollar: 7, step: 1 },        BRL: { perDollar: 5.5, step: 1 },
  IDR: { perDollar: 16_000, step: 1000 }, VND: { perDollar: 25_000, step: 1000 },
  JPY: { perDollar: 150, step: 10 },     KRW: { perDollar: 1400, step: 100 },
  CLP: { perDollar: 950, step: 10 },     PYG: { perDollar: 7500, step: 500 },
  GHS: { perDollar: 12, step: 1 },       NGN: { perDollar: 1500, step: 50 },
  KES: { perDollar: 130, step: 10 },     UGX: { perDollar: 3700, step: 500 },
  TZS: { perDollar: 2600, step: 100 },   RWF: { perDollar: 1400, step: 100 },
  BIF: { perDollar: 2900, step: 100 },   ETB: { perDollar: 125, step: 5 },
  ZAR: { perDollar: 18, step: 1 },       ZMW: { perDollar: 26, step: 1 },
  MWK: { perDollar: 1730, step: 50 },    MZN: { perDollar: 64, step: 5 },
  XOF: { perDollar: 600, step: 50 },     XAF: { perDollar: 600, step: 50 },
  GNF: { perDollar: 8600, step: 500 },   EGP: { perDollar: 50, step: 5 },
  MAD: { perDollar: 10, step: 1 },       KWD: { perDollar: 0.3, step: 0.05 },
  BHD: { perDollar: 0.4, step: 0.05 },   OMR: { perDollar: 0.4, step: 0.05 },
  JOD: { perDollar: 0.7, step: 0.05 },   TND: { perDollar: 3, step: 0.5 },
};

/** For every other currency. */
const unknownLevel: PriceLevel = { perDollar: 10, step: 1 };

/** The price of something that costs so many dollars, in major units of the currency. */
export function localPrice(dollars: number, currency: CurrencyCode): string {
  const { perDollar, step } = levels[currency] ?? unknownLevel;
  const steps = Math.max(Math.round((dollars * perDollar) / step), 1);
  return (steps * step).toFixed(exponentOf(currency));
}

const COURIER_DOLLARS = 2;

/**
 * The charge for shipping that the sales of samples name, in major units. It needs none of the shop's own
 * rates, which may not serve the addresses of the sandbox.
 */
export function courierFee(currency: CurrencyCode): { label: string; amount: string } {
  return { label: "Courier", amount: localPrice(COURIER_DOLLARS, currency) };
}
