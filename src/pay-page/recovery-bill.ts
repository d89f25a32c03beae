// The texts and amounts of the recovery page: what is to be paid, what changed since the cart was
// abandoned, and why it cannot be paid. Pure; the sentences are written for customers.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Metadata } from "#kernel/metadata.ts";
import { percentUp } from "#kernel/money.ts";
import { type DeliveryChoices, deliveryOf } from "#pay-page/delivery/delivery.ts";
import { type Details, detailsOf } from "#pay-page/delivery/details.ts";
import type { Localized, LocalizedStore } from "#pay-page/words/localize.ts";
import type { Payment } from "#payments/rows/payment.ts";
import { foldCode } from "#pricing/discounts/discount-code.ts";
import type { CartDifference, QuotedLine } from "#pricing/quote/price-cart.ts";
import { isHarmless } from "#pricing/quote/refusals.ts";
import { orderableLines } from "#sales/recovery/recover-cart.ts";
import { depositDueOf, dueOf } from "#sales/rows/balance.ts";
import { type PricedCart, sumsOfCart } from "#sales/rows/cart.ts";
import type { Order, OrderLine } from "#sales/rows/order.ts";

import type { Recovery } from "./get-recovery.ts";
import { includedTaxesOf, print, type SumLine, sumsBeforeTotal, totalOfOrder } from "./sums.ts";
import type { Words } from "./words/en.ts";

export interface BillLine {
  readonly name: string;
  readonly quantity: number;
  /** With its currency, such as `GHS 249.50`; null if the variant no longer has a price. */
  readonly unitPrice: string | null;
  readonly total: string | null;
  /** An email to the customer tells it; the page of a link tells nothing personal. */
  readonly metadata: Metadata;
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
  /** True if nothing is left to pay. */
  readonly isFree: boolean;
  readonly changes: readonly string[];
  readonly obstacle: Obstacle | null;
  readonly lines: readonly BillLine[];
  /** The last one is the amount to pay or the total; those before add up to it. */
  readonly sums: readonly SumLine[];
  /** The taxes that the total contains. */
  readonly included: readonly string[];
  /** The deliveries from which the customer chooses before anything is paid; null where there is nothing to choose. */
  readonly delivery: DeliveryChoices | null;
  /** The details that the customer has to give first; null where nothing is missing. */
  readonly details: Details | null;
}

/** The shop whose words they are, and its share for new orders. */
type BillTerms = Pick<LocalizedStore, keyof Localized | "depositPercent">;

/** The bill of a recovery; an amount that no way to pay is offered for cannot be paid. */
export function billOf(
  recovery: Recovery,
  store: BillTerms,
  { offersPayment }: { readonly offersPayment: boolean },
): RecoveryBill {
  const bill =
    recovery.kind === "cart" ? billOfCart(recovery, store) : billOfOrder(recovery, store);
  const isStuck = !offersPayment && !bill.isFree && bill.obstacle === null;
  if (!isStuck) return bill;
  return { ...bill, obstacle: { status: 503, sentence: store.words.bill.noWayToPay } };
}

type FoundCart = Extract<Recovery, { readonly kind: "cart" }>;

function billOfCart(found: FoundCart, store: BillTerms): RecoveryBill {
  const { depositPercent, locale, words } = store;
  const { cart, lines, differences, orderable: priced } = found;
  const { currency } = cart;
  const names = new Map(cart.remembered.map((line) => [line.variantId, line.name]));
  const nameOf = (line: QuotedLine) => line.name ?? names.get(line.variantId) ?? words.item;
  const orderable = orderableLines(lines);
  const gone = goneFrom(lines, orderable);
  const delivery = deliveryOf(found, store);
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
    metadata: line.metadata,
  });
  return {
    heading: isChosen ? words.cart.heading : words.cart.undelivered,
    state: "open",
    amount: total,
    deposit: depositMinor < totalMinor ? print(depositMinor, currency, locale) : null,
    isFree: totalMinor === 0,
    changes: [
      ...changesOf(lines, differences, { ...store, nameOf, currency }),
      ...(gone.length > 0 && orderable.length > 0 ? [words.cart.goesOnWithout(gone.length)] : []),
      ...goneCodes(cart, priced).map(words.cart.codeGone),
    ],
    obstacle: obstacleOfCart(lines, orderable, words.cart),
    lines: [
      ...priced.lines.map((line) => bill(line, false)),
      ...gone.map((line) => bill(line, true)),
    ],
    sums: [
      ...sumsBeforeTotal(sold, store),
      [isChosen ? words.sums.total : words.sums.undelivered, total],
    ],
    included: includedTaxesOf(sold, store),
    delivery,
    details: detailsOf(priced),
  };
}

/** The codes that took something off when the cart was last changed, and are missed now. */
function goneCodes({ appliedCodes }: FoundCart["cart"], { price }: PricedCart): string[] {
  return price.rejected
    .filter((one) => appliedCodes.includes(foldCode(one.code)) && !isHarmless(one))
    .map(({ code }) => foldCode(code));
}

