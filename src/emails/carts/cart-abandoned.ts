// The email about a cart that was left at the checkout: what is in it, and the way back. Pure.

import { shownLine } from "#pay-page/recovery-page.ts";

import { leadTo, type Letter, sentences, texts } from "../content/letter.ts";
import { en } from "../content/words.ts";
import type { Reminder } from "./find-reminder.ts";

const words = en.cart;

/** Returns the email, with the link that ends such emails. */
export function cartAbandoned(
  { store, bill, recoveryUrl }: Reminder,
  unsubscribeUrl: string,
): Letter {
  const { name, legalName, postalAddress } = store;
  return {
    subject: words.subject(name),
    headline: words.headline,
    parts: [
      ...sentences(words.left),
      ...sentences(...bill.changes),
      ...leadTo("button", words.back, recoveryUrl),
      ...texts("heading", words.heading),
      { kind: "lines", lines: bill.lines.map(shownLine) },
      { kind: "sums", sums: bill.sums, isTotal: true },
      ...texts("note", ...bill.included, words.why(name)),
      ...texts("note", postalAddress && words.sender(legalName ?? name, postalAddress)),
      ...leadTo("link", words.unsubscribe, unsubscribeUrl),
    ],
  };
}
