// Lookup: what an alert says, as an email and as a message on a screen, in the language of the shop.

import { leadTo, type Letter, texts } from "#emails/content/letter.ts";
import type { MailingStore } from "#emails/words/localize.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { addressForPeople } from "#shop/people/credentials/link.ts";
import { tagOf } from "#shop/store/branding.ts";

import type { Alert } from "./alert.ts";
import type { AlertsShop, PushMessage, SendingTerms } from "./alerts-shop.ts";
import { type AlertFacts, nameIn, readFacts, sentenceOf, whereOf, whoOf } from "./facts.ts";
import { type NewsText, readNews } from "./news.ts";
import { addressOfAlert } from "./not-me.ts";
import { readSummary } from "./summary.ts";
import { isActKind } from "./tables.ts";

/** An alert in both forms. */
export interface Said {
  readonly letter: Letter;
  readonly push: PushMessage;
}

/** Null where there is nothing to say: the act or the event is kept no longer, or the day was empty. */
export async function sayAlert(
  shop: AlertsShop,
  { people, dashboardUrl }: SendingTerms,
  { alert, store }: { readonly alert: Alert; readonly store: MailingStore },
): Promise<Said | null> {
  const db = shop.database.read;
  const { kind, subject } = alert;
  if (isActKind(kind)) {
    const facts = await readFacts({ db, people: people.read }, alert);
    if (facts === null) return null;
    const { secret } = await getLinkTerms(db);
    const place = { secret, mode: shop.mode, dashboardUrl: dashboardUrl() };
    const url = addressOfAlert(alert, place);
    return sayAct(store, facts, { url, tag: alert.id });
  }
  const text =
    kind === "summary" ? await readSummary(shop, subject, store) : await readNews(db, alert, store);
  if (text === null) return null;
  const root = shop.mode === "test" ? "/dashboard/test" : "/dashboard";
  return sayNews(store, text, addressForPeople(dashboardUrl(), `${root}${text.path}`));
}

/** Who, when and from where, and the button to end what is not the person's own. */
function sayAct(
  store: MailingStore,
  facts: AlertFacts,
  { url, tag }: Pick<PushMessage, "url" | "tag">,
): Said {
  const { alert: says } = store.letters;
  const { person, kind } = facts;
  const headline = says.headlines[kind];
  const sentence = sentenceOf(store.letters, facts);
  const letter: Letter = {
    subject: says.subject(headline, store.name),
    headline,
    parts: [
      ...texts("paragraph", sentence),
      { kind: "items", items: linesOf(store, facts) },
      ...(person === null
        ? texts("note", says.programNote)
        : [
            ...leadTo("button", says.notMe, url),
            ...texts("note", says.notMeNote(nameIn(says, person.name))),
          ]),
    ],
  };
  return { letter, push: { title: headline, body: sentence, tag, url } };
}

function sayNews(store: MailingStore, { title, lines, tag, open }: NewsText, url: string): Said {
  const { alert: says } = store.letters;
  const letter: Letter = {
    subject: says.subject(title, store.name),
    headline: title,
    parts: [
      ...texts("paragraph", ...lines),
      ...leadTo("button", open, url),
      ...texts("note", says.push.chosen),
    ],
  };
  return { letter, push: { title, body: lines.join("\n"), tag, url } };
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
