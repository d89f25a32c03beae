// The email about a cart or an unpaid order that was left at the checkout: what is in it, and the way back. Pure.

import { shownLine } from "#pay-page/recovery-page.ts";

import { leadTo, type Letter, sentences, texts } from "../content/letter.ts";
import type { Reminder } from "./find-reminder.ts";

/** Returns the email, with the link that ends such emails. */
export function cartAbandoned(
  { store, bill, kind, notes, url }: Reminder,
  unsubscribeUrl: string,
): Letter {
  const { name, legalName, postalAddress, letters } = store;
  const words = letters.left[kind];
  return {
    subject: words.subject(name),
    headline: words.headline,
    parts: [
      ...sentences(words.left),
      ...sentences(...notes),
      ...leadTo("button", words.back, url),
      ...texts("heading", words.heading),
      { kind: "lines", lines: bill.lines.map((line) => shownLine(line, store)) },
      { kind: "sums", sums: bill.sums, isTotal: true },
      ...texts("note", ...bill.included, words.why(name)),
      ...texts("note", postalAddress && letters.left.sender(legalName ?? name, postalAddress)),
      ...leadTo("link", letters.left.unsubscribe, unsubscribeUrl),
    ],
  };
}
