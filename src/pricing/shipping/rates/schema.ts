// Shipping rates on the wire.

import Type, { type Static } from "typebox";

import { MAX_AMOUNT_MINOR } from "#kernel/money.ts";
import { at, list, shape, wire } from "#platform/http/contract/wire.ts";
import {
  choice,
  idOf,
  line,
  nameGiven,
  nullable,
  object,
  optional,
  VISIBLE,
  whole,
} from "#platform/http/contract/words.ts";

import { amountsGiven, amountsWire } from "../amounts-schema.ts";
import type { ShippingRateFilters } from "../lookups.ts";
import { rateKinds, type Tier } from "../shipping-values.ts";
import type { NewShippingRate } from "./create-shipping-rate.ts";
import type { ShippingRate, ShippingRateInput } from "./rate.ts";

const NAME_LENGTH_MAX = 200;
const TIERS_MAX = 50;
const DAYS_MAX = 365;

const kind = choice(rateKinds, {
  description:
    "What the tiers count: nothing, the price of the goods after discounts, or their weight.",
});
const from = whole(0, MAX_AMOUNT_MINOR, {
  description:
    "Grams (`by_weight`), or minor units of the currency of the amount (`by_price`). A tier applies up to the next one; below the first, the rate is not offered. A `flat` rate has one tier, from 0.",
});
const freeOver = {
  description:
    "The price of the goods after discounts from which shipping is free. One per currency.",
};
const active = Type.Boolean({ description: "Whether the rate is offered." });

const tierShape = shape<Tier>()({ from, amounts: amountsWire });

export const shippingRateWire = wire<ShippingRate>()("ShippingRate", {
  id: idOf("shippingRate"),
  zone_id: idOf("shippingZone"),
  name: line(NAME_LENGTH_MAX),
  kind,
  tiers: list(tierShape),
  free_over: amountsWire,
  min_days: nullable(whole(0)),
  max_days: nullable(whole(0)),
  active,
  version: whole(1),
  created_at: at,
  updated_at: at,
});

const zoneId = idOf("shippingZone");
const name = nameGiven(NAME_LENGTH_MAX, { ...VISIBLE, description: "As customers read it." });
const tiers = Type.Array(object({ from, amounts: amountsGiven({ minItems: 1 }) }), {
  minItems: 1,
  maxItems: TIERS_MAX,
  description: "Ascending by `from`. The rate is offered in the currencies of its amounts.",
});
const more = {
  free_over: optional(amountsGiven(freeOver)),
  min_days: optional(nullable(whole(0, DAYS_MAX))),
  max_days: optional(nullable(whole(0, DAYS_MAX))),
  active: optional(active),
};

export const newShippingRateSchema = object({ zone_id: zoneId, name, kind, tiers, ...more });

export const shippingRateChangeSchema = object({
  zone_id: optional(zoneId),
  name: optional(name),
  kind: optional(kind),
  tiers: optional(tiers),
  ...more,
});

export const shippingRateQuerySchema = object({ zone_id: optional(zoneId) });

/** Reads a new rate from a request body. */
export function readNewRate(body: Static<typeof newShippingRateSchema>): NewShippingRate {
  return { ...readRateChange(body), zoneId: body.zone_id, name: body.name, kind: body.kind };
}

/** Reads a change of a rate from a request body. */
export function readRateChange(body: Static<typeof shippingRateChangeSchema>): ShippingRateInput {
  return {
    zoneId: body.zone_id,
    name: body.name,
    kind: body.kind,
    tiers: body.tiers,
    freeOver: body.free_over,
    minDays: body.min_days,
    maxDays: body.max_days,
    active: body.active,
  };
}

/** The filters of a list. */
export function readRateQuery(query: Static<typeof shippingRateQuerySchema>): ShippingRateFilters {
  return { zoneId: query.zone_id };
}
