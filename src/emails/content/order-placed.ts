// The email about an order that was placed: what it comes to, and how it is paid. Pure.

import { keptUntil, SHOP_HAS_IT, stepByHandOf } from "#pay-page/next-step.ts";
import type { RecoveryBill } from "#pay-page/recovery-bill.ts";
import { isolated } from "#platform/html/isolated.ts";
import { dueOf } from "#sales/balance/balance.ts";

import { billOfEmail, billParts, type EmailFacts } from "./email-facts.ts";
import { leadTo, type Letter, type Part, sentences, texts } from "./letter.ts";
import { en } from "./words.ts";

/** Returns the email; undefined of an order that was cancelled meanwhile. */
export function orderPlaced(facts: EmailFacts): Letter | undefined {
  const { order } = facts.whole;
  if (order.status === "cancelled") return undefined;
  const bill = billOfEmail(facts);
  const subject = en.placed.subject(order.number);
  return {
    subject,
    headline: subject,
    parts: [
      ...sentences(en.thanks, bill.isFree ? en.placed.prepared : null),
      ...(dueOf(order) > 0 ? paying(facts, bill) : leadTo("button", en.see, facts.statusUrl)),
      ...billParts(facts, en.yourOrder),
    ],
  };
}

/** The amount that is due, and what to do for it. */
function paying({ whole: { order }, store, statusUrl }: EmailFacts, bill: RecoveryBill): Part[] {
  if (bill.obstacle !== null) {
    return [...sentences(bill.obstacle.sentence), ...leadTo("button", en.see, statusUrl)];
  }
  const due = [...texts("heading", en.placed.toPay), ...texts("amount", bill.amount)];
  const step = stepByHandOf(order, store);
  if (step === null) {
    return [
      ...due,
      ...sentences(en.placed.payHere, ...keptUntil(order, store)),
      ...leadTo("button", en.placed.pay, statusUrl),
    ];
  }
  const remarks = step.remarks.filter((remark) => remark !== SHOP_HAS_IT);
  return [
    ...due,
    ...texts("paragraph", `${isolated(step.heading)}: ${step.text}`),
    ...sentences(...remarks),
    ...leadTo("button", en.see, statusUrl),
  ];
}
