// Chooses the words of pages and emails in the language of their shop. Invariant: texts in another language than
// English are loaded with the first page that has them.

import type { PaymentMethod } from "#kernel/payment-method.ts";
import { type Branding, type Language, languageOf } from "#shop/store/branding.ts";
import type { PaymentSettings } from "#shop/store/payment-methods.ts";
import type { Store } from "#shop/store/store.ts";

import { en, type Words } from "./en.ts";

/** The texts of a language, and the locale by which amounts and days are written. */
export interface Localized extends Pick<Branding, "locale"> {
  readonly language: Language;
  readonly words: Words;
}

export type LocalizedStore = Store & Localized;

const texts: Readonly<Record<Language, () => Promise<Words>>> = {
  en: () => Promise.resolve(en),
  fr: async () => (await import("./fr.ts")).fr,
  sw: async () => (await import("./sw.ts")).sw,
};

/** Returns the shop with the texts of its locale. */
export async function localize<Shown extends Pick<Branding, "locale">>(
  shop: Shown,
): Promise<Shown & Localized> {
  const language = languageOf(shop.locale);
  return { ...shop, language, words: await texts[language]() };
}

/** The same in English, whatever the locale is: what developers read. */
export function inEnglish<Shown extends Pick<Branding, "locale">>(shop: Shown): Shown & Localized {
  return { ...shop, language: "en", words: en };
}

type Named = Pick<PaymentSettings, "paymentMethods"> & Pick<Localized, "words">;

/** The name of the method. */
export function methodLabelOf({ paymentMethods, words }: Named, method: PaymentMethod): string {
  return paymentMethods[method]?.label ?? words.methods.labels[method];
}
