// The discounts, taxes and shipping of a sale on the wire, of a cart and of an order.

import Type, { type Static } from "typebox";

import { imageShape } from "#catalog/media/schema.ts";
import { optionValues } from "#catalog/products/schema.ts";
import { pictureOf, type ShownVariant } from "#catalog/rows/variant.ts";
import { addressWire } from "#customers/schema.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import { percentOf } from "#kernel/money.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import {
  added,
  amountOf,
  from,
  inBothUnits,
  keepingText,
  list,
  orNull,
  shape,
} from "#platform/http/contract/wire.ts";
import {
  amountGiven,
  choice,
  component,
  identifying,
  idOf,
  line,
  nullable,
  optional,
  percent,
  whole,
} from "#platform/http/contract/words.ts";
import { notAppliedReasons, type TaxLine } from "#pricing/calculation/sale.ts";
import { type CodeReason, codeReasons } from "#pricing/discount-uses/discount-use.ts";
import { foldCode } from "#pricing/discounts/discount-code.ts";
import { discountTarget } from "#pricing/discounts/schema.ts";
import type { ShippingRequest } from "#pricing/shipping/shipping-charge.ts";

import {
  type Breakdown,
  type DiscountLine,
  effectiveDiscounts,
  includedTaxOf,
  includedTaxOfLine,
} from "./breakdown.ts";
import type { RejectedCode } from "./quote-sale.ts";
import type { QuotedOption } from "./shipping-choice.ts";

const textOrNull = nullable(Type.String());

/** Codes of one sale. */
const CODES_MAX = 5;

const codeGiven = line(60, identifying);

/** The codes of discounts in a request; `unmet` says what becomes of those that do not apply. */
export function codesGiven(unmet: string) {
  const description = `Codes of discounts, in any case. ${unmet}`;
  return Type.Array(codeGiven, { maxItems: CODES_MAX, description });
}

/** The codes of a request as they were typed; each counts once. */
export function readCodesGiven(given: readonly string[]): string[] {
  return [...new Map(given.map((typed) => [foldCode(typed), typed])).values()];
}

/** A line with what is shown of its variant beside the name. */
interface ShownLine {
  readonly shown: ShownVariant | null;
}

/** The parts of its variant that a line shows, of a cart or of an order. */
export const shownFields = publicFields({
  product_slug: added(from(({ shown }: ShownLine) => shown?.slug ?? null, textOrNull)),
  variant_title: added(
    from(
      ({ shown }: ShownLine) => shown?.title ?? null,
      nullable(Type.String({ description: "Null for the default variant." })),
    ),
  ),
  options: added(from(({ shown }: ShownLine) => shown?.options ?? {}, optionValues)),
  image: added(from(({ shown }: ShownLine) => pictureOf(shown), orNull(imageShape))),
});

/** The shipping in a request, of a cart or of an order. */
export const shippingGiven = nullable(
  component(
    "ShippingInput",
    {
      ...publicFields({
        rate_id: optional(idOf("shippingRate")),
        pickup_location_id: optional(idOf("pickupLocation")),
      }),
      label: optional(nullable(line(100))),
      amount: optional(
        Type.Union(amountGiven.anyOf, {
          description:
            "A charge of the merchant's own, in major units. Needs `orders:write` once the shop has a shipping rate.",
        }),
      ),
    },
    { "x-either": [["rate_id"], ["pickup_location_id"], ["amount", "label?"]] },
  ),
);

/** Reads the shipping of a request; null and undefined stay as they are. */
export function readShippingGiven(
  given: Static<typeof shippingGiven> | undefined,
): ShippingRequest | null | undefined {
  if (given === undefined || given === null) return given;
  const optionId = given.rate_id ?? given.pickup_location_id;
  if (optionId !== undefined) return { optionId };
  // The check of `x-either` comes before.
  if (given.amount === undefined) throw new Error("The shipping names nothing.");
  return { label: given.label ?? null, amount: given.amount };
}

