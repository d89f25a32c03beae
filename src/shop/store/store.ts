// The shop's settings: their types, defaults and refusals.

import { defineRefusal } from "#kernel/refusal.ts";

import { plainBranding } from "./branding.ts";
import type { PaymentSettings, TakenByGateways } from "./payment-methods.ts";
import type { StoreRow } from "./tables.ts";

/** `inventory.low` is emitted below this many units, unless the variant has a threshold of its own. */
const LOW_STOCK_THRESHOLD_DEFAULT = 5;
/** How long an unpaid prepaid order keeps its stock reserved: a day, in minutes. */
const ORDER_EXPIRY_MINUTES_DEFAULT = 1440;

/** All of an order: it is kept once it is paid. */
const DEPOSIT_PERCENT_DEFAULT = 100;
/** A week: time enough to ask the gateway or the customer. */
const REVIEW_DAYS_DEFAULT = 7;

export type Store = StoreRow & Pick<PaymentSettings, "receivingAccounts">;

/** The fields that a request can change. */
export type StoreSettings = Omit<
  StoreRow,
  | "id"
  | keyof TakenByGateways
  | "hasPriceTerms"
  | "priceTermsVersion"
  | "connectionsVersion"
  | "version"
  | "createdAt"
  | "updatedAt"
>;

/** The settings of a new shop. */
export const newStoreSettings: StoreSettings = {
  name: "My shop",
  currency: "USD",
  timezone: "UTC",
  country: null,
  lowStockThreshold: LOW_STOCK_THRESHOLD_DEFAULT,
  orderExpiryMinutes: ORDER_EXPIRY_MINUTES_DEFAULT,
  recoveryUrlTemplate: null,
  orderUrlTemplate: null,
  depositPercent: DEPOSIT_PERCENT_DEFAULT,
  reviewDays: REVIEW_DAYS_DEFAULT,
  refundLimitMinor: null,
  paymentMethods: {},
  limits: {},
  enforceLimits: false,
  storefrontCacheSeconds: null,
  checkout: {},
  requirePasskey: "none",
  pricesIncludeTax: false,
  noTaxes: false,
  keptTaxed: true,
  shippingTax: "standard",
  legalName: null,
  postalAddress: null,
  taxId: null,
  defaultWeightGrams: null,
  notifications: {},
  summaryAt: "20:00",
  recoveryByEmail: true,
  ...plainBranding,
};

/**
 * Returns true if this is an IANA time zone that the runtime knows. The runtime takes offsets too, but the days of one
 * such as +01:07 begin within a slot of analytics.
 */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

export const storeNotFound = defineRefusal(
  "store_not_found",
  "not_found",
  "This database has no store.",
);

export const storeCountryMissing = defineRefusal("store_country_missing", "conflict", {
  title: "Taxes need the country of the store.",
  cause:
    "Without an address, an order is taxed where the store is. The store has no country, or the request would remove it while there are tax rates.",
  remedy: "Set `country` by `PUT /v2/store`.",
});
