// The email about goods that were sent: what is in the parcel, where it is, and what is still to come. Pure.

import { isObject } from "#kernel/assume.ts";
import { isPaidInPerson } from "#kernel/payment-method.ts";
import { type Parcel, parcelsOf } from "#pay-page/order/order-status.ts";
import { print } from "#pay-page/sums.ts";
import { isolated } from "#platform/html/isolated.ts";
import { dueOf } from "#sales/balance/balance.ts";
import { type Fulfillment, openUnits, type WholeOrder } from "#sales/orders/order.ts";

import type { EmailFacts } from "./email-facts.ts";
import { leadTo, type Letter, listOf, type Part, sentences, texts } from "./letter.ts";
import { en } from "./words.ts";

const words = en.shipped;

/**
 * Returns the email; undefined where nothing was sent: goods that were handed over as they were ordered, the last units
 * that were cancelled in place of being sent, and a tracking that was taken away.
 */
export function orderShipped(facts: EmailFacts): Letter | undefined {
  const { whole, store } = facts;
  const sent = sentBy(facts);
  if (sent === undefined || sent.createdAt === whole.order.createdAt) return undefined;
  const [parcel] = parcelsOf({ ...facts, whole: { ...whole, fulfillments: [sent] } }, store);
  const isTracking = sent.createdAt < facts.event.createdAt;
  const isTracked = parcel !== undefined && (parcel.number !== null || parcel.url !== null);
  if (parcel === undefined || (isTracking && !isTracked)) return undefined;
  const { subject, headline, sentence } = isTracking
    ? words.tracking
    : words[extentOf(facts, sent)];
  return {
    subject: subject(whole.order.number),
    headline,
    parts: [
      ...sentences(sentence, payingOf(facts)),
      ...trackingOf(parcel),
      ...listOf(words.inParcel, parcel.items),
      ...listOf(words.toCome, openItems(whole)),
      ...leadTo("link", en.see, facts.statusUrl),
    ],
  };
}

/** The fulfillment that the event sent, or gave a tracking. */
function sentBy({ whole, event: { name, news, createdAt } }: EmailFacts): Fulfillment | undefined {
  const told = isObject(news) ? news["fulfillment"] : null;
  const sent = whole.fulfillments.find(({ id }) => isObject(told) && told["id"] === id);
  // An order whose last units were cancelled is fulfilled by what was sent earlier.
  const isOld = name === "order.fulfilled" && sent !== undefined && sent.createdAt < createdAt;
  return isOld ? undefined : sent;
}

/** Whether this is all of the order, or a part of it. */
function extentOf({ whole }: EmailFacts, sent: Fulfillment): "all" | "part" | "last" {
  if (sent !== whole.fulfillments.at(-1) || whole.order.fulfilledAt === null) return "part";
  return whole.fulfillments.length === 1 ? "all" : "last";
}

function payingOf({ whole: { order }, store }: EmailFacts): string | null {
  const dueMinor = dueOf(order);
  if (dueMinor === 0 || !isPaidInPerson(order.paymentMethod)) return null;
  return words.payOnDelivery(print(dueMinor, order.currency, store.locale));
}

function trackingOf({ carrier, number, url }: Parcel): Part[] {
  return [
    ...texts("note", carrier && words.carrier(carrier), number && words.number(number)),
    ...leadTo("button", words.track(carrier), url),
  ];
}

function openItems({ order, lines }: WholeOrder): string[] {
  if (order.status === "cancelled") return [];
  return lines
    .filter((line) => openUnits(line) > 0)
    .map((line) => `${openUnits(line)} × ${isolated(line.name)}`);
}
