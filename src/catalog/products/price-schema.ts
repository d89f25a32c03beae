// Prices of variants on the wire.

import Type, { type Static } from "typebox";

import type { Price } from "#catalog/rows/column-types.ts";
import type { PriceInput } from "#catalog/rows/variant.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import { added, amountOrNullOf, from, inBothUnits, wire } from "#platform/http/contract/wire.ts";
import {
  amountGiven,
  component,
  currency,
  nullable,
  optional,
  whole,
} from "#platform/http/contract/words.ts";

/** A price in a response. */
export const priceWire = wire<Price>()(
  "Price",
  publicFields({
    currency,
    ...inBothUnits("amount", (price: Price) => price.amountMinor, added),
    compare_at: amountOrNullOf((price: Price) => price.compareAtMinor),
    compare_at_minor: added(from((price: Price) => price.compareAtMinor, nullable(whole(0)))),
  }),
);

const priceGiven = component(
  "PriceInput",
  {
    currency: optional(currency),
    amount: amountGiven,
    compare_at: optional(nullable(amountGiven)),
  },
  { "x-money": { amount: "currency", compare_at: "currency" } },
);

/** The prices of a variant in a request, one per currency. */
export const pricesGiven = Type.Array(priceGiven, { maxItems: 20 });

/** Reads a price from a request body. */
export function readPrice({
  currency: given,
  amount,
  compare_at: compareAt = null,
}: Static<typeof priceGiven>): PriceInput {
  return { currency: given, amount, compareAt };
}
