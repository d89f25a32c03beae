// The payments that Paystack takes, by the currency of the country: its networks, their phones, and its smallest
// amounts. The sources are Paystack's pages on mobile money and on currencies; it writes every currency with two
// digits, francs too.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { AskedOfGateway, CurrencyTerms } from "#payments/port/gateway.ts";
import type { Provider } from "#payments/rows/payment-life.ts";

interface Country {
  /** Minor units of the shop. */
  readonly minimumMinor: number;
  /** So many of Paystack's units are one minor unit of the shop. */
  readonly units: 1 | 100;
  /** Null where no phone can pay. */
  readonly phones: Phones | null;
}

interface Phones {
  /** Paystack's names of the networks. */
  readonly networks: Partial<Record<Provider, string>>;
  /** E.164: the country's code, and the digits behind it. */
  readonly form: RegExp;
  /** The number as Paystack expects it. */
  readonly written: (digits: string) => string;
  readonly of: string;
}

const telecel = "vod";
const airteltigo = "atl";

const countries: Partial<Record<CurrencyCode, Country>> = {
  GHS: {
    minimumMinor: 10,
    units: 1,
    phones: {
      networks: { mtn: "mtn", vodafone: telecel, telecel, airteltigo, airtel: airteltigo },
      form: /^\+233(\d{9})$/,
      written: (digits) => `0${digits}`,
      of: "Ghana: +233 and nine digits",
    },
  },
  KES: {
    minimumMinor: 300,
    units: 1,
    phones: {
      networks: { mpesa: "mpesa", airtel: airteltigo },
      form: /^\+254(\d{9})$/,
      written: (digits) => `+254${digits}`,
      of: "Kenya: +254 and nine digits",
    },
  },
  XOF: {
    minimumMinor: 1,
    units: 100,
    phones: {
      networks: { mtn: "mtn", orange: "orange", wave: "wave" },
      form: /^\+225(\d{10})$/,
      written: (digits) => digits,
      of: "Côte d'Ivoire: +225 and ten digits",
    },
  },
  NGN: { minimumMinor: 5_000, units: 1, phones: null },
  ZAR: { minimumMinor: 100, units: 1, phones: null },
  USD: { minimumMinor: 200, units: 1, phones: null },
};

/** The terms of a charge; null for what Paystack does not take. */
export function termsOf(asked: AskedOfGateway): CurrencyTerms | null {
  const { method, currency, provider, phone = null } = asked;
  const country = countries[currency];
  if (country === undefined) return null;
  const { minimumMinor, phones } = country;
  if (method === "mobile_money") {
    if (phones === null) return null;
    if (provider !== null && phones.networks[provider] === undefined) return null;
    if (phone !== null && !phones.form.test(phone)) return null;
  }
  return { multipleMinor: 1, minimumMinor, maximumMinor: null };
}

/** A phone that pays, in Paystack's words. */
export interface PayingPhone {
  readonly phone: string;
  readonly provider: string;
}

/** The phone and network as Paystack expects them; the fault of what is wrong with either. */
export function payingPhone(
  currency: CurrencyCode,
  { phone, provider }: { readonly phone: string | null; readonly provider: Provider | null },
): PayingPhone | PhoneFault {
  const phones = countries[currency]?.phones ?? null;
  const network = provider === null ? undefined : phones?.networks[provider];
  if (phones === null || network === undefined) {
    const detail = `Name the network of the phone that pays ${currency}.`;
    return { field: "provider", code: "required", detail };
  }
  const digits = phones.form.exec(phone ?? "")?.[1];
  if (digits === undefined) {
    const detail = `A phone that pays ${currency} is of ${phones.of}.`;
    return { field: "phone", code: "phone_not_in_country", detail };
  }
  return { phone: phones.written(digits), provider: network };
}

export interface PhoneFault {
  readonly field: "phone" | "provider";
  readonly code: "required" | "phone_not_in_country";
  readonly detail: string;
}

/** The amount in Paystack's units. */
export function toUnits(amountMinor: number, currency: CurrencyCode): number {
  return amountMinor * unitsOf(currency);
}

/** The amount in minor units; null if the shop cannot say it. */
export function toMinor(amountUnits: number, currency: CurrencyCode): number | null {
  const units = unitsOf(currency);
  return amountUnits % units === 0 ? amountUnits / units : null;
}

/** The amount in minor units, without a part of one. */
export function wholeMinorOf(amountUnits: number, currency: CurrencyCode): number {
  return Math.floor(amountUnits / unitsOf(currency));
}

function unitsOf(currency: CurrencyCode): number {
  return countries[currency]?.units ?? 1;
}
