// Writes an alert as an email. Pure.

import { leadTo, type Letter, texts } from "#emails/content/letter.ts";
import type { EmailContent } from "#emails/content/write-letter.ts";
import type { MailingStore } from "#emails/words/localize.ts";
import { tagOf } from "#shop/store/branding.ts";

import { type AlertFacts, nameIn, sentenceOf, whereOf, whoOf } from "./facts.ts";
import { type Addressee, letterTo } from "./mail-own-email.ts";

/** The email to an owner; `url` is the page of its button. */
export function writeAlert(
  to: Addressee,
  store: MailingStore,
  { facts, url }: { readonly facts: AlertFacts; readonly url: string },
): EmailContent {
  const { alert: says } = store.letters;
  const { person, kind } = facts;
  const headline = says.headlines[kind];
  const letter: Letter = {
    subject: says.subject(headline, store.name),
    headline,
    parts: [
      ...texts("paragraph", sentenceOf(store.letters, facts)),
      { kind: "items", items: linesOf(store, facts) },
      ...(person === null
        ? texts("note", says.programNote)
        : [
            ...leadTo("button", says.notMe, url),
            ...texts("note", says.notMeNote(nameIn(says, person.name))),
          ]),
    ],
  };
  return letterTo(to, store, letter);
}

/** Who, when and from where. */
function linesOf(store: MailingStore, facts: AlertFacts): string[] {
  const { letters, words, language, locale, timezone } = store;
  const { alert: says } = letters;
  const when = new Intl.DateTimeFormat(tagOf(language, locale), {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: timezone,
  }).format(facts.entry.createdAt);
  const lines = [
    [says.who, whoOf(letters, facts)],
    [says.when, when],
    [says.from, whereOf(facts) ?? says.unknown],
  ];
  return lines.map(([name, value]) => `${name}${words.colon} ${value}`);
}
