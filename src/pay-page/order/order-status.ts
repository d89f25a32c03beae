// The texts and amounts of an order's page: how far it is, what was sent, paid and given back, and as much of the
// customer as its link shows. The sentences are written for customers.

import type { Address } from "#kernel/address.ts";
import { publicNotesOf } from "#kernel/metadata.ts";
import { DAY_MS } from "#kernel/time.ts";
import { countryName } from "#pay-page/delivery/read-address.ts";
import { getOrderToPay, type OrderToPay } from "#pay-page/get-recovery.ts";
import { onDay } from "#pay-page/next-step.ts";
import type { ShownLine } from "#pay-page/page-frame.ts";
import type { RecoveryBill } from "#pay-page/recovery-bill.ts";
import { print, type SumLine } from "#pay-page/sums.ts";
import type { Words } from "#pay-page/words/en.ts";
import { type Localized, type LocalizedStore, methodLabelOf } from "#pay-page/words/localize.ts";
import { listRefundsOfOrder } from "#payments/rows/lookups.ts";
import { awaitsApproval, isReturned, isSetAside, type Refund } from "#payments/rows/refund.ts";
import type { Reader } from "#platform/database/database.ts";
import { isolated } from "#platform/html/html.ts";
import { type OrderLink, readOrderLink } from "#sales/links/link-addresses.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { dueOf, toReturnOf } from "#sales/rows/balance.ts";
import type { Fulfillment, Order, OrderLine, WholeOrder } from "#sales/rows/order.ts";
import type { Language } from "#shop/store/branding.ts";

/** The state of the order, in a few words and a sentence. */
interface Standing {
  readonly headline: string;
  readonly sentence: string | null;
}

/** Returns the first of these that is true: cancelled, refunded, sent, to be paid, being prepared. */
export function standingOf(
  { whole: { order }, refunds }: OrderOnPage,
  { obstacle }: Pick<RecoveryBill, "obstacle">,
  { words: { status: says, thanks } }: Localized,
): Standing {
  if (order.status === "cancelled") {
    const isUnpaid = order.cancelReason === "expired";
    const why = isUnpaid ? says.unpaidInTime : null;
    return { headline: says.cancelled, sentence: sentenceOfRefunds(order, refunds, says) ?? why };
  }
  if (order.paymentStatus === "refunded") {
    return { headline: says.refunded, sentence: sentenceOfRefunds(order, refunds, says) };
  }
  if (order.fulfillmentStatus === "fulfilled") {
    return { headline: says.sent, sentence: thanks.sent };
  }
  if (order.fulfillmentStatus === "partially_fulfilled") {
    return { headline: says.partlySent, sentence: thanks.partlySent };
  }
  if (dueOf(order) > 0) {
    const isBeingChecked = obstacle?.status === 409;
    return { headline: isBeingChecked ? says.notConfirmed : says.notPaid, sentence: null };
  }
  return { headline: says.prepared, sentence: thanks.prepared };
}

/** Money that is to go back is due to the customer until it has refunds that did not fail. */
function sentenceOfRefunds(
  order: Order,
  refunds: OrderOnPage["refunds"],
  says: Words["status"],
): string | null {
  if (toReturnOf(order) > 0) return says.refundIsDue;
  const counted = refunds.filter(isPromised);
  if (counted.length === 0) return null;
  return counted.every(isReturned) ? says.youAreRefunded : says.refundComes;
}

/** Returns true of a refund that the customer has or will have, as far as that is decided. */
function isPromised(refund: OrderOnPage["refunds"][number]): boolean {
  return isSetAside(refund) && !awaitsApproval(refund);
}

/** A step of the order's way; `on` is a day, null for a step that is still to come. */
export interface Step {
  readonly name: string;
  readonly on: string | null;
  /** True if the order ends with it before its time. */
  readonly isStop: boolean;
}

