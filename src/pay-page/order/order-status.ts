// The texts and amounts of an order's page: how far it is, what was sent, paid and given back, and as much of
// the customer as the link shows. Pure; the sentences are written for customers.

import type { Address } from "#kernel/address.ts";
import { isReturned, isSetAside } from "#payments/refunds/refund.ts";
import { isolated } from "#platform/html/isolated.ts";
import { dueOf } from "#sales/balance/balance.ts";
import type { Fulfillment, Order, OrderLine } from "#sales/orders/order.ts";
import { methodTermsOf } from "#shop/store/payment-methods.ts";
import type { Store } from "#shop/store/store.ts";

import { countryName } from "../delivery/countries.ts";
import { en } from "../frame/words.ts";
import { onDay } from "../next-step.ts";
import type { ShownLine } from "../page-frame.ts";
import type { RecoveryBill } from "../recovery-bill.ts";
import { print, type SumLine } from "../sums.ts";
import type { OrderOnPage } from "./get-order-status.ts";

/** Where the order stands, in a few words and a sentence. */
export interface Standing {
  readonly headline: string;
  readonly sentence: string | null;
}

/** Returns the first of these that is true: cancelled, refunded, sent, to be paid, being prepared. */
export function standingOf(
  { whole: { order }, refunds }: OrderOnPage,
  { obstacle }: Pick<RecoveryBill, "obstacle">,
): Standing {
  if (order.status === "cancelled") {
    const isUnpaid = order.cancelReason === "expired";
    const why = isUnpaid ? "It was not paid in time. You no longer have to pay for it." : null;
    return { headline: "Cancelled", sentence: sentenceOfRefunds(refunds) ?? why };
  }
  if (order.paymentStatus === "refunded") {
    return { headline: "Refunded", sentence: sentenceOfRefunds(refunds) };
  }
  if (order.fulfillmentStatus === "fulfilled") {
    return { headline: "Sent", sentence: en.thanks.sent };
  }
  if (order.fulfillmentStatus === "partially_fulfilled") {
    return { headline: "Partly sent", sentence: en.thanks.partlySent };
  }
  if (dueOf(order) > 0) {
    const isBeingChecked = obstacle?.status === 409;
    return { headline: isBeingChecked ? "Not confirmed yet" : "Not paid yet", sentence: null };
  }
  return { headline: "Being prepared", sentence: en.thanks.prepared };
}

function sentenceOfRefunds(refunds: OrderOnPage["refunds"]): string | null {
  const counted = refunds.filter(isSetAside);
  if (counted.length === 0) return null;
  return counted.every(isReturned) ? "You have been refunded." : "Your refund is on its way.";
}

/** A step of the order's way; `on` is a day, null for a step that is still to come. */
export interface Step {
  readonly name: string;
  readonly on: string | null;
}

/** Returns what happened so far and, unless the order was cancelled, what is to come. */
export function stepsOf({ whole: { order } }: OrderOnPage, store: Store): Step[] {
  const on = (instant: number | null) => (instant === null ? null : onDay(instant, store));
  const steps = [
    { name: "Ordered", on: on(order.createdAt) },
    { name: "Paid", on: on(order.paidAt) },
    { name: "Sent", on: on(order.fulfilledAt) },
  ];
  if (order.status !== "cancelled") return steps;
  return [
    ...steps.filter((step) => step.on !== null),
    { name: "Cancelled", on: on(order.cancelledAt) },
  ];
}

/** Returns the lines with what became of their units. */
export function linesOf({ whole: { order, lines } }: OrderOnPage, { locale }: Store): ShownLine[] {
  return lines.map((line) => ({
    name: line.name,
    total: print(line.subtotalMinor, order.currency, locale),
    remarks: [
      `${line.quantity} × ${print(line.unitPriceMinor, order.currency, locale)}`,
      ...unitsOf(line),
    ],
    isGone: line.cancelledQuantity === line.quantity,
  }));
}

