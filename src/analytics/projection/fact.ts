// Events as facts that the projection counts. Invariant: a fact names a customer by id only, so erasing
// a customer changes no figure. Triggered test events are no facts.

import type { DiscountName, TaxName } from "#analytics/price-names.ts";
import { type CurrencyCode, isCurrency } from "#kernel/currency.ts";
import { parseAmount } from "#kernel/money.ts";
import { isPrepaid } from "#kernel/payment-method.ts";
import type { LoggedEvent } from "#platform/event-log/event-log.ts";
import {
  isPayload,
  listOf,
  type Payload,
  payloadOf,
  textOf,
  wholeOf,
} from "#platform/event-log/payload.ts";

/** A currency and a channel; the channel of a payment link is "". */
export interface SalesScope {
  readonly currency: CurrencyCode;
  readonly channel: string;
}

/** One line of a sale; amounts are minor units. */
export interface SoldLine {
  readonly variantId: string;
  readonly productId: string;
  readonly sku: string | null;
  readonly name: string;
  readonly units: number;
  readonly grossMinor: number;
  readonly netMinor: number;
}

/** The amount that one discount takes off a sale. */
export interface GivenDiscount extends DiscountName {
  readonly title: string;
  readonly amountMinor: number;
}

/** The amount of one tax of a sale, or of a refund. */
export interface ChargedTax extends TaxName {
  readonly taxableMinor: number;
  readonly amountMinor: number;
}

export interface SaleFigures {
  readonly orderId: string;
  readonly cartId: string | null;
  readonly customerId: string | null;
  readonly method: string;
  readonly grossMinor: number;
  readonly discountMinor: number;
  readonly shippingMinor: number;
  readonly taxMinor: number;
  readonly includedTaxMinor: number;
  readonly refundedMinor: number;
  readonly writtenOffMinor: number;
  readonly lines: readonly SoldLine[];
  readonly discounts: readonly GivenDiscount[];
  readonly taxes: readonly ChargedTax[];
}

/** Money that is kept for goods that were never sold, with its taxes; below zero where it is kept no more. */
export interface KeptMoney {
  readonly keptMinor: number;
  readonly keptTaxes: readonly ChargedTax[];
}

interface PaymentAttempt {
  readonly method: string;
  readonly provider: string | null;
}

export type Fact = { readonly at: number } & (
  | ({
      readonly kind: "placed";
      readonly cartId: string | null;
      readonly isPrepaid: boolean;
    } & SalesScope)
  | ({ readonly kind: "paid" } & SaleFigures & SalesScope)
  | ({ readonly kind: "fulfilled" } & SalesScope)
  | ({ readonly kind: "unfulfilled" } & SalesScope)
  | ({ readonly kind: "cancelled"; readonly isExpired: boolean } & SalesScope)
  | ({
      readonly kind: "written_off";
      readonly writtenOffMinor: number;
      /** The part of it that was sold before. */
      readonly ofSalesMinor: number;
    } & SalesScope)
  | ({ readonly kind: "kept" } & KeptMoney & SalesScope)
  | ({ readonly kind: "reduced"; readonly reducedMinor: number } & Pick<
      SaleFigures,
      "method" | "taxes"
    > &
      SalesScope)
  | ({ readonly kind: "refunded" } & Pick<
      SaleFigures,
      "orderId" | "method" | "refundedMinor" | "taxes"
    > & { readonly kept: KeptMoney } & SalesScope)
  | ({ readonly kind: "checkout" | "recovered"; readonly subject: string } & SalesScope)
  | ({
      readonly kind: "abandoned";
      readonly subject: string;
      readonly isDiscounted: boolean;
    } & SalesScope)
  | ({ readonly kind: "attempted" } & PaymentAttempt & SalesScope)
  | ({ readonly kind: "succeeded"; readonly tookMs: number } & PaymentAttempt & SalesScope)
  | ({ readonly kind: "failed"; readonly failureCode: string } & PaymentAttempt & SalesScope)
  | { readonly kind: "named"; readonly productId: string; readonly name: string }
);

type Base = SalesScope & { readonly at: number };
type ReadFact = (base: Base, data: Payload, event: LoggedEvent) => Fact | null;

const ofCart =
  (kind: "checkout" | "recovered"): ReadFact =>
  (base, _, { subject }) => ({ ...base, kind, subject });