/** Returns what happened so far and, unless the order was cancelled, what is to come. */
export function stepsOf({ whole: { order } }: OrderOnPage, store: LocalizedStore): Step[] {
  const says = store.words.status;
  const on = (instant: number | null) => (instant === null ? null : onDay(instant, store));
  const steps = [
    { name: says.ordered, on: on(order.createdAt), isStop: false },
    { name: says.paid, on: on(order.paidAt), isStop: false },
    { name: says.sent, on: on(order.fulfilledAt), isStop: false },
  ];
  if (order.status !== "cancelled") return steps;
  return [
    ...steps.filter((step) => step.on !== null),
    { name: says.cancelled, on: on(order.cancelledAt), isStop: true },
  ];
}

/** Returns what the customer chose of a line, such as an engraving. */
function chosenIn({ metadata }: OrderLine, { words }: Localized): string[] {
  return publicNotesOf(metadata).map(([name, text]) => `${name}${words.colon} ${isolated(text)}`);
}

/** Returns the lines with what became of their units, and what is told of what was chosen. */
export function linesOf(
  { whole: { order, lines } }: OrderOnPage,
  shop: Localized,
  told = chosenIn,
): ShownLine[] {
  const { locale, words } = shop;
  return lines.map((line) => ({
    name: line.name,
    total: print(line.subtotalMinor, order.currency, locale),
    remarks: [
      `${line.quantity} × ${print(line.unitPriceMinor, order.currency, locale)}`,
      ...unitsOf(line, words.status.units),
      ...told(line, shop),
    ],
    isGone: line.cancelledQuantity === line.quantity,
  }));
}

function unitsOf(line: OrderLine, says: Words["status"]["units"]): string[] {
  const parts: [number, (units: number) => string][] = [
    [line.fulfilledQuantity, says.sent],
    [line.cancelledQuantity, says.cancelled],
    [line.returnedQuantity, says.returned],
  ];
  const told = parts.filter(([units]) => units > 0).map(([units, inWords]) => inWords(units));
  return told.length === 0 ? [] : [told.join(" · ")];
}

/** Returns what changed the amount after the order, and every payment and refund; what is to be paid is the last. */
export function accountOf(
  { whole, payments, refunds }: OrderOnPage,
  store: LocalizedStore,
): SumLine[] {
  const { order } = whole;
  const { status: says, sums } = store.words;
  const changes: [string, number][] = [
    [says.credited, -order.creditedMinor],
    [says.kept, order.keptMinor],
    [says.waived, -order.writtenOffMinor],
  ];
  const paid = payments.map((one): [string, number] => {
    const label = methodLabelOf(store, one.method);
    const day = onDay(one.succeededAt ?? one.updatedAt, store);
    return [`${sums.paid} · ${isolated(label)} · ${day}`, -one.capturedMinor];
  });
  const returned = refunds.filter(isPromised).map((one): [string, number] => {
    const day = onDay(one.succeededAt ?? one.closedAt ?? one.createdAt, store);
    return [`${isReturned(one) ? sums.refunded : says.refundOnWay} · ${day}`, one.amountMinor];
  });
  const last = [
    [says.refundDue, toReturnOf(order)],
    [sums.toPay, dueOf(order)],
  ] as const;
  const rows = [...changes, ...paid, ...returned, ...last];
  return rows
    .filter(([, minor]) => minor !== 0)
    .map(([name, minor]) => [name, print(minor, order.currency, store.locale)]);
}

/** The units that were sent together. */
export interface Parcel {
  readonly heading: string;
  readonly items: readonly string[];
  readonly carrier: string | null;
  readonly number: string | null;
  readonly url: string | null;
}

/** Returns what was sent, with its tracking while the link shows the details of the customer. */
export function parcelsOf(found: OrderOnPage, store: LocalizedStore): Parcel[] {
  const { whole } = found;
  const names = new Map(whole.lines.map((line) => [line.id, line.name]));
  const parcelOf = ({ lines, tracking, createdAt }: Fulfillment): Parcel => ({
    heading: store.words.status.sentOn(onDay(createdAt, store)),
    items: lines.map(
      (one) => `${one.quantity} × ${isolated(names.get(one.lineItemId) ?? store.words.item)}`,
    ),
    ...(tracking === null || hidesDetails(found) ? noTracking : tracking),
  });
  return whole.fulfillments.map(parcelOf);
}

