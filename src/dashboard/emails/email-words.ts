// An email in words: how it stands, and why it was not sent.

import type { Static } from "typebox";

import type { emailWire } from "#emails/schema.ts";
import { type Html } from "#platform/html/html.ts";

import { mark } from "../parts/order-words.ts";
import { en } from "../words/en.ts";

export type Email = Static<(typeof emailWire)["schema"]>;

const looks = { waiting: "wait", sent: "done", failed: "stop", skipped: "off" } as const;

/** How it stands: a mark and a word. */
export function emailMark({ status }: Pick<Email, "status">): Html {
  return mark(looks[status], en.emails.states[status]);
}

const reasons: Readonly<Record<string, string>> = en.emails.reasons;

/** The sentence of an error such as `rejected 550 5.1.1`, with the codes of the mail server; null without one. */
export function whyOf(error: string | null): string | null {
  if (error === null) return null;
  const [word = "", ...codes] = error.split(" ");
  const why = reasons[word] ?? word;
  return codes.length === 0 ? why : `${why} (${codes.join(" ")})`;
}
