// A summary on the wire.

import type { Static } from "typebox";

import {
  averageMinor,
  changePercent,
  type Figures,
  isAnything,
  netMinor,
  rate,
  totalMinor,
} from "#analytics/figures.ts";
import { readDiscountName, readTaxName } from "#analytics/price-names.ts";
import { SLOT_MS, type Span } from "#analytics/slots.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { inBounds } from "#kernel/money.ts";
import { type PaymentMethod, paymentMethods } from "#kernel/payment-method.ts";
import { toIso } from "#kernel/time.ts";
import { printAmount } from "#platform/http/contract/wire.ts";

import type { ProviderTotal, TaxTotal } from "./breakdown.ts";
import { labelOf } from "./calendar.ts";
import type { Period } from "./period.ts";
import type { NameRow } from "./queries.ts";
import type { PartTotal } from "./ranking.ts";
import type { Block, ChannelTotal, Totals } from "./read-block.ts";
import type {
  discountTotalSchema,
  taxTotalSchema,
  topProductSchema,
  topVariantSchema,
  WireBlock,
  WireChange,
  WirePrevious,
  WireSeries,
  WireSummary,
} from "./schema.ts";
import type { SalesSeries, Summary } from "./summarize-sales.ts";

type Names = ReadonlyMap<number, NameRow>;

/** The whole response. */
export function presentSummary(summary: Summary): WireSummary {
  const { period } = summary;
  return {
    ...presentTerms(summary),
    previous_period: period.previous === null ? null : presentSpan(period.previous),
    basis: { sales: "paid_at", refunds: "refunded_at", other: "event" },
    as_of: presentBacklog(summary.backlog),
    currencies: summary.blocks.map((block) => presentBlock(block, period, summary.names)),
  };
}

/** The points of a period alone. */
export function presentSeries(sales: SalesSeries): WireSeries {
  return {
    ...presentTerms(sales),
    as_of: presentBacklog(sales.backlog),
    currencies: sales.blocks.map((block) => ({
      currency: block.currency,
      series: presentPoints(block, sales.period),
    })),
  };
}

function presentTerms({ period, channel }: Pick<Summary, "period" | "channel">) {
  return {
    ...presentSpan(period),
    timezone: period.timezone,
    interval: period.interval,
    channel,
  };
}

function presentBacklog({ sequence, behind }: Summary["backlog"]) {
  return { sequence, behind };
}

function presentPoints({ currency, series }: Pick<Block, "currency" | "series">, period: Period) {
  return series.map((figures, index) => ({
    start: toIso((period.points[index]?.from ?? 0) * SLOT_MS),
    label: labelOf(period.points[index]?.from ?? 0, period),
    placed: figures.placed,
    ...presentSales(figures, currency),
  }));
}

function presentSpan({ from, to }: Span) {
  return { from: toIso(from * SLOT_MS), to: toIso(to * SLOT_MS) };
}

function presentBlock(block: Block, period: Period, names: Names): WireBlock {
  const { currency, breakdown, previous } = block;
  const { variants, products } = breakdown;
  const product = (total: PartTotal) => presentProduct(total, currency, names);
  const variant = (total: PartTotal) => presentVariant(total, currency, names);
  return {
    currency,
    ...presentTotals(block, currency),
    payments: {
      ...presentAttempts(block.figures),
      median_seconds_to_pay: block.medianSeconds,
      by_provider: breakdown.providers.map((one) => presentProvider(one, names)),
      by_failure_code: breakdown.failureCodes.map(({ part, count }) => ({
        failure_code: names.get(part)?.name ?? "other",
        count,
      })),
    },
    series: presentPoints(block, period),
    top_products: {
      by_net: products.byNet.map(product),
      by_units: products.byUnits.map(product),
    },
    top_variants: {
      by_net: variants.byNet.map(variant),
      by_units: variants.byUnits.map(variant),
    },
    by_channel: presentChannels(block.channels, currency),
    by_payment_method: breakdown.methods.map((method) => ({
      payment_method: methodNamed(names.get(method.part)?.name),
      orders: method.count,
      ...presentSold(method, currency),
    })),
    discounts: breakdown.discounts.map((one) => presentDiscount(one, currency, names)),
    taxes: breakdown.taxes.map((one) => presentTax(one, currency, names)),
    previous: previous === null ? null : presentPrevious(previous, currency),
    change: previous === null ? null : presentChange(previous, block),
  };
}