/** The lines of which not one unit can be ordered. */
function goneFrom(
  lines: readonly QuotedLine[],
  orderable: readonly QuotedLine[],
): readonly QuotedLine[] {
  const kept = new Set(orderable.map(({ id }) => id));
  return lines.filter(({ id }) => !kept.has(id));
}

function obstacleOfCart(
  lines: readonly QuotedLine[],
  orderable: readonly QuotedLine[],
  { empty, nothingLeft }: Words["cart"],
): Obstacle | null {
  if (orderable.length > 0) return null;
  return { status: 409, sentence: lines.length === 0 ? empty : nothingLeft };
}

interface Wording extends Localized {
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

function problemOf(line: QuotedLine, { nameOf, currency, words }: Wording): string | null {
  const says = words.cart;
  const name = nameOf(line);
  switch (line.problem) {
    case null:
      return null;
    case "insufficient_stock": {
      const left = line.available ?? 0;
      return left > 0 ? says.only(left, name) : says.soldOut(name);
    }
    case "price_missing":
      return says.notInCurrency(name, currency);
    case "amount_too_large":
      return says.tooMuch(name);
    case "unknown_variant":
    case "variant_not_for_sale":
      return says.notForSale(name);
  }
}

function priceChangeOf(
  line: QuotedLine,
  differences: readonly CartDifference[],
  { nameOf, currency, locale, words }: Wording,
): string | null {
  for (const one of differences) {
    if (one.field !== "unit_price" || one.before === null || one.after === null) continue;
    const [before, after] = [
      print(one.before, currency, locale),
      print(one.after, currency, locale),
    ];
    return words.cart.nowCosts(nameOf(line), { before, after });
  }
  return differences.length === 0 ? null : words.cart.again(nameOf(line));
}

type FoundOrder = Extract<Recovery, { readonly kind: "order" }>;

function billOfOrder(
  { whole: { order, lines }, payments }: FoundOrder,
  shop: Localized,
): RecoveryBill {
  const { locale, words } = shop;
  const isPaid = dueOf(order) === 0;
  const depositMinor = depositDueOf(order);
  const isPartly = depositMinor > 0 && depositMinor < dueOf(order);
  const isCancelled = order.status === "cancelled";
  const state = isCancelled ? "cancelled" : isPaid ? "paid" : "open";
  return {
    heading: state === "open" ? words.order(order.number) : words.bill[state](order.number),
    state,
    amount: print(isPaid || isCancelled ? order.totalMinor : dueOf(order), order.currency, locale),
    deposit: isPartly ? print(depositMinor, order.currency, locale) : null,
    isFree: isPaid,
    changes: [],
    obstacle: obstacleOfOrder(order, payments, words),
    lines: lines.map((line) => billLineOf(line, order.currency, locale)),
    sums: sumsOf(order, shop),
    included: includedTaxesOf(order, shop),
    delivery: null,
    details: null,
  };
}

function obstacleOfOrder(
  order: Order,
  payments: readonly Payment[],
  words: Words,
): Obstacle | null {
  if (order.status === "cancelled") {
    return { status: 410, sentence: words.bill.tooLate };
  }
  if (dueOf(order) === 0) {
    return { status: 409, sentence: thanksFor(order, words.thanks) };
  }
  // A second payment while the first one is on its way would charge the customer twice.
  if (!payments.some(({ status }) => status === "processing" || status === "review")) return null;
  return { status: 409, sentence: words.bill.beingChecked };
}

/** The next event of a paid order. */
function thanksFor(
  { fulfillmentStatus }: Pick<Order, "fulfillmentStatus">,
  thanks: Words["thanks"],
): string {
  if (fulfillmentStatus === "fulfilled") return thanks.sent;
  if (fulfillmentStatus === "partially_fulfilled") return thanks.partlySent;
  return thanks.prepared;
}

function billLineOf(
  line: OrderLine,
  currency: CurrencyCode,
  locale: Localized["locale"],
): BillLine {
  return {
    name: line.name,
    quantity: line.quantity,
    unitPrice: print(line.unitPriceMinor, currency, locale),
    total: print(line.subtotalMinor, currency, locale),
    metadata: line.metadata,
  };
}

/** The amounts between the lines and the amount to pay. */
function sumsOf(order: Order, shop: Localized): SumLine[] {
  const { locale, words } = shop;
  const { currency } = order;
  if (order.paidMinor === 0 || dueOf(order) === 0) return totalOfOrder(order, shop);
  return [
    ...totalOfOrder(order, shop),
    [words.sums.paid, print(-order.paidMinor, currency, locale)],
    [words.sums.toPay, print(dueOf(order), currency, locale)],
  ];
}

function printOrNull(
  amountMinor: number | null,
  { currency, locale }: Pick<Wording, "currency" | "locale">,
): string | null {
  return amountMinor === null ? null : print(amountMinor, currency, locale);
}