const readers: Readonly<Record<string, ReadFact>> = {
  "order.placed": (base, data) => ({
    ...base,
    kind: "placed",
    cartId: textOf(data, "cart_id"),
    isPrepaid: isPrepaid(textOf(data, "payment_method") ?? ""),
  }),
  "order.paid": (base, data) => ({ ...base, kind: "paid", ...saleOf(data, base.currency) }),
  "order.fulfilled": (base) => ({ ...base, kind: "fulfilled" }),
  "order.cancelled": (base, data) => ({
    ...base,
    kind: "cancelled",
    isExpired: data["cancel_reason"] === "expired",
  }),
  "order.refunded": (base, data) => ({
    ...base,
    kind: "refunded",
    orderId: textOf(data, "order_id") ?? "",
    method: textOf(data, "payment_method") ?? "",
    refundedMinor: wholeOf(data, "sale_refunded_total_minor"),
    taxes: taxesOf(data["refund"]),
    kept: takenKept(keptRefundedOf(data)),
  }),
  // A refund that had been counted and came back to the gateway: less is refunded of the sale.
  "refund.failed": (base, data) => {
    const { undone } = data;
    if (!isPayload(undone)) return null;
    return {
      ...base,
      kind: "refunded",
      orderId: textOf(data, "order_id") ?? "",
      method: textOf(undone, "payment_method") ?? "",
      refundedMinor: wholeOf(undone, "sale_refunded_total_minor"),
      taxes: taxesOf(data["refund"]).map(takenBack),
      kept: keptRefundedOf(data),
    };
  },
  "order.updated": (base, data) => {
    if (data["unfulfilled"] === true) return { ...base, kind: "unfulfilled" };
    const reduction = data["sale_reduction"];
    if (isPayload(reduction)) return { ...base, kind: "reduced", ...reductionOf(data, reduction) };
    const { kept } = data;
    if (isPayload(kept)) return { ...base, kind: "kept", ...keptOf(kept) };
    const writtenOffMinor = wholeOf(data, "written_off_minor");
    const ofSalesMinor = data["written_off_of_sale"] === true ? writtenOffMinor : 0;
    return writtenOffMinor === 0
      ? null
      : { ...base, kind: "written_off", writtenOffMinor, ofSalesMinor };
  },
  "checkout.started": ofCart("checkout"),
  "cart.abandoned": (base, data, { subject }) => ({
    ...base,
    kind: "abandoned",
    subject,
    isDiscounted: wholeOf(data, "discount_total_minor") > 0,
  }),
  "cart.recovered": ofCart("recovered"),
  "payment.initialized": (base, data) => ({ ...base, kind: "attempted", ...attemptOf(data) }),
  "payment.succeeded": (base, data) => ({
    ...base,
    kind: "succeeded",
    ...attemptOf(data),
    tookMs: base.at - Date.parse(textOf(data, "created_at") ?? ""),
  }),
  "payment.failed": (base, data) => ({
    ...base,
    kind: "failed",
    ...attemptOf(data),
    failureCode: textOf(data, "failure_code") ?? textOf(data, "status") ?? "other",
  }),
};
const naming: ReadonlySet<string> = new Set(["product.created", "product.updated"]);

/** The fact in an event; null if the event is not counted. */
export function readFact(event: LoggedEvent): Fact | null {
  const read = readers[event.name];
  const isNaming = naming.has(event.name);
  if (read === undefined && !isNaming) return null;
  const data = payloadOf(event);
  if (data === null) return null;
  const at = event.createdAt;
  if (isNaming) {
    return { at, kind: "named", productId: event.subject, name: textOf(data, "name") ?? "" };
  }
  const place = placeOf(data);
  return read === undefined || place === null ? null : read({ at, ...place }, data, event);
}

function placeOf(data: Payload): SalesScope | null {
  const currency = textOf(data, "currency");
  if (currency === null || !isCurrency(currency)) return null;
  return { currency, channel: textOf(data, "channel") ?? "" };
}