function presentTotals({ figures, customers }: Totals, currency: CurrencyCode) {
  const average = averageMinor(figures);
  return {
    orders: {
      placed: figures.placed,
      paid: figures.paid,
      fulfilled: figures.fulfilled,
      cancelled: figures.cancelled,
      expired: figures.expired,
    },
    units: figures.unitsSold,
    revenue: presentRevenue(figures, currency),
    average_order_value: average === null ? null : print(average, currency),
    average_order_value_minor: average,
    customers: { new: customers.fresh, returning: customers.returning },
    carts: {
      started: figures.started,
      abandoned: figures.abandoned,
      abandoned_discounted: figures.abandonedDiscounted,
      recovered: figures.recovered,
      abandonment_rate: rate(figures.abandoned, figures.started),
      recovered_revenue: print(figures.recoveredMinor, currency),
      recovered_revenue_minor: inBounds(figures.recoveredMinor),
    },
  };
}

function presentRevenue(figures: Figures, currency: CurrencyCode) {
  const [net, total] = [netMinor(figures), totalMinor(figures)];
  return {
    gross: print(figures.grossMinor, currency),
    gross_minor: inBounds(figures.grossMinor),
    discounts: print(figures.discountMinor, currency),
    discounts_minor: inBounds(figures.discountMinor),
    refunds: print(figures.refundedMinor, currency),
    refunds_minor: inBounds(figures.refundedMinor),
    net: print(net, currency),
    net_minor: inBounds(net),
    shipping: print(figures.shippingMinor, currency),
    shipping_minor: inBounds(figures.shippingMinor),
    tax: print(figures.taxMinor, currency),
    tax_minor: inBounds(figures.taxMinor),
    included_tax: print(figures.includedTaxMinor, currency),
    included_tax_minor: inBounds(figures.includedTaxMinor),
    refunded_tax: print(figures.refundedTaxMinor, currency),
    refunded_tax_minor: inBounds(figures.refundedTaxMinor),
    kept: print(figures.keptMinor, currency),
    kept_minor: inBounds(figures.keptMinor),
    total: print(total, currency),
    total_minor: inBounds(total),
    written_off: print(figures.writtenOffMinor, currency),
    written_off_minor: inBounds(figures.writtenOffMinor),
    written_off_of_sales: print(figures.writtenOffOfSalesMinor, currency),
    written_off_of_sales_minor: inBounds(figures.writtenOffOfSalesMinor),
  };
}

/** The success rate is of finished attempts only. */
function presentAttempts({ attempts, succeeded, failed }: Omit<ProviderTotal, "part">) {
  return { attempts, succeeded, failed, success_rate: rate(succeeded, succeeded + failed) };
}

function presentProvider(total: ProviderTotal, names: Names) {
  const [method, provider = ""] = (names.get(total.part)?.name ?? "").split(" ");
  return {
    payment_method: methodNamed(method),
    provider: provider === "" ? null : provider,
    ...presentAttempts(total),
  };
}

function presentSales(figures: Figures, currency: CurrencyCode) {
  const total = totalMinor(figures);
  return {
    orders: figures.paid,
    ...presentSold(
      { units: figures.unitsSold, grossMinor: figures.grossMinor, netMinor: netMinor(figures) },
      currency,
    ),
    total: print(total, currency),
    total_minor: inBounds(total),
  };
}

function presentSold(
  { units, grossMinor, netMinor: net }: Pick<PartTotal, "units" | "grossMinor" | "netMinor">,
  currency: CurrencyCode,
) {
  return {
    units,
    gross: print(grossMinor, currency),
    gross_minor: inBounds(grossMinor),
    net: print(net, currency),
    net_minor: inBounds(net),
  };
}

