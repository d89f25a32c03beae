// The email about an order that was placed: what it comes to, and how it is paid. Pure.

import { keptUntil, stepByHandOf } from "#pay-page/next-step.ts";
import type { RecoveryBill } from "#pay-page/recovery-bill.ts";
import { isolated } from "#platform/html/isolated.ts";
import { dueOf } from "#sales/balance/balance.ts";

import { billOfEmail, billParts, type EmailFacts } from "./email-facts.ts";
import { leadTo, type Letter, type Part, sentences, texts } from "./letter.ts";

/** Returns the email; undefined of an order that was cancelled meanwhile. */
export function orderPlaced(facts: EmailFacts): Letter | undefined {
  const { order } = facts.whole;
  if (order.status === "cancelled") return undefined;
  const { letters } = facts.store;
  const bill = billOfEmail(facts);
  const subject = letters.placed.subject(order.number);
  return {
    subject,
    headline: subject,
    parts: [
      ...sentences(letters.thanks, bill.isFree ? letters.placed.prepared : null),
      ...(dueOf(order) > 0 ? paying(facts, bill) : leadTo("button", letters.see, facts.statusUrl)),
      ...billParts(facts, letters.yourOrder),
    ],
  };
}

/** The amount that is due, and what to do for it. */
function paying({ whole: { order }, store, statusUrl }: EmailFacts, bill: RecoveryBill): Part[] {
  const { letters, words } = store;
  if (bill.obstacle !== null) {
    return [...sentences(bill.obstacle.sentence), ...leadTo("button", letters.see, statusUrl)];
  }
  const due = [...texts("heading", letters.placed.toPay), ...texts("amount", bill.amount)];
  const step = stepByHandOf(order, store);
  if (step === null) {
    return [
      ...due,
      ...sentences(letters.placed.payHere, ...keptUntil(order, store)),
      ...leadTo("button", letters.placed.pay, statusUrl),
    ];
  }
  // The thanks say it.
  const remarks = step.remarks.filter((remark) => remark !== words.step.shopHasIt);
  return [
    ...due,
    ...texts("paragraph", `${isolated(step.heading)}${words.colon} ${step.text}`),
    ...sentences(...remarks),
    ...leadTo("button", letters.see, statusUrl),
  ];
}
