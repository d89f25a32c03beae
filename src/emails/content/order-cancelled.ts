// The email about an order that was cancelled: why, and what goes back. Pure.

import { linesOf } from "#pay-page/order/order-status.ts";
import { print } from "#pay-page/sums.ts";
import { overpaidOf } from "#sales/balance/balance.ts";

import type { EmailFacts } from "./email-facts.ts";
import { leadTo, type Letter, sentences, texts } from "./letter.ts";

/** Returns the email. */
export function orderCancelled(facts: EmailFacts): Letter {
  const { store } = facts;
  const { letters } = store;
  const words = letters.cancelled;
  const { order } = facts.whole;
  const lines = linesOf(facts, store).map((line) => ({
    ...line,
    // How many units there were; that they are cancelled is said above.
    remarks: line.remarks.slice(0, 1),
    isGone: false,
  }));
  return {
    subject: words.subject(order.number),
    headline: words.headline,
    parts: [
      ...sentences(words.why(order.cancelReason), ...moneyOf(facts)),
      ...leadTo("button", words.visit(store.name), store.websiteUrl),
      ...texts("heading", letters.orderOf(order.number)),
      { kind: "lines", lines },
      ...leadTo("link", letters.see, facts.statusUrl),
    ],
  };
}

/** Tells what becomes of the payment: refunds are opened shortly after the order is cancelled. */
function moneyOf({ whole: { order }, store }: EmailFacts): string[] {
  const words = store.letters.cancelled;
  if (order.paidMinor === 0) return [words.nothingPaid];
  const backMinor = order.refundingMinor + overpaidOf(order);
  const amount = (minor: number) => print(minor, order.currency, store.locale);
  const back = order.refundedMinor < backMinor ? words.goesBack : words.wentBack;
  const keptMinor = order.paidMinor - backMinor;
  return [
    ...(backMinor > 0 ? [back(amount(backMinor))] : []),
    ...(keptMinor > 0 ? [words.kept(amount(keptMinor))] : []),
  ];
}
