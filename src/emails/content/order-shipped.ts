// The email about goods that were sent: what is in the parcel, where it is, and what is still to come. Pure.

import { isObject } from "#kernel/assume.ts";
import { isPaidInPerson } from "#kernel/payment-method.ts";
import { type Parcel, parcelsOf } from "#pay-page/order/order-status.ts";
import { print } from "#pay-page/sums.ts";
import { isolated } from "#platform/html/isolated.ts";
import { dueOf } from "#sales/balance/balance.ts";
import { type Fulfillment, openUnits, type WholeOrder } from "#sales/orders/order.ts";

import type { EmailWords } from "../words/en.ts";
import type { EmailFacts } from "./email-facts.ts";
import { leadTo, type Letter, listOf, type Part, sentences, texts } from "./letter.ts";

/** Returns the email; undefined of goods that were handed over as they were ordered. */
export function orderShipped(facts: EmailFacts): Letter | undefined {
  const { whole, store, news } = facts;
  const { letters } = store;
  const words = letters.shipped;
  const told = isObject(news) ? news["fulfillment"] : null;
  const sent = whole.fulfillments.find(({ id }) => isObject(told) && told["id"] === id);
  if (sent === undefined || sent.createdAt === whole.order.createdAt) return undefined;
  const parcels = parcelsOf({ ...facts, whole: { ...whole, fulfillments: [sent] } }, store);
  const { subject, headline, sentence } = words[extentOf(facts, sent)];
  return {
    subject: subject(whole.order.number),
    headline,
    parts: [
      ...sentences(sentence, payingOf(facts)),
      ...parcels.flatMap((parcel) => partsOf(parcel, words)),
      ...listOf(words.toCome, openItems(whole)),
      ...leadTo("link", letters.see, facts.statusUrl),
    ],
  };
}

/** The extent of the parcel: all of the order, or a part of it. */
function extentOf({ whole }: EmailFacts, sent: Fulfillment): "all" | "part" | "last" {
  if (sent !== whole.fulfillments.at(-1) || whole.order.fulfilledAt === null) return "part";
  return whole.fulfillments.length === 1 ? "all" : "last";
}

function payingOf({ whole: { order }, store }: EmailFacts): string | null {
  const dueMinor = dueOf(order);
  if (dueMinor === 0 || !isPaidInPerson(order.paymentMethod)) return null;
  return store.letters.shipped.payOnDelivery(print(dueMinor, order.currency, store.locale));
}

function partsOf({ carrier, number, url, items }: Parcel, words: EmailWords["shipped"]): Part[] {
  return [
    ...texts("note", carrier && words.carrier(carrier), number && words.number(number)),
    ...leadTo("button", words.track(carrier), url),
    ...listOf(words.inParcel, items),
  ];
}

function openItems({ order, lines }: WholeOrder): string[] {
  if (order.status === "cancelled") return [];
  return lines
    .filter((line) => openUnits(line) > 0)
    .map((line) => `${openUnits(line)} × ${isolated(line.name)}`);
}
