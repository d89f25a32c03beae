// The shop's settings on the wire.

import Type, { type Static } from "typebox";

import { at, wire } from "#platform/http/contract/wire.ts";
import {
  currency,
  idOf,
  line,
  nullable,
  object,
  optional,
  whole,
} from "#platform/http/contract/words.ts";

import type { Store } from "./store.ts";
import type { StoreChange } from "./update-store.ts";

/** A template, not a URI: the braces of `{token}` are not legal in one. */
const recoveryUrlTemplate = line(2048, {
  pattern: "^https?://[^\\s/?#{}]+([/?#]\\S*)?$",
  description:
    "Address of the page that restores an abandoned cart. The token replaces {token}; without it, the token is added as ?token=.",
});
/** Ten years, in minutes: longer than any shop reserves stock for an unpaid order. */
const ORDER_EXPIRY_MINUTES_MAX = 5_256_000;

const country = Type.String({
  pattern: "^[A-Z]{2}$",
  description:
    "ISO 3166-1 alpha-2 code, such as GH. Phones without a country code are read as of this country; without it they are refused.",
});

export const storeWire = wire<Store>()("Store", {
  id: idOf("store"),
  name: line(200),
  currency,
  timezone: line(64),
  country: nullable(country),
  low_stock_threshold: whole(0),
  order_expiry_minutes: nullable(whole(1)),
  recovery_url_template: nullable(recoveryUrlTemplate),
  version: whole(1),
  created_at: at,
  updated_at: at,
});

export const storeChangeSchema = object({
  name: optional(line(200)),
  currency: optional(currency),
  timezone: optional(line(64, { description: "IANA name, such as Africa/Accra." })),
  country: optional(nullable(country)),
  low_stock_threshold: optional(whole(0, 1_000_000_000)),
  order_expiry_minutes: optional(nullable(whole(1, ORDER_EXPIRY_MINUTES_MAX))),
  recovery_url_template: optional(nullable(recoveryUrlTemplate)),
});

/** Reads a change of the settings from a request body. */
export function readStoreChange(body: Static<typeof storeChangeSchema>): StoreChange {
  return {
    name: body.name,
    currency: body.currency,
    timezone: body.timezone,
    country: body.country,
    lowStockThreshold: body.low_stock_threshold,
    orderExpiryMinutes: body.order_expiry_minutes,
    recoveryUrlTemplate: body.recovery_url_template,
  };
}