/** A part of a sale with the currency of the sale. */
type In<T> = T & { readonly currency: CurrencyCode };

const inCurrency = <T>(parts: readonly T[], currency: CurrencyCode): In<T>[] =>
  parts.map((part) => ({ ...part, currency }));

/** The part of the breakdown that a sale shows, in answers and events. */
export interface SaleView {
  readonly breakdown: Breakdown | null;
  readonly currency: CurrencyCode;
}

const TAXABLE =
  "What is taxed, after discounts. Where `included` is true, it contains all taxes of its class.";

type Taxed = Omit<TaxLine, "byLine" | "shipping">;

const taxLineShape = shape<In<Taxed>>()(
  publicFields({
    name: from(({ rate }: Taxed) => rate.name, Type.String()),
    rate: from(({ rate }: Taxed) => percentOf(rate.millionths), percent),
    country: from(({ rate }: Taxed) => rate.country, Type.String()),
    region: from(({ rate }: Taxed) => rate.region, textOrNull),
    tax_class: Type.String(),
    included: from((tax: Taxed) => tax.isIncluded, Type.Boolean()),
    taxable: amountOf((tax: In<Taxed>) => tax.taxableMinor),
    taxable_minor: from(
      (tax: Taxed) => tax.taxableMinor,
      whole(0, undefined, { description: TAXABLE }),
    ),
    ...inBothUnits("amount", (tax: In<Taxed>) => tax.amountMinor),
  }),
  { name: "TaxLine" },
);

/** The taxes of a sale. */
export const taxLines = keepingText(
  ["breakdown", "currency"],
  from(
    ({ breakdown, currency }: SaleView) => inCurrency(breakdown?.taxes ?? [], currency),
    list(taxLineShape),
  ),
);

/** The taxes in a part of a sale, with the currency of the sale. */
export interface PartTaxes {
  readonly taxes: readonly Taxed[];
  readonly currency: CurrencyCode;
}

/** The taxes in a part of a sale: those of which it has something. */
export const taxLinesOfPart = taxLinesOf(({ taxes }: PartTaxes) => taxes);

/** The taxes in another part of the row. */
export function taxLinesOf<Row extends Pick<PartTaxes, "currency">>(
  taxesOf: (row: Row) => PartTaxes["taxes"],
) {
  return from(
    (row: Row) =>
      inCurrency(
        taxesOf(row).filter(({ taxableMinor, amountMinor }) => taxableMinor + amountMinor > 0),
        row.currency,
      ),
    list(taxLineShape),
  );
}

const discountFields = {
  discount_id: nullable(idOf("discount")),
  code: textOrNull,
  title: Type.String(),
  target: discountTarget,
  ...inBothUnits("amount", (one: In<DiscountLine>) => one.amountMinor),
};

interface IndexedShare {
  readonly lineItemIndex: number;
  readonly amountMinor: number;
}

/** The discounts of a cart, whose lines have no ids. */
export const cartDiscounts = from(
  ({ breakdown, currency }: SaleView) => inCurrency(effectiveDiscounts(breakdown), currency),
  list(
    shape<In<DiscountLine>>()(
      publicFields({
        ...discountFields,
        allocations: from(
          ({ byLine }: DiscountLine): IndexedShare[] =>
            byLine.flatMap((amountMinor, lineItemIndex) =>
              amountMinor === 0 ? [] : [{ lineItemIndex, amountMinor }],
            ),
          list(
            shape<IndexedShare>()(
              publicFields({ line_item_index: whole(0), amount_minor: whole(0) }),
              { name: "CartDiscountShare" },
            ),
          ),
        ),
      }),
      { name: "CartDiscount" },
    ),
  ),
);

interface NamedShare {
  readonly lineItemId: Id<"lineItem">;
  readonly amountMinor: number;
}

/** A sale whose lines have ids. */
export interface SoldView extends SaleView {
  readonly lines: readonly { readonly id: Id<"lineItem">; readonly position: number }[];
}

