// Shipping rates: what the shop asks for sending goods to a zone.

import Type from "typebox";

import { MAX_AMOUNT_MINOR } from "#kernel/money.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { field } from "#platform/http/contract/resource.ts";
import { settingsResource } from "#platform/http/contract/settings-resource.ts";
import { at, inBothUnits, list, shape, wire } from "#platform/http/contract/wire.ts";
import {
  amountGiven,
  choice,
  component,
  currency,
  idOf,
  line,
  metadata,
  nullable,
  whole,
} from "#platform/http/contract/words.ts";
import { lockPriceTerms } from "#shop/store/price-terms.ts";

import { type CurrencyAmount, rateKinds, readAmounts, type Tier } from "./amounts.ts";
import { checkRate } from "./rate.ts";
import { shippingRates as table } from "./tables.ts";
import { shippingZones } from "./zone-schema.ts";

const CURRENCIES_MAX = 20;

const amountWire = wire<CurrencyAmount>()("CurrencyAmount", {
  currency,
  ...inBothUnits("amount", (one: CurrencyAmount) => one.amountMinor),
});

/** Amounts in a response. */
export const amountsWire = list(amountWire);

const amountInput = component("CurrencyAmountInput", { currency, amount: amountGiven });

/** Amounts in a request, at most one per currency. */
export function amountsGiven(options: object = {}) {
  return Type.Array(amountInput, { maxItems: CURRENCIES_MAX, ...options });
}

/** Rates of a zone: a customer chooses among them. */
const RATES_PER_ZONE_MAX = 50;
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
const freeOverGiven = amountsGiven({
  description:
    "The price of the goods after discounts from which shipping is free. One per currency.",
});
const active = Type.Boolean({ description: "Whether the rate is offered." });

const zoneId = idOf("shippingZone");
const days = nullable(whole(0));
const daysGiven = nullable(whole(0, DAYS_MAX));
const tiersGiven = Type.Array(
  component("ShippingTierInput", { from, amounts: amountsGiven({ minItems: 1 }) }),
  {
    minItems: 1,
    maxItems: TIERS_MAX,
    description: "Ascending by `from`. The rate is offered in the currencies of its amounts.",
  },
);
const tierShape = shape<Tier>()({ from, amounts: amountsWire }, { name: "ShippingTier" });

export const shippingRates = settingsResource(
  table,
  {
    id: idOf("shippingRate"),
    zone_id: field(zoneId, { given: zoneId }),
    name: field(line(NAME_LENGTH_MAX), {
      given: line(NAME_LENGTH_MAX, { description: "As customers read it." }),
    }),
    kind: field(kind, { given: kind }),
    tiers: field(list(tierShape), {
      given: tiersGiven,
      read: (given, { pointer, faults }) =>
        given.map((tier, index) => ({
          from: tier.from,
          amounts: readAmounts(tier.amounts, { pointer: `${pointer}/${index}/amounts`, faults }),
        })),
    }),
    free_over: field(amountsWire, { given: freeOverGiven, read: readAmounts, initially: [] }),
    min_days: field(days, { given: daysGiven, initially: null }),
    max_days: field(days, { given: daysGiven, initially: null }),
    active: field(active, { given: active, initially: true }),
    metadata: field(metadata, { given: metadata, initially: {} }),
    version: whole(1),
    created_at: at,
    updated_at: at,
  },
  {
    kind: "shippingRate",
    notFound: defineRefusal(
      "shipping_rate_not_found",
      "not_found",
      "There is no such shipping rate.",
    ),
    path: "/v2/shipping-rates",
    tag: "Shipping",
    scope: "shipping",
    says: {
      create:
        "A rate is offered to the addresses of its zone, in the currencies of its amounts, where a tier has the price or the weight of the goods.",
      update:
        "Only the fields in the request change; lists are replaced as a whole. Orders keep what they were charged.",
      remove: "Orders keep the label and the amount of their shipping.",
    },
    limit: {
      of: "zone_id",
      most: RATES_PER_ZONE_MAX,
      refusal: defineRefusal("shipping_rate_limit", "conflict", {
        title: `A shipping zone has at most ${RATES_PER_ZONE_MAX} rates.`,
        cause: "The zone already has as many rates as a zone can have.",
        remedy: "Delete rates that are no longer needed.",
      }),
    },
    /** The zone is there as long as the rate is written. */
    lock: async (tx, { zone_id: id }, faults) => {
      await lockPriceTerms(tx);
      if (id === undefined || (await shippingZones.rows.findLocked(tx, id)) !== undefined) return;
      faults.add("/zone_id", "unknown_shipping_zone", "There is no such shipping zone.");
    },
    check: (_, rate, faults) => {
      checkRate(rate, faults);
    },
  },
);
