// The shop's settings: one row per mode, inserted with the database, where both modes have the same id; and the accounts
// to which customers send money by hand.

import { sql } from "drizzle-orm";

import type { CurrencyCode } from "#kernel/currency.ts";
import { defineKind } from "#kernel/id.ts";
import type { GatewayMethod } from "#kernel/payment-method.ts";
import { bool, check, index, int, json, text } from "#platform/database/kit.ts";
import { id, plain, record, type RowOf, stamps } from "#platform/database/record.ts";

import type { CheckoutGiven } from "./checkout.ts";
import type { NotificationsGiven, ShippingTax } from "./notifications.ts";
import type { PasskeyRule } from "./passkey-rules.ts";
import type { AllMethodSettings, GatewayCurrencies, ReceivingMethod } from "./payment-methods.ts";
import type { LimitsGiven } from "./public-limits.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    store: "str";
    receivingAccount: "rcv";
  }
}
defineKind("store", "str");
defineKind("receivingAccount", "rcv", "receiving account");

/** Most shops have closed by then. */
const SUMMARY_AT = "20:00";

export const store = record(
  "store",
  {
    id: id("store").primaryKey(),
    name: plain(text().notNull()),
    currency: text().$type<CurrencyCode>().notNull(),
    /** IANA name, such as Africa/Accra. */
    timezone: plain(text().notNull()),
    /** ISO 3166-1 alpha-2; null: phones are accepted with their country code only. */
    country: plain(text()),
    lowStockThreshold: int().notNull(),
    /** Null: unpaid orders never expire. */
    orderExpiryMinutes: int(),
    recoveryUrlTemplate: plain(text()),
    /** The merchant's own page of an order; null for that of this server. */
    orderUrlTemplate: plain(text()),
    /** The part of a new order that keeps it from expiring once it is paid. */
    depositPercent: int().notNull().default(100),
    /** How long money in review keeps its order from expiring. */
    reviewDays: int().notNull().default(7),
    /** The most that is refunded at once without `refunds:write`, in the store's currency; null: any amount. */
    refundLimitMinor: int(),
    /** The merchant's settings of payment methods; the others have their defaults. */
    paymentMethods: plain(
      json()
        .$type<AllMethodSettings>()
        .notNull()
        .default(sql`'{}'`),
    ),
    /** The methods of the gateways that the running server has: placing an order calls no gateway. */
    gatewayMethods: plain(
      json()
        .$type<readonly GatewayMethod[]>()
        .notNull()
        .default(sql`'[]'`),
    ),
    /** The currencies in which these take a method; a method that is absent is taken in every one. */
    gatewayCurrencies: plain(
      json()
        .$type<GatewayCurrencies>()
        .notNull()
        .default(sql`'{}'`),
    ),
    /** The merchant's bounds of publishable keys; the others have their defaults. */
    limits: plain(
      json()
        .$type<LimitsGiven>()
        .notNull()
        .default(sql`'{}'`),
    ),
    /** True if the bounds of publishable keys hold in test mode, as they do in live mode. */
    enforceLimits: bool().notNull().default(false),
    /** How long caches keep what publishable keys are answered of the catalog; null: as long as the mode has it. */
    storefrontCacheSeconds: int(),
    /** The details that an order of a customer needs; the rules that the merchant did not set have their defaults. */
    checkout: plain(
      json()
        .$type<CheckoutGiven>()
        .notNull()
        .default(sql`'{}'`),
    ),
    /** Who needs a passkey to sign in to the dashboard. Decided in live mode, where people are. */
    requirePasskey: text().$type<PasskeyRule>().notNull().default("none"),
    /** True if prices contain tax; else it is added to them. */
    pricesIncludeTax: bool().notNull().default(false),
    /** True if the merchant decided that the shop charges no tax, so that no rate is missing. */
    noTaxes: bool().notNull().default(false),
    /** True if money that is kept of goods which were never sold has the taxes of these goods. */
    keptTaxed: bool().notNull().default(true),
    shippingTax: text().$type<ShippingTax>().notNull().default("standard"),
    /** The name of the business on invoices; null: the name of the shop. */
    legalName: plain(text()),
    /** The address at which the business gets letters, in one line. */
    postalAddress: plain(text()),
    /** The number under which the tax office knows the business. */
    taxId: plain(text()),
    /** The weight of a unit for shipping where its variant has no weight. */
    defaultWeightGrams: int(),
    /** True if anything decides on prices beside those of variants: a discount, a tax rate or a shipping option. */
    hasPriceTerms: bool().notNull().default(false),
    /** The version by which programs remember these; each change of any gives it a new value. Null without any. */
    priceTermsVersion: plain(text()),
    /** Rises with each change of what the shop asks outside: a program that sees another one opens its gateways anew. */
    connectionsVersion: int().notNull().default(0),
    locale: plain(text()),
    logoUrl: plain(text()),
    /** As #rrggbb. */
    brandColor: plain(text()),
    contactEmail: plain(text()),
    contactPhone: plain(text()),
    websiteUrl: plain(text()),
    supportLine: plain(text()),
    /** The emails to customers that the merchant turned on or off; the others have their defaults. */
    notifications: plain(
      json()
        .$type<NotificationsGiven>()
        .notNull()
        .default(sql`'{}'`),
    ),
    /** The time of the day's summary to people of the shop, as HH:MM in its zone. */
    summaryAt: plain(text().notNull().default(SUMMARY_AT)),
    /** True if people who have forgotten their password get a link by email. */
    recoveryByEmail: bool().notNull().default(true),
    ...stamps(),
  },
  (row) => [
    check("store_low_stock_threshold_not_negative", sql`${row.lowStockThreshold} >= 0`),
    check("store_order_expiry_positive", sql`${row.orderExpiryMinutes} > 0`),
  ],
);

export const receivingAccounts = record(
  "receiving_accounts",
  {
    id: id("receivingAccount").primaryKey(),
    method: text().$type<ReceivingMethod>().notNull(),
    label: plain(text().notNull()),
    instructions: plain(text().notNull()),
    /** Empty: money of any currency. */
    currencies: plain(json().$type<readonly CurrencyCode[]>().notNull()),
    active: bool().notNull(),
    /** Customers read accounts with lower numbers first, and older ones of one number. */
    position: int().notNull(),
    ...stamps(),
  },
  (row) => [index("receiving_accounts_position_index").on(row.position, row.id)],
);

export type ReceivingRow = RowOf<typeof receivingAccounts>;
export type StoreRow = RowOf<typeof store>;