interface DiscountOfOrder extends In<DiscountLine> {
  readonly lines: SoldView["lines"];
}

const discountOfOrder = shape<DiscountOfOrder>()(
  publicFields({
    ...discountFields,
    allocations: from(
      ({ byLine, lines }: DiscountOfOrder): NamedShare[] =>
        lines.flatMap(({ id: lineItemId, position }) => {
          const amountMinor = byLine[position] ?? 0;
          return amountMinor === 0 ? [] : [{ lineItemId, amountMinor }];
        }),
      list(
        shape<NamedShare>()(
          publicFields({ line_item_id: idOf("lineItem"), amount_minor: whole(0) }),
          { name: "DiscountShare" },
        ),
      ),
    ),
  }),
  { name: "AppliedDiscount" },
);

/** The discounts of an order. */
export const orderDiscounts = keepingText(
  ["breakdown", "currency", "lines"],
  from(
    ({ breakdown, currency, lines }: SoldView): DiscountOfOrder[] =>
      effectiveDiscounts(breakdown).map((one) => ({ ...one, currency, lines })),
    list(discountOfOrder),
  ),
);

/** An amount twice, where both members came after events had been recorded. */
export function addedInBothUnits<N extends string, Row extends { readonly currency: CurrencyCode }>(
  name: N,
  minorOf: (row: Row) => number,
) {
  return { ...inBothUnits(name, minorOf, added), [name]: added(amountOf(minorOf)) };
}

/** The tax inside the prices and what discounts take off the shipping, beside the totals. */
export const furtherTotals = {
  ...inBothUnits("included_tax_total", ({ breakdown }: SaleView) => includedTaxOf(breakdown)),
  ...inBothUnits(
    "shipping_discount_total",
    ({ breakdown }: SaleView) => breakdown?.shipping.discountMinor ?? 0,
  ),
};

/** The same in events. */
export const furtherTotalsAdded = {
  included_tax_total: added(furtherTotals.included_tax_total),
  included_tax_total_minor: added(furtherTotals.included_tax_total_minor),
  shipping_discount_total: added(furtherTotals.shipping_discount_total),
  shipping_discount_total_minor: added(furtherTotals.shipping_discount_total_minor),
};

/** A line with the breakdown of its sale. */
export interface LineOfSale extends SaleView {
  readonly position: number;
}

/** The amounts of a line that no column has. */
export const includedTaxOfLineFields = addedInBothUnits(
  "included_tax_total",
  ({ breakdown, position }: LineOfSale) => includedTaxOfLine(breakdown, position),
);

const rejectionReasons = [...new Set([...codeReasons, ...notAppliedReasons])];

/** A cart tells a stranger nothing of its customer: the code is for customers that the shop knows. */
const told = {
  customer_not_eligible: "customer_required",
  used_by_customer: "customer_required",
} as const satisfies Partial<Record<CodeReason, CodeReason>>;

/** The codes that take nothing off, with the reasons. */
export const rejectedCodes = list(
  shape<RejectedCode>()(
    {
      ...publicFields({ code: Type.String() }),
      ...publicFields({ reason: choice(rejectionReasons) }, { told }),
    },
    { name: "RejectedCode" },
  ),
);

const optionShape = shape<In<QuotedOption>>()(
  publicFields({
    id: Type.String(),
    kind: choice(["rate", "pickup"]),
    label: Type.String(),
    description: textOrNull,
    ...inBothUnits("amount", (option: In<QuotedOption>) => option.amountMinor),
    min_days: nullable(whole(0)),
    max_days: nullable(whole(0)),
    address: orNull(addressWire),
  }),
  { name: "ShippingOption" },
);

/** The shipping options of a cart. */
export const shippingOptions = from(
  ({ options, currency }: { options: readonly QuotedOption[]; currency: CurrencyCode }) =>
    inCurrency(options, currency),
  list(optionShape),
);