const noTracking = { carrier: null, number: null, url: null };

/** The customer as the page shows them. */
export interface ShownCustomer {
  readonly delivery: readonly string[];
  readonly billing: readonly string[];
  readonly contact: readonly string[];
  /** Why there is nothing to see. */
  readonly remark: string | null;
}

/** Returns what the link shows of the customer now. */
export function detailsOf(
  { whole, isRecent, showsContact }: OrderOnPage,
  { words, language }: Localized,
): ShownCustomer {
  const { order } = whole;
  const { customer } = order;
  const details = {
    delivery: addressLines(order.shippingAddress, language),
    billing: addressLines(order.billingAddress, language),
    contact: showsContact ? present([customer?.name, customer?.email, customer?.phone]) : [],
    remark: null,
  };
  if (isErased(order)) return nothing;
  const isSilent = [...details.delivery, ...details.billing, ...details.contact].length === 0;
  return isRecent || isSilent ? details : { ...nothing, remark: words.status.hidden };
}

const nothing: ShownCustomer = { delivery: [], billing: [], contact: [], remark: null };

/** True if the link shows nothing of the customer any more. */
export function hidesDetails({ whole: { order }, isRecent }: OrderOnPage): boolean {
  return !isRecent || isErased(order);
}

/** Every customer of an order has an email or a phone until they are erased. */
function isErased({ customer }: Order): boolean {
  return customer !== null && customer.email === null && customer.phone === null;
}

function addressLines(address: Address | null, language: Language): string[] {
  if (address === null) return [];
  const { name, line1, line2, postalCode, city, region, country, phone } = address;
  const town = present([postalCode, city]).join(" ");
  const land = country === null ? null : countryName(country, language);
  return present([name, line1, line2, town, region, land, phone]);
}

function present(texts: readonly (string | null | undefined)[]): string[] {
  return texts.flatMap((text) =>
    text === null || text === undefined || text === "" ? [] : [text],
  );
}

/** A link may be passed on or stay in a mailbox: who opens it later learns nothing of the customer. */
const DETAILS_SHOWN_MS = 30 * DAY_MS;

export interface OrderOnPage extends OrderToPay, Pick<OrderLink, "showsContact"> {
  readonly refunds: readonly Refund[];
  /** True if the order changed lately, so that address and contact are shown. */
  readonly isRecent: boolean;
}

/**
 * The order and its refunds without those that wait for an approval: their customer is not told before it, and money that
 * is owed stays due.
 */
async function asCustomersSee(
  db: Reader,
  whole: WholeOrder,
): Promise<Pick<OrderOnPage, "whole" | "refunds">> {
  const all = await listRefundsOfOrder(db, whole.order.id);
  const waiting = all.filter(awaitsApproval);
  const without = (minor: number, minorOf: (refund: Refund) => number) =>
    waiting.reduce((left, refund) => left - minorOf(refund), minor);
  const { order } = whole;
  const seen = {
    ...order,
    refundingMinor: without(order.refundingMinor, ({ amountMinor }) => amountMinor),
    saleRefundingMinor: without(order.saleRefundingMinor, ({ saleMinor }) => saleMinor),
    keptRefundingMinor: without(order.keptRefundingMinor, ({ keptMinor }) => keptMinor),
  };
  return {
    whole: { ...whole, order: seen },
    refunds: all.filter((refund) => !awaitsApproval(refund)),
  };
}

/** Returns what the link opens now. Refuses with `recovery_link_invalid`, `recovery_link_expired`, and `order_not_found`. */
export async function getOrderStatus(
  db: Reader,
  { token, now }: { readonly token: string; readonly now: number },
): Promise<OrderOnPage> {
  const { secret } = await getLinkTerms(db);
  const { orderId, showsContact } = readOrderLink(token, { secret, now });
  const found = await getOrderToPay(db, orderId);
  const { whole, refunds } = await asCustomersSee(db, found.whole);
  const isRecent = now - found.whole.order.updatedAt < DETAILS_SHOWN_MS;
  return { ...found, whole, refunds, showsContact, isRecent };
}