/** Events of older versions have only a total; it then counts as gross. */
function saleOf(data: Payload, currency: CurrencyCode): SaleFigures {
  const isDetailed = typeof data["subtotal_minor"] === "number";
  return {
    orderId: textOf(data, "order_id") ?? "",
    cartId: textOf(data, "cart_id"),
    customerId: customerOf(data["customer"]),
    method: textOf(data, "payment_method") ?? "",
    grossMinor: isDetailed ? wholeOf(data, "subtotal_minor") : minorOf(data, "total", currency),
    discountMinor: wholeOf(data, "discount_total_minor"),
    shippingMinor: wholeOf(data, "shipping_total_minor"),
    taxMinor: wholeOf(data, "tax_total_minor"),
    includedTaxMinor: wholeOf(data, "included_tax_total_minor"),
    refundedMinor: wholeOf(data, "sale_refunded_total_minor"),
    writtenOffMinor: wholeOf(data, "written_off_total_minor"),
    lines: listOf(data, "line_items").map((line) => lineOf(line, currency)),
    discounts: listOf(data, "discounts").map(discountOf),
    taxes: taxesOf(data),
  };
}

function customerOf(customer: unknown): string | null {
  return isPayload(customer) ? textOf(customer, "id") : null;
}

function lineOf(line: Payload, currency: CurrencyCode): SoldLine {
  const units = wholeOf(line, "quantity");
  const grossMinor = wholeOf(line, "unit_price_minor") * units;
  return {
    variantId: textOf(line, "variant_id") ?? "",
    productId: textOf(line, "product_id") ?? "",
    sku: textOf(line, "sku"),
    name: textOf(line, "name") ?? "",
    units,
    grossMinor,
    netMinor: grossMinor - minorOf(line, "discount_total", currency),
  };
}

function discountOf(discount: Payload): GivenDiscount {
  return {
    discountId: textOf(discount, "discount_id"),
    code: textOf(discount, "code"),
    title: textOf(discount, "title") ?? "",
    amountMinor: wholeOf(discount, "amount_minor"),
  };
}

/** The taxes of a sale or of a refund. Events of older versions have none. */
function taxesOf(of: unknown): ChargedTax[] {
  return isPayload(of) ? listOf(of, "tax_lines").map(taxOf) : [];
}

/** Goods of which a part was written off are not sold any more. */
function reductionOf(data: Payload, reduction: Payload) {
  return {
    method: textOf(data, "payment_method") ?? "",
    reducedMinor: wholeOf(reduction, "amount_minor"),
    taxes: taxesOf(reduction),
  };
}

/** The taxes of what is kept no more are told without their sign. */
function keptOf(kept: Payload): KeptMoney {
  const keptMinor = wholeOf(kept, "amount_minor");
  const taxes = taxesOf(kept);
  return { keptMinor, keptTaxes: keptMinor < 0 ? taxes.map(takenBack) : taxes };
}

/** The part of the kept money that is in a refund. */
function keptRefundedOf(data: Payload): KeptMoney {
  const keptTaxes = listOf(data, "kept_tax_lines").map(taxOf);
  return { keptMinor: wholeOf(data, "kept_refunded_minor"), keptTaxes };
}

function takenKept({ keptMinor, keptTaxes }: KeptMoney): KeptMoney {
  return { keptMinor: 0 - keptMinor, keptTaxes: keptTaxes.map(takenBack) };
}

/** The tax with the other sign. */
export function takenBack(tax: ChargedTax): ChargedTax {
  return { ...tax, taxableMinor: -tax.taxableMinor, amountMinor: -tax.amountMinor };
}

function taxOf(tax: Payload): ChargedTax {
  const rate = tax["rate"];
  return {
    name: textOf(tax, "name") ?? "",
    rate: typeof rate === "number" ? rate : 0,
    country: textOf(tax, "country") ?? "",
    region: textOf(tax, "region"),
    isIncluded: tax["included"] === true,
    taxableMinor: wholeOf(tax, "taxable_minor"),
    amountMinor: wholeOf(tax, "amount_minor"),
  };
}

function attemptOf(data: Payload): PaymentAttempt {
  return { method: textOf(data, "method") ?? "", provider: textOf(data, "provider") };
}

/** Minor units of an amount that the event has only in major units. */
function minorOf(data: Payload, name: string, currency: CurrencyCode): number {
  const given = data[name];
  if (typeof given !== "number") return 0;
  const parsed = parseAmount(given, currency);
  return "fault" in parsed ? 0 : parsed.amountMinor;
}