function unitsOf(line: OrderLine): string[] {
  const parts: [number, string][] = [
    [line.fulfilledQuantity, "sent"],
    [line.cancelledQuantity, "cancelled"],
    [line.returnedQuantity, "returned"],
  ];
  const told = parts.filter(([units]) => units > 0).map(([units, what]) => `${units} ${what}`);
  return told.length === 0 ? [] : [told.join(" · ")];
}

/** Returns what changed the amount after the order, and every payment and refund; `To pay` is the last. */
export function accountOf({ whole, payments, refunds }: OrderOnPage, store: Store): SumLine[] {
  const { order } = whole;
  const changes: [string, number][] = [
    ["Cancelled or returned", -order.creditedMinor],
    ["Kept by the shop", order.keptMinor],
    ["Waived by the shop", -order.writtenOffMinor],
  ];
  const paid = payments.map((one): [string, number] => {
    const { label } = methodTermsOf(store, one.method);
    const day = onDay(one.succeededAt ?? one.updatedAt, store);
    return [`Paid · ${isolated(label)} · ${day}`, -one.capturedMinor];
  });
  const returned = refunds.filter(isSetAside).map((one): [string, number] => {
    const day = onDay(one.succeededAt ?? one.closedAt ?? one.createdAt, store);
    return [`${isReturned(one) ? "Refunded" : "Refund on its way"} · ${day}`, one.amountMinor];
  });
  const rows = [...changes, ...paid, ...returned, ["To pay", dueOf(order)] as const];
  return rows
    .filter(([, minor]) => minor !== 0)
    .map(([name, minor]) => [name, print(minor, order.currency, store.locale)]);
}

/** What was sent together. */
export interface Parcel {
  readonly heading: string;
  readonly items: readonly string[];
  readonly carrier: string | null;
  readonly number: string | null;
  readonly url: string | null;
}

/** Returns what was sent, with its tracking unless the customer was erased. */
export function parcelsOf({ whole }: OrderOnPage, store: Store): Parcel[] {
  const names = new Map(whole.lines.map((line) => [line.id, line.name]));
  const parcelOf = ({ lines, tracking, createdAt }: Fulfillment): Parcel => ({
    heading: `Sent on ${onDay(createdAt, store)}`,
    items: lines.map(
      (one) => `${one.quantity} × ${isolated(names.get(one.lineItemId) ?? "An item")}`,
    ),
    ...(tracking === null || isErased(whole.order) ? noTracking : tracking),
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

const HIDDEN =
  "Your address and your contact details are not shown any more, because your order has not changed for 30 days. " +
  "The shop still has them.";

/** Returns what the link shows of the customer now. */
export function detailsOf({ whole, isRecent, showsContact }: OrderOnPage): ShownCustomer {
  const { order } = whole;
  const { customer } = order;
  const details = {
    delivery: addressLines(order.shippingAddress),
    billing: addressLines(order.billingAddress),
    contact: showsContact ? present([customer?.name, customer?.email, customer?.phone]) : [],
    remark: null,
  };
  if (isErased(order)) return nothing;
  const isSilent = [...details.delivery, ...details.billing, ...details.contact].length === 0;
  return isRecent || isSilent ? details : { ...nothing, remark: HIDDEN };
}

const nothing: ShownCustomer = { delivery: [], billing: [], contact: [], remark: null };

/** Every customer of an order has an email or a phone until they are erased. */
function isErased({ customer }: Order): boolean {
  return customer !== null && customer.email === null && customer.phone === null;
}

function addressLines(address: Address | null): string[] {
  if (address === null) return [];
  const { name, line1, line2, postalCode, city, region, country, phone } = address;
  const town = present([postalCode, city]).join(" ");
  const land = country === null ? null : countryName(country);
  return present([name, line1, line2, town, region, land, phone]);
}

function present(texts: readonly (string | null | undefined)[]): string[] {
  return texts.flatMap((text) =>
    text === null || text === undefined || text === "" ? [] : [text],
  );
}
