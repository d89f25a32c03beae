// The email about a refund: how much went back, and how. Pure.

import { isObject } from "#kernel/assume.ts";
import { print, type SumLine } from "#pay-page/sums.ts";
import { methodLabelOf } from "#pay-page/words/methods.ts";
import { isReturned, type Refund } from "#payments/refunds/refund.ts";
import { isolated } from "#platform/html/isolated.ts";

import type { EmailFacts } from "./email-facts.ts";
import { leadTo, type Letter, listOf, sentences, texts } from "./letter.ts";

/** Returns the email; undefined of a refund that came to nothing since. */
export function orderRefunded(facts: EmailFacts): Letter | undefined {
  const { store, refunds, news } = facts;
  const { letters } = store;
  const words = letters.refunded;
  const { order, lines } = facts.whole;
  const told = isObject(news) ? news["refund"] : null;
  const refund = refunds.find(({ id }) => isObject(told) && told["id"] === id);
  if (refund === undefined || !isReturned(refund)) return undefined;
  const names = new Map(lines.map((line) => [line.id, line.name]));
  const items = refund.lines.map(
    ({ lineItemId, quantity }) =>
      `${quantity} × ${isolated(names.get(lineItemId) ?? store.words.item)}`,
  );
  const sums: SumLine[] = [
    [words.total, print(order.totalMinor, order.currency, store.locale)],
    [words.soFar, print(order.refundedMinor, order.currency, store.locale)],
  ];
  return {
    subject: words.subject(order.number),
    headline: words.headline,
    parts: [
      ...sentences(words.sentence),
      ...texts("amount", print(refund.amountMinor, refund.currency, store.locale)),
      ...sentences(refund.isAutomatic ? words.tooMuch : null, wayOf(refund, facts)),
      ...listOf(words.about, items),
      ...texts("heading", letters.orderOf(order.number)),
      { kind: "sums", sums, isTotal: false },
      ...leadTo("link", letters.see, facts.statusUrl),
    ],
  };
}

/** How the money goes back: a gateway returns it to where it came from. */
function wayOf({ paymentId, status }: Refund, { payments, store }: EmailFacts): string | null {
  const payment = payments.find(({ id }) => id === paymentId);
  if (payment === undefined) return null;
  const { byHand, sameWay } = store.letters.refunded;
  const isByHand = payment.gateway === null || status === "closed";
  return isByHand ? byHand : sameWay(methodLabelOf(store, payment.method));
}
