// The texts and amounts of the recovery page: what is to be paid, what changed since the cart was
// abandoned, and why it cannot be paid. Pure; the sentences are written for customers.

import type { CurrencyCode } from "#kernel/currency.ts";
import { percentUp } from "#kernel/money.ts";
import type { Payment } from "#payments/payments/payment.ts";
import type { CartDifference, QuotedLine } from "#pricing/quote/price-cart.ts";
import { isHarmless } from "#pricing/quote/refusals.ts";
import { depositDueOf, dueOf } from "#sales/balance/balance.ts";
import { type PricedCart, sumsOfCart } from "#sales/carts/cart.ts";
import type { Order, OrderLine } from "#sales/orders/order.ts";
import { orderableLines } from "#sales/recovery/orderable-lines.ts";
import type { Branding } from "#shop/store/branding/branding.ts";

import { type DeliveryChoices, deliveryOf } from "./delivery/delivery.ts";
import { en } from "./frame/words.ts";
import type { Recovery } from "./get-recovery.ts";
import { includedTaxesOf, print, type SumLine, sumsBeforeTotal, totalOfOrder } from "./sums.ts";

export interface BillLine {
  readonly name: string;
  readonly quantity: number;
  /** With its currency, such as `GHS 249.50`; null if the variant no longer has a price. */
  readonly unitPrice: string | null;
  readonly total: string | null;
}

/** Why nothing can be paid, with the HTTP status of the answer. */
export interface Obstacle {
  readonly status: 409 | 410 | 503;
  readonly sentence: string;
}

export interface RecoveryBill {
  readonly heading: string;
  readonly state: "open" | "paid" | "cancelled";
  /** The amount to pay, or the total of a paid or cancelled order. */
  readonly amount: string;
  /** The part that may be paid first; null if all of the amount is to be paid at once. */
  readonly deposit: string | null;
  /** Whether nothing is left to pay. */
  readonly isFree: boolean;
  readonly changes: readonly string[];
  readonly obstacle: Obstacle | null;
  readonly lines: readonly BillLine[];
  /** The last one is the amount to pay or the total; those before add up to it. */
  readonly sums: readonly SumLine[];
  /** The taxes that the total contains. */
  readonly included: readonly string[];
  /** What the customer chooses from before anything is paid; null where there is nothing to choose. */
  readonly delivery: DeliveryChoices | null;
}

const NO_WAY_TO_PAY: Obstacle = {
  status: 503,
  sentence: "This shop cannot take payments here at the moment. Please contact the shop.",
};

interface BillTerms extends Pick<Branding, "locale"> {
  readonly offersPayment: boolean;
  /** The shop's share for new orders. */
  readonly depositPercent: number;
}

/** The bill of a recovery; an amount that no way to pay is offered for cannot be paid. */
export function billOf(
  recovery: Recovery,
  { offersPayment, depositPercent, locale }: BillTerms,
): RecoveryBill {
  const bill =
    recovery.kind === "cart"
      ? billOfCart(recovery, { depositPercent, locale })
      : billOfOrder(recovery, locale);
  const isStuck = !offersPayment && !bill.isFree && bill.obstacle === null;
  return isStuck ? { ...bill, obstacle: NO_WAY_TO_PAY } : bill;
}

type FoundCart = Extract<Recovery, { readonly kind: "cart" }>;

function billOfCart(
  found: FoundCart,
  { depositPercent, locale }: Omit<BillTerms, "offersPayment">,
): RecoveryBill {
  const { cart, lines, differences, orderable: priced } = found;
  const { currency } = cart;
  const names = new Map(cart.remembered.map((line) => [line.variantId, line.name]));
  const nameOf = (line: QuotedLine) => line.name ?? names.get(line.variantId) ?? "An item";
  const orderable = orderableLines(lines);
  const gone = goneFrom(lines, orderable);
  const delivery = deliveryOf(found, locale);
  const isChosen = delivery === null || delivery.chosen !== null;
  const sold = { ...priced.price, ...sumsOfCart(priced), currency };
  const totalMinor = sold.totalMinor;
  const depositMinor = percentUp(totalMinor, depositPercent);
  const total = print(totalMinor, currency, locale);
  const bill = (line: QuotedLine, isGone: boolean): BillLine => ({
    name: nameOf(line),
    quantity: line.quantity,
    unitPrice: isGone ? null : printOrNull(line.unitPriceMinor, { currency, locale }),
    total: isGone ? null : printOrNull(line.totalMinor, { currency, locale }),
  });
  return {
    heading: isChosen ? "Your cart" : "Your cart, without delivery",
    state: "open",
    amount: total,
    deposit: depositMinor < totalMinor ? print(depositMinor, currency, locale) : null,
    isFree: totalMinor === 0,
    changes: [
      ...changesOf(lines, differences, { nameOf, currency, locale }),
      ...(gone.length > 0 && orderable.length > 0 ? [goesOnWithout(gone)] : []),
      ...goneCodes(cart, priced).map((code) => `The code ${code} does not apply any more.`),
    ],
    obstacle: obstacleOfCart(lines, orderable),
    lines: [
      ...priced.lines.map((line) => bill(line, false)),
      ...gone.map((line) => bill(line, true)),
    ],
    sums: [
      ...sumsBeforeTotal(sold, locale),
      [isChosen ? "Total" : "Total without delivery", total],
    ],
    included: includedTaxesOf(sold, locale),
    delivery,
  };
}

/** The codes that took something off when the cart was last changed, and are missed now. */
function goneCodes({ appliedCodes }: FoundCart["cart"], { price }: PricedCart): string[] {
  return price.rejected
    .filter((one) => appliedCodes.includes(one.code) && !isHarmless(one))
    .map(({ code }) => code);
}

