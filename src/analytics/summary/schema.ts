// The summary on the wire. Each amount is in major units, with its minor units in a second field. A
// block has amounts of one currency only.

import Type, { type Static } from "typebox";

import {
  amount,
  channelName,
  choice,
  component,
  currency,
  instant,
  line,
  nullable,
  object,
  optional,
  percent,
  whole,
} from "#platform/http/contract/words.ts";
import { paymentMethod } from "#shop/store/schema.ts";

import { intervals } from "./calendar.ts";

const timezone = line(64, {
  description: "An IANA name such as Africa/Accra; the shop's time zone by default.",
});
const moment = line(40, {
  description:
    "A day in the time zone (2026-01-31) or an instant. The period is widened to whole quarters of an hour.",
});

const periodQuery = {
  from: optional(moment),
  to: optional({ ...moment, description: "The end of the period, exclusive." }),
  timezone: optional(timezone),
  interval: optional(choice(intervals)),
  currency: optional(currency),
  channel: optional(channelName),
};
export const seriesQuerySchema = object(periodQuery);
export const summaryQuerySchema = object({
  ...periodQuery,
  compare: optional(choice(["previous_period"])),
});

const rateSchema = Type.Number({ description: "A ratio: 0.25 is a quarter." });
const percentSchema = nullable(
  Type.Number({ description: "The change in percent; null if the previous value was 0." }),
);

const ordersSchema = component("SalesOrders", {
  placed: whole(0),
  paid: whole(0),
  fulfilled: whole(undefined, undefined, {
    description:
      "Orders that were shipped as a whole; below 0 where more of earlier days were recorded by mistake.",
  }),
  cancelled: whole(0, undefined, { description: "Cancelled orders, without expired ones." }),
  expired: whole(0),
});

const revenueSchema = component("Revenue", {
  gross: amount,
  gross_minor: whole(),
  discounts: amount,
  discounts_minor: whole(),
  refunds: amount,
  refunds_minor: whole(),
  net: amount,
  net_minor: whole(),
  shipping: amount,
  shipping_minor: whole(),
  tax: amount,
  tax_minor: whole(),
  included_tax: amount,
  included_tax_minor: whole(undefined, undefined, {
    description: "The tax that the prices contain, which is part of net and shipping.",
  }),
  refunded_tax: amount,
  refunded_tax_minor: whole(undefined, undefined, {
    description: "The tax in `refunds`, on top of prices and within them.",
  }),
  kept: amount,
  kept_minor: whole(undefined, undefined, {
    description:
      "What is kept of the money for goods that were never sold, with its taxes, less what of it was refunded.",
  }),
  total: amount,
  total_minor: whole(undefined, undefined, { description: "`net + shipping + tax + kept`." }),
  written_off: amount,
  written_off_minor: whole(undefined, undefined, {
    description:
      "What the merchant gave up of amounts due, less what late money and goods that went back took back. It is not subtracted from the other figures, but what sold goods took back is part of `refunds`.",
  }),
  written_off_of_sales: amount,
  written_off_of_sales_minor: whole(undefined, undefined, {
    description:
      "The part of what was written off that had been sold: it counts once `order.paid` was announced.",
  }),
});

const customersSchema = component("SalesCustomers", { new: whole(0), returning: whole(0) });

const cartsSchema = component("SalesCarts", {
  started: whole(0),
  abandoned: whole(0),
  abandoned_discounted: whole(0, undefined, {
    description: "Those of them whose goods were reduced by a discount.",
  }),
  recovered: whole(0),
  abandonment_rate: nullable(rateSchema),
  recovered_revenue: amount,
  recovered_revenue_minor: whole(),
});

const paymentFigures = {
  attempts: whole(0),
  succeeded: whole(0),
  failed: whole(0),
  success_rate: nullable(rateSchema),
};
const medianSchema = nullable(
  whole(0, undefined, {
    description: "From the attempt to the payment; exact below 64 seconds, otherwise within 1.6 %.",
  }),
);
const providerSchema = object({
  payment_method: paymentMethod,
  provider: nullable(Type.String()),
  ...paymentFigures,
});
const paymentsSchema = object({
  ...paymentFigures,
  median_seconds_to_pay: medianSchema,
  by_provider: Type.Array(providerSchema),
  by_failure_code: Type.Array(object({ failure_code: Type.String(), count: whole(0) })),
});

const totals = {
  orders: ordersSchema,
  units: whole(0),
  revenue: revenueSchema,
  average_order_value: nullable(amount),
  average_order_value_minor: nullable(whole()),
  customers: customersSchema,
  carts: cartsSchema,
};

export const previousSchema = component("SalesOfPreviousPeriod", {
  ...totals,
  payments: object({ ...paymentFigures, median_seconds_to_pay: medianSchema }),
});

