// The shop itself: its name, its money and the settings that its rules start from.

import type { CurrencyCode } from "#kernel/currency.ts";
import { defineRefusal } from "#kernel/refusal.ts";

/** Units below which the merchant is told, where a variant says nothing else. */
const LOW_STOCK_THRESHOLD_DEFAULT = 5;
/** How long an unpaid prepaid order holds its stock: a day, in minutes. */
const ORDER_EXPIRY_MINUTES_DEFAULT = 1440;

export interface StoreSettings {
  readonly name: string;
  readonly currency: CurrencyCode;
  /** IANA name, such as Africa/Accra. */
  readonly timezone: string;
  readonly lowStockThreshold: number;
  readonly orderExpiryMinutes: number | null;
  readonly recoveryUrlTemplate: string | null;
}

/** What a new shop starts with. */
export const newStoreSettings: StoreSettings = {
  name: "My shop",
  currency: "USD",
  timezone: "UTC",
  lowStockThreshold: LOW_STOCK_THRESHOLD_DEFAULT,
  orderExpiryMinutes: ORDER_EXPIRY_MINUTES_DEFAULT,
  recoveryUrlTemplate: null,
};

/** Whether the machine knows the time zone. */
export function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

export const storeNotFound = defineRefusal("store_not_found", "not_found", "There is no store.");
