// The shop's settings: their types, defaults and refusals.

import { defineRefusal } from "#kernel/refusal.ts";

import { plainLook } from "./look/look.ts";
import type { TakenByGateways } from "./payment-methods.ts";
import type { StoreRow } from "./tables.ts";

/** `inventory.low` is emitted below this many units, unless the variant has a threshold of its own. */
const LOW_STOCK_THRESHOLD_DEFAULT = 5;
/** How long an unpaid prepaid order keeps its stock reserved: a day, in minutes. */
const ORDER_EXPIRY_MINUTES_DEFAULT = 1440;

/** All of an order: it is kept once it is paid. */
const DEPOSIT_PERCENT_DEFAULT = 100;
/** A week: time enough to ask the gateway or the customer. */
const REVIEW_DAYS_DEFAULT = 7;

export type Store = StoreRow;

/** What a request can change. */
export type StoreSettings = Omit<
  Store,
  | "id"
  | keyof TakenByGateways
  | "hasPriceTerms"
  | "priceTermsVersion"
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
  depositPercent: DEPOSIT_PERCENT_DEFAULT,
  reviewDays: REVIEW_DAYS_DEFAULT,
  refundLimitMinor: null,
  paymentMethods: {},
  limits: {},
  enforceLimits: false,
  pricesIncludeTax: false,
  shippingTax: "standard",
  legalName: null,
  taxId: null,
  defaultWeightGrams: null,
  ...plainLook,
};

/** Whether the runtime knows this IANA time zone. */
export function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/**
 * The codes of ISO 3166-1, and XK, which Kosovo has until it gets one. The runtime also names unions, former countries
 * and other codes of a country, such as UK: no address has them, so rates and zones for them would never hold.
 */
const countries: ReadonlySet<string> = new Set(
  `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR
  BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ
  EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW
  GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY
  KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV
  MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY
  QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG
  TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA
  ZM ZW
`
    .trim()
    .split(/\s+/),
);

/** Whether this is the ISO 3166-1 alpha-2 code of a country. */
export function isCountry(code: string): boolean {
  return countries.has(code);
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
