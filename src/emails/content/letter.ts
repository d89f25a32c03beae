// An email before it is written as text or as HTML: what it says from top to bottom. Invariant: it links to nothing but
// web pages.

import type { ShownLine } from "#pay-page/page-frame.ts";
import type { SumLine } from "#pay-page/sums.ts";

import type { MailingStore } from "../words/localize.ts";

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

/** A point before a letter, as in `shop.example`, an address, or the beginning of a link. */
const LINK = /\.\p{L}|@|:\/\//u;

/**
 * The text that a customer typed; null if a mail program would make a link of it. Strangers may order for any address,
 * and emails of the shop carry no advertisement of theirs.
 */
export function typed(text: string | null | undefined): string | null {
  const line = oneLine(text ?? "");
  return line === "" || LINK.test(line) ? null : line;
}

/** The text in one line, as a subject or a name in a header has to be. */
export function oneLine(text: string): string {
  // Controls, and the two separators that some programs take for the end of a line.
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
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
