// An email before it is written as text or as HTML: the facts that it is written from, and what it says from top to
// bottom. Invariant: it links to nothing but web pages.

import type { MailingStore } from "#emails/words/localize.ts";
import { publicNotesOf } from "#kernel/metadata.ts";
import { oneLine, typed } from "#kernel/typed-text.ts";
import { accountOf, linesOf, type OrderOnPage } from "#pay-page/order/order-status.ts";
import type { ShownLine } from "#pay-page/page-frame.ts";
import { billOf, type RecoveryBill } from "#pay-page/recovery-bill.ts";
import { type SumLine, totalOfOrder } from "#pay-page/sums.ts";
import type { Localized } from "#pay-page/words/localize.ts";
import { isolated } from "#platform/html/html.ts";
import { dueOf } from "#sales/rows/balance.ts";
import type { OrderLine } from "#sales/rows/order.ts";

export interface Letter {
  readonly subject: string;
  readonly headline: string;
  readonly parts: readonly Part[];
}

/** The parts between the greeting and the contact of the shop. */
export type Part =
  | { readonly kind: "paragraph" | "heading" | "amount" | "note"; readonly text: string }
  | { readonly kind: "button" | "link"; readonly label: string; readonly url: string }
  | { readonly kind: "items"; readonly items: readonly string[] }
  | { readonly kind: "lines"; readonly lines: readonly ShownLine[] }
  /** The last one is the sum of those before where `isTotal` says so. */
  | { readonly kind: "sums"; readonly sums: readonly SumLine[]; readonly isTotal: boolean };

/** A letter on the paper of its shop. */
export interface Sheet {
  readonly store: MailingStore;
  readonly greeting: string;
  readonly letter: Letter;
}

/** Each text as a part of its own. */
export function texts(
  kind: "paragraph" | "heading" | "amount" | "note",
  ...given: readonly (string | null)[]
): Part[] {
  return given.flatMap((text) => (text === null ? [] : [{ kind, text }]));
}

/** All sentences as one paragraph. */
export function sentences(...given: readonly (string | null)[]): Part[] {
  const told = given.filter((sentence) => sentence !== null);
  return told.length === 0 ? [] : texts("paragraph", told.join(" "));
}

/** The way on for the customer; nothing if the address is not that of a web page. */
export function leadTo(kind: "button" | "link", label: string, url: string | null): Part[] {
  return url !== null && /^https?:\/\//i.test(url) ? [{ kind, label, url }] : [];
}

/** A list under its heading; nothing without an item. */
export function listOf(heading: string, items: readonly string[]): Part[] {
  return items.length === 0 ? [] : [...texts("heading", heading), { kind: "items", items }];
}

/** How the customer reaches the shop, and its line below what it writes. */
export function contactOf({
  contactEmail,
  contactPhone,
  supportLine,
  letters: { contact: says },
}: MailingStore): string[] {
  const ways = [
    ...(contactEmail === null ? [] : [says.reply]),
    ...(contactPhone === null ? [] : [says.call(contactPhone)]),
  ];
  return [
    ...(ways.length === 0 ? [] : [says.questions(ways.join(says.or))]),
    ...(supportLine === null ? [] : [oneLine(supportLine)]),
  ];
}

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

/** Bounds of what an email tells of one line, which strangers may have typed. */
const NOTES_MAX = 5;
const NOTE_LENGTH_MAX = 100;

/** Returns what was chosen of a line, such as an engraving, as far as it carries no link. */
export function chosenIn(
  { metadata }: Pick<OrderLine, "metadata">,
  { words }: Localized,
): string[] {
  return publicNotesOf(metadata)
    .flatMap(([name, text]) => typed(`${name}${words.colon} ${text}`) ?? [])
    .slice(0, NOTES_MAX)
    .map((note) => isolated([...note].slice(0, NOTE_LENGTH_MAX).join("")));
}

/** The lines and all amounts of the order, as its page shows them. */
export function billParts(facts: EmailFacts, heading: string): Part[] {
  const { store } = facts;
  const account = accountOf(facts, store);
  return [
    ...texts("heading", heading),
    { kind: "lines", lines: linesOf(facts, store, chosenIn) },
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