/** The lines of which not one unit can be ordered. */
function goneFrom(
  lines: readonly QuotedLine[],
  orderable: readonly QuotedLine[],
): readonly QuotedLine[] {
  const kept = new Set(orderable.map(({ variantId }) => variantId));
  return lines.filter(({ variantId }) => !kept.has(variantId));
}

function goesOnWithout({ length }: readonly QuotedLine[]): string {
  return `Your order continues without ${length === 1 ? "it" : "them"}.`;
}

function obstacleOfCart(
  lines: readonly QuotedLine[],
  orderable: readonly QuotedLine[],
): Obstacle | null {
  if (lines.length === 0) return { status: 409, sentence: "This cart is empty." };
  if (orderable.length > 0) return null;
  const sentence = "Nothing in this cart can be ordered now. Please contact the shop.";
  return { status: 409, sentence };
}

interface Wording extends Pick<Branding, "locale"> {
  readonly nameOf: (line: QuotedLine) => string;
  readonly currency: CurrencyCode;
}

/** A sentence for each variant that changed; a problem hides a change of price. */
function changesOf(
  lines: readonly QuotedLine[],
  differences: readonly CartDifference[],
  wording: Wording,
): string[] {
  const variants = new Map(lines.map((line) => [line.variantId, line]));
  return [...variants.values()].flatMap((line) => {
    const ofLine = differences.filter((one) => one.variantId === line.variantId);
    return problemOf(line, wording) ?? priceChangeOf(line, ofLine, wording) ?? [];
  });
}

function problemOf(line: QuotedLine, { nameOf, currency }: Wording): string | null {
  const name = nameOf(line);
  switch (line.problem) {
    case null:
      return null;
    case "insufficient_stock":
      return (line.available ?? 0) > 0
        ? `Only ${line.available} of ${name} can be ordered now.`
        : `${name} is sold out.`;
    case "price_missing":
      return `${name} is no longer sold in ${currency}.`;
    case "amount_too_large":
      return `${name} costs more than a single order allows.`;
    case "unknown_variant":
    case "variant_not_for_sale":
      return `${name} is no longer for sale.`;
  }
}

function priceChangeOf(
  line: QuotedLine,
  differences: readonly CartDifference[],
  { nameOf, currency, locale }: Wording,
): string | null {
  for (const one of differences) {
    if (one.field !== "unit_price" || one.before === null || one.after === null) continue;
    const [before, after] = [
      print(one.before, currency, locale),
      print(one.after, currency, locale),
    ];
    return `${nameOf(line)} now costs ${after} instead of ${before}.`;
  }
  return differences.length === 0 ? null : `${nameOf(line)} can be ordered again.`;
}

type FoundOrder = Extract<Recovery, { readonly kind: "order" }>;

function billOfOrder(
  { whole: { order, lines }, payments }: FoundOrder,
  locale: Branding["locale"],
): RecoveryBill {
  const isPaid = dueOf(order) === 0;
  const depositMinor = depositDueOf(order);
  const isPartly = depositMinor > 0 && depositMinor < dueOf(order);
  const isCancelled = order.status === "cancelled";
  const verb = isCancelled ? " was cancelled" : isPaid ? " is paid" : "";
  return {
    heading: `Order #${order.number}${verb}`,
    state: isCancelled ? "cancelled" : isPaid ? "paid" : "open",
    amount: print(isPaid || isCancelled ? order.totalMinor : dueOf(order), order.currency, locale),
    deposit: isPartly ? print(depositMinor, order.currency, locale) : null,
    isFree: isPaid,
    changes: [],
    obstacle: obstacleOfOrder(order, payments),
    lines: lines.map((line) => billLineOf(line, order.currency, locale)),
    sums: sumsOf(order, locale),
    included: includedTaxesOf(order, locale),
    delivery: null,
  };
}

function obstacleOfOrder(order: Order, payments: readonly Payment[]): Obstacle | null {
  if (order.status === "cancelled") {
    return { status: 410, sentence: "It can no longer be paid." };
  }
  if (dueOf(order) === 0) {
    return { status: 409, sentence: thanksFor(order) };
  }
  // A second payment while the first one is on its way would charge the customer twice.
  if (!payments.some(({ status }) => status === "processing" || status === "review")) return null;
  return {
    status: 409,
    sentence: "Your payment is being checked. You do not need to do anything.",
  };
}

/** What happens next with a paid order. */
function thanksFor({ fulfillmentStatus }: Pick<Order, "fulfillmentStatus">): string {
  if (fulfillmentStatus === "fulfilled") return en.thanks.sent;
  if (fulfillmentStatus === "partially_fulfilled") return en.thanks.partlySent;
  return en.thanks.prepared;
}

function billLineOf(line: OrderLine, currency: CurrencyCode, locale: Branding["locale"]): BillLine {
  return {
    name: line.name,
    quantity: line.quantity,
    unitPrice: print(line.unitPriceMinor, currency, locale),
    total: print(line.subtotalMinor, currency, locale),
  };
}

/** The amounts between the lines and the amount to pay. */
function sumsOf(order: Order, locale: Branding["locale"]): SumLine[] {
  const { currency } = order;
  if (order.paidMinor === 0 || dueOf(order) === 0) return totalOfOrder(order, locale);
  return [
    ...totalOfOrder(order, locale),
    ["Paid", print(-order.paidMinor, currency, locale)],
    ["To pay", print(dueOf(order), currency, locale)],
  ];
}

function printOrNull(
  amountMinor: number | null,
  { currency, locale }: Omit<Wording, "nameOf">,
): string | null {
  return amountMinor === null ? null : print(amountMinor, currency, locale);
}
