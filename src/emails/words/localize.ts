// Chooses the words of emails in the language of the shop. Invariant: texts in another language than English are loaded
// with the first email that has them.

import { localize, type LocalizedStore } from "#pay-page/words/localize.ts";
import type { Language } from "#shop/store/branding.ts";
import type { Store } from "#shop/store/store.ts";

import { type EmailWords, en } from "./en.ts";

/** The shop with the texts of its pages and of its emails, in the language of its locale. */
export type MailingStore = LocalizedStore & { readonly letters: EmailWords };

const texts: Readonly<Record<Language, () => Promise<EmailWords>>> = {
  en: () => Promise.resolve(en),
  fr: async () => (await import("./fr.ts")).fr,
  sw: async () => (await import("./sw.ts")).sw,
};

/** Returns the shop with the texts of its locale. */
export async function localizeEmails(store: Store): Promise<MailingStore> {
  const localized = await localize(store);
  return { ...localized, letters: await texts[localized.language]() };
}
