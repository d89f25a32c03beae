// The email about an order that was paid: the receipt. Pure.

import type { Order } from "#sales/orders/order.ts";

import type { EmailWords } from "../words/en.ts";
import { billParts, type EmailFacts } from "./email-facts.ts";
import { leadTo, type Letter, sentences, texts, typed } from "./letter.ts";

/** Returns the email. */
export function orderPaid(facts: EmailFacts): Letter {
  const { order } = facts.whole;
  const { legalName, name, taxId, letters } = facts.store;
  const words = letters.paid;
  const yourTaxId = typed(order.taxId);
  const isFree = order.paidMinor === 0;
  const { subject, headline } = isFree ? words.free : words;
  return {
    subject: subject(order.number),
    headline,
    parts: [
      ...sentences(isFree ? words.nothingToPay : words.arrived, nextOf(order, words)),
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

/** The next event; nothing once all of it was sent or handed over, or it was cancelled. */
function nextOf({ status, fulfillmentStatus }: Order, words: EmailWords["paid"]): string | null {
  if (status === "cancelled" || fulfillmentStatus === "fulfilled") return null;
  return fulfillmentStatus === "unfulfilled" ? words.prepared : words.partlySent;
}
