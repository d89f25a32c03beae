// A line of a cart on the wire.

import Type from "typebox";

import { PUBLIC_STOCK } from "#catalog/rows/inventory.ts";
import { SENT_NAMES } from "#kernel/metadata.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import { added, amountOrNullOf, from, wire } from "#platform/http/contract/wire.ts";
import { idOf, lineMetadata, namedChoice, nullable, whole } from "#platform/http/contract/words.ts";

import { discountOfLine, taxOfLine } from "./breakdown.ts";
import type { LineProblem, QuotedLine } from "./price-cart.ts";
import {
  addedInBothUnits,
  includedTaxOfLineFields,
  type LineOfSale,
  shownFields,
} from "./schema.ts";

const lineProblem = namedChoice<LineProblem>(
  { name: "LineProblem", about: "Why a line cannot be sold now." },
  {
    unknown_variant: "The variant is gone.",
    variant_not_for_sale: "The product is not for sale.",
    price_missing: "It has no price in the currency of the cart.",
    insufficient_stock: "There are fewer units than the line has.",
    amount_too_large: "The amount is larger than can be counted.",
  },
);

const textOrNull = nullable(Type.String());
const minorOrNull = nullable(whole(0));

/** A line with what its cart has of it. */
export type LineOfCart = QuotedLine & LineOfSale;

export const lineWire = wire<LineOfCart>()("CartLine", {
  ...publicFields({
    id: added(idOf("cartLine")),
    variant_id: idOf("variant"),
    product_id: nullable(idOf("product")),
    product_slug: shownFields.product_slug,
    sku: textOrNull,
    name: textOrNull,
    variant_title: shownFields.variant_title,
    options: shownFields.options,
    image: shownFields.image,
    quantity: whole(1),
    unit_price: amountOrNullOf((line: LineOfCart) => line.unitPriceMinor),
    unit_price_minor: minorOrNull,
    subtotal: added(amountOrNullOf(subtotalOf)),
    subtotal_minor: added(from(subtotalOf, minorOrNull)),
    ...addedInBothUnits("discount_total", ({ breakdown, position }: LineOfSale) =>
      discountOfLine(breakdown, position),
    ),
    ...addedInBothUnits("tax_total", ({ breakdown, position }: LineOfSale) =>
      taxOfLine(breakdown, position),
    ),
    ...includedTaxOfLineFields,
    total: amountOrNullOf(totalOf),
    total_minor: from(totalOf, minorOrNull),
  }),
  ...publicFields(
    { available: nullable(whole(0, undefined, { description: "Null if stock is unlimited." })) },
    PUBLIC_STOCK,
  ),
  ...publicFields({ problem: nullable(lineProblem) }),
  ...publicFields({ metadata: added(lineMetadata) }, { names: SENT_NAMES }),
});

/** Price times quantity; null where the line cannot be sold. A quote of the line alone has no other total. */
function subtotalOf({ totalMinor }: LineOfCart): number | null {
  return totalMinor;
}

/** Adds up as the line of an order does: the subtotal less the discount, and the tax on top. */
function totalOf({ totalMinor, breakdown, position }: LineOfCart): number | null {
  if (totalMinor === null) return null;
  return totalMinor - discountOfLine(breakdown, position) + taxOfLine(breakdown, position);
}