/** Channels with any figures, by net sales; without payment links, which have no channel. */
function presentChannels(channels: readonly ChannelTotal[], currency: CurrencyCode) {
  return channels
    .filter(({ channel, figures }) => channel !== "" && isAnything(figures))
    .toSorted((one, other) => netMinor(other.figures) - netMinor(one.figures))
    .map(({ channel, figures }) => ({ channel, ...presentSales(figures, currency) }));
}

function presentProduct(
  total: PartTotal,
  currency: CurrencyCode,
  names: Names,
): Static<typeof topProductSchema> {
  const known = names.get(total.part);
  return {
    product_id: known?.name ?? "",
    name: known?.title ?? null,
    ...presentSold(total, currency),
  };
}

function presentVariant(
  total: PartTotal,
  currency: CurrencyCode,
  names: Names,
): Static<typeof topVariantSchema> {
  const known = names.get(total.part);
  return {
    variant_id: known?.name ?? "",
    product_id: names.get(total.owner)?.name ?? null,
    sku: known?.sku ?? null,
    name: known?.title ?? null,
    ...presentSold(total, currency),
  };
}

function presentPrevious(totals: Totals, currency: CurrencyCode): WirePrevious {
  return {
    ...presentTotals(totals, currency),
    payments: {
      ...presentAttempts(totals.figures),
      median_seconds_to_pay: totals.medianSeconds,
    },
  };
}

function presentChange(before: Totals, now: Totals): WireChange {
  const change = (value: (of: Totals) => number | null) => changePercent(value(before), value(now));
  return {
    orders_placed: change(({ figures }) => figures.placed),
    orders_paid: change(({ figures }) => figures.paid),
    units: change(({ figures }) => figures.unitsSold),
    gross: change(({ figures }) => figures.grossMinor),
    net: change(({ figures }) => netMinor(figures)),
    total: change(({ figures }) => totalMinor(figures)),
    average_order_value: change(({ figures }) => averageMinor(figures)),
    new_customers: change(({ customers }) => customers.fresh),
    returning_customers: change(({ customers }) => customers.returning),
    carts_abandoned: change(({ figures }) => figures.abandoned),
    recovered_revenue: change(({ figures }) => figures.recoveredMinor),
    payment_attempts: change(({ figures }) => figures.attempts),
  };
}

function methodNamed(name: string | undefined): PaymentMethod {
  const known = paymentMethods.find((method) => method === name);
  if (known === undefined) throw new Error(`The log holds a payment method named ${name}.`);
  return known;
}

// The discounts, the taxes and the amounts of a summary on the wire.

/** A discount and what it took off. */
function presentDiscount(
  { part, count, grossMinor, netMinor: net }: PartTotal,
  currency: CurrencyCode,
  names: Names,
): Static<typeof discountTotalSchema> {
  const known = names.get(part);
  const { discountId, code } = readDiscountName(known?.name ?? "");
  return {
    discount_id: discountId,
    code,
    title: known?.title ?? null,
    orders: count,
    amount: print(grossMinor, currency),
    amount_minor: inBounds(grossMinor),
    net: print(net, currency),
    net_minor: inBounds(net),
  };
}

/** A tax with what was charged and what was refunded. */
function presentTax(
  { part, taxableMinor, taxMinor, refundedTaxableMinor, refundedTaxMinor }: TaxTotal,
  currency: CurrencyCode,
  names: Names,
): Static<typeof taxTotalSchema> {
  const tax = readTaxName(names.get(part)?.name ?? "");
  return {
    name: tax.name,
    rate: tax.rate,
    country: tax.country,
    region: tax.region,
    included: tax.isIncluded,
    taxable: print(taxableMinor, currency),
    taxable_minor: inBounds(taxableMinor),
    tax: print(taxMinor, currency),
    tax_minor: inBounds(taxMinor),
    refunded_taxable: print(refundedTaxableMinor, currency),
    refunded_taxable_minor: inBounds(refundedTaxableMinor),
    refunded: print(refundedTaxMinor, currency),
    refunded_minor: inBounds(refundedTaxMinor),
  };
}

/** The amount in major units, as far as JSON readers keep its digits. */
function print(amountMinor: number, currency: CurrencyCode) {
  return printAmount(inBounds(amountMinor), currency);
}
