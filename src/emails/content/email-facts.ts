// The facts from which an email is written, and what all emails about an order have in common. Pure.

import type { OrderOnPage } from "#pay-page/order/get-order-status.ts";
import { accountOf, linesOf } from "#pay-page/order/order-status.ts";
import { billOf, type RecoveryBill } from "#pay-page/recovery-bill.ts";
import { type SumLine, totalOfOrder } from "#pay-page/sums.ts";
import { dueOf } from "#sales/rows/balance.ts";

import type { MailingStore } from "../words/localize.ts";
import { type Part, texts } from "./letter.ts";

/** The shop, the order as its page shows it now, and the event that the email is about. */
export interface EmailFacts extends OrderOnPage {
  readonly store: MailingStore;
  /** The link of the order's page. */
  readonly statusUrl: string;
  /** The payload of the event, as it was when it happened. */
  readonly news: unknown;
}

/** The bill of the order, and what keeps it from being paid, as its page says. */
export function billOfEmail(facts: EmailFacts): RecoveryBill {
  return billOf(facts, facts.store, { offersPayment: true });
}

/** The lines and all amounts of the order, as its page shows them. */
export function billParts(facts: EmailFacts, heading: string): Part[] {
  const { store } = facts;
  const account = accountOf(facts, store);
  return [
    ...texts("heading", heading),
    { kind: "lines", lines: linesOf(facts, store) },
    { kind: "sums", sums: totalOfOrder(facts.whole.order, store), isTotal: true },
    ...texts("note", ...billOfEmail(facts).included),
    // The amount to be paid of an untouched order is its total.
    ...(account.length > 1 || dueOf(facts.whole.order) === 0 ? sumsOf(account) : []),
  ];
}

function sumsOf(sums: readonly SumLine[]): Part[] {
  return sums.length === 0 ? [] : [{ kind: "sums", sums, isTotal: false }];
}

/** A first name, and no sentence: anyone can name a customer. */
const FIRST_NAME = /^[\p{L}\p{M}][\p{L}\p{M}'’-]{0,39}$/u;

/** How the customer is greeted: by their first name, where it is known. */
export function greetingOf(name: string | null, { letters }: MailingStore): string {
  const [first = ""] = (name ?? "").trim().split(/\s+/);
  return letters.hello(FIRST_NAME.test(first) ? first : null);
}