export const changeSchema = component("SalesChange", {
  orders_placed: percentSchema,
  orders_paid: percentSchema,
  units: percentSchema,
  gross: percentSchema,
  net: percentSchema,
  total: percentSchema,
  average_order_value: percentSchema,
  new_customers: percentSchema,
  returning_customers: percentSchema,
  carts_abandoned: percentSchema,
  recovered_revenue: percentSchema,
  payment_attempts: percentSchema,
});

const pointSchema = component("SalesPoint", {
  start: instant,
  label: Type.String({
    description: "The day, the Monday, the month, or the hour with its offset.",
  }),
  placed: whole(0),
  orders: whole(0, undefined, { description: "Paid orders." }),
  units: whole(0),
  gross: amount,
  gross_minor: whole(),
  net: amount,
  net_minor: whole(),
  total: amount,
  total_minor: whole(),
});

const sold = {
  units: whole(0),
  gross: amount,
  gross_minor: whole(),
  net: amount,
  net_minor: whole(),
};
export const topProductSchema = component("TopProduct", {
  product_id: Type.String(),
  name: nullable(Type.String()),
  ...sold,
});
export const topVariantSchema = component("TopVariant", {
  variant_id: Type.String(),
  product_id: nullable(Type.String()),
  sku: nullable(Type.String()),
  name: nullable(Type.String()),
  ...sold,
});
export const discountTotalSchema = component("DiscountTotal", {
  discount_id: nullable(Type.String()),
  code: nullable(Type.String()),
  title: nullable(
    Type.String({
      description: "Null for the discounts that the merchant gave single sales, which are one row.",
    }),
  ),
  orders: whole(0),
  amount,
  amount_minor: whole(),
  net: amount,
  net_minor: whole(undefined, undefined, {
    description: "The net sales of the orders with the discount, before refunds.",
  }),
});
export const taxTotalSchema = component("TaxTotal", {
  name: Type.String(),
  rate: percent,
  country: Type.String(),
  region: nullable(Type.String()),
  included: Type.Boolean({ description: "Whether the prices contain the tax." }),
  taxable: amount,
  taxable_minor: whole(undefined, undefined, { description: "With the tax, if it is included." }),
  tax: amount,
  tax_minor: whole(undefined, undefined, { description: "The tax of the sales, before refunds." }),
  refunded_taxable: amount,
  refunded_taxable_minor: whole(),
  refunded: amount,
  refunded_minor: whole(undefined, undefined, {
    description: "The tax in `refunds`, and in what is kept no more.",
  }),
});

const blockSchema = component("SalesOfCurrency", {
  currency,
  ...totals,
  payments: paymentsSchema,
  series: Type.Array(pointSchema),
  top_products: object({
    by_net: Type.Array(topProductSchema),
    by_units: Type.Array(topProductSchema),
  }),
  top_variants: object({
    by_net: Type.Array(topVariantSchema),
    by_units: Type.Array(topVariantSchema),
  }),
  by_channel: Type.Array(
    object({
      channel: Type.String(),
      orders: whole(0),
      ...sold,
      total: amount,
      total_minor: whole(),
    }),
  ),
  by_payment_method: Type.Array(
    object({ payment_method: paymentMethod, orders: whole(0), ...sold }),
  ),
  discounts: Type.Array(discountTotalSchema, {
    description: "The 100 discounts and codes that take the most off.",
  }),
  taxes: Type.Array(taxTotalSchema, {
    description:
      "The taxes of the period by rate. Orders that were paid before the shop had taxes have none.",
  }),
  previous: nullable(previousSchema),
  change: nullable(changeSchema),
});

const asOfSchema = component(
  "SalesAsOf",
  {
    sequence: whole(0),
    behind: whole(0, undefined, {
      description:
        "Events that are not counted yet; above 0 only while the database accepts no writes.",
    }),
  },
  { description: "The last counted event." },
);
const spanSchema = object({ from: instant, to: instant });
const periodFields = {
  from: instant,
  to: instant,
  timezone: Type.String(),
  interval: choice(intervals),
  channel: nullable(Type.String()),
};

export const summarySchema = component("SalesSummary", {
  ...periodFields,
  previous_period: nullable(spanSchema),
  basis: object(
    { sales: choice(["paid_at"]), refunds: choice(["refunded_at"]), other: choice(["event"]) },
    { description: "The date by which each kind of figure counts." },
  ),
  as_of: asOfSchema,
  currencies: Type.Array(blockSchema),
});

export const seriesSchema = component("SalesSeries", {
  ...periodFields,
  as_of: asOfSchema,
  currencies: Type.Array(object({ currency, series: Type.Array(pointSchema) })),
});

export type WireSeries = Static<typeof seriesSchema>;
export type WireSummary = Static<typeof summarySchema>;
export type WireBlock = Static<typeof blockSchema>;
export type WirePrevious = Static<typeof previousSchema>;
export type WireChange = Static<typeof changeSchema>;
