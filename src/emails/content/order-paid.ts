// The email about an order that was paid: the receipt. Pure.

import type { Order } from "#sales/orders/order.ts";

import { billParts, type EmailFacts } from "./email-facts.ts";
import { leadTo, type Letter, sentences, texts, typed } from "./letter.ts";
import { en } from "./words.ts";

const words = en.paid;

/** Returns the email. */
export function orderPaid(facts: EmailFacts): Letter {
  const { order } = facts.whole;
  const { legalName, name, taxId } = facts.store;
  const yourTaxId = typed(order.taxId);
  const isFree = order.paidMinor === 0;
  const { subject, headline } = isFree ? words.free : words;
  return {
    subject: subject(order.number),
    headline,
    parts: [
      ...sentences(isFree ? words.nothingToPay : words.arrived, nextOf(order)),
      ...leadTo("button", words.see, facts.statusUrl),
      ...billParts(facts, words.receipt(order.number)),
      ...texts(
        "note",
        words.soldBy(legalName ?? name),
        taxId === null ? null : words.taxId(taxId),
        yourTaxId === null ? null : words.yourTaxId(yourTaxId),
      ),
    ],
  };
}

/** What happens next; nothing once all of it was sent or handed over, or it was cancelled. */
function nextOf({ status, fulfillmentStatus }: Order): string | null {
  if (status === "cancelled" || fulfillmentStatus === "fulfilled") return null;
  return fulfillmentStatus === "unfulfilled" ? words.prepared : words.partlySent;
}
