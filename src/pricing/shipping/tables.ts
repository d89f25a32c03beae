// Zones with their rates, and the places at which customers fetch goods themselves.

import { sql } from "drizzle-orm";

import type { Address } from "#kernel/address.ts";
import type { Area } from "#kernel/area.ts";
import { defineKind } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import { bool, check, foreignKey, index, int, json, text } from "#platform/database/kit.ts";
import { id, plain, record, type RowOf, stamps } from "#platform/database/record.ts";

import type { CurrencyAmount, RateKind, Tier } from "./amounts.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    shippingZone: "shz";
    shippingRate: "shr";
    pickupLocation: "loc";
  }
}
defineKind("shippingZone", "shz", "shipping zone");
defineKind("shippingRate", "shr", "shipping rate");
defineKind("pickupLocation", "loc", "pickup location");

export const shippingZones = record(
  "shipping_zones",
  {
    id: id("shippingZone").primaryKey(),
    name: plain(text().notNull()),
    /** No two zones have the same place. */
    places: plain(json().$type<readonly Area[]>().notNull()),
    ...stamps(),
  },
  () => [],
);

export const shippingRates = record(
  "shipping_rates",
  {
    id: id("shippingRate").primaryKey(),
    zoneId: id("shippingZone").notNull(),
    name: plain(text().notNull()),
    kind: text().$type<RateKind>().notNull(),
    /** Ascending by `from`. */
    tiers: plain(json().$type<readonly Tier[]>().notNull()),
    freeOver: plain(json().$type<readonly CurrencyAmount[]>().notNull()),
    minDays: int(),
    maxDays: int(),
    active: bool().notNull(),
    metadata: plain(
      json()
        .$type<Metadata>()
        .notNull()
        .default(sql`'{}'`),
    ),
    ...stamps(),
  },
  (row) => [
    index("shipping_rates_zone_index").on(row.zoneId, row.id),
    foreignKey({ columns: [row.zoneId], foreignColumns: [shippingZones.id] }).onDelete("cascade"),
    check("shipping_rates_min_days_not_negative", sql`${row.minDays} >= 0`),
    check("shipping_rates_days_in_order", sql`${row.maxDays} >= ${row.minDays}`),
  ],
);

export const pickupLocations = record(
  "pickup_locations",
  {
    id: id("pickupLocation").primaryKey(),
    name: plain(text().notNull()),
    address: plain(json().$type<Address>().notNull()),
    instructions: plain(text()),
    /** Empty: fetching costs nothing in any currency. */
    amounts: plain(json().$type<readonly CurrencyAmount[]>().notNull()),
    active: bool().notNull(),
    ...stamps(),
  },
  () => [],
);

export type ShippingZoneRow = RowOf<typeof shippingZones>;
export type ShippingRateRow = RowOf<typeof shippingRates>;
export type PickupLocationRow = RowOf<typeof pickupLocations>;
