// How the shop appears to customers on its pages: its language, logo, color, contact and line.

import { lazy } from "#platform/process/lazy.ts";

/** The merchant's settings; null: pages do without it. */
export interface Branding {
  /** BCP 47, such as fr-CI: the language, where there are texts in it, and how dates and amounts are written. Null: `GHS 249.50`. */
  readonly locale: string | null;
  readonly logoUrl: string | null;
  /** As #rrggbb. */
  readonly brandColor: string | null;
  readonly contactEmail: string | null;
  /** E.164. */
  readonly contactPhone: string | null;
  readonly websiteUrl: string | null;
  readonly supportLine: string | null;
}

/** The branding of a new shop. */
export const plainBranding: Branding = {
  locale: null,
  logoUrl: null,
  brandColor: null,
  contactEmail: null,
  contactPhone: null,
  websiteUrl: null,
  supportLine: null,
};

/** Returns true if the runtime writes dates and amounts as people of this locale do. */
export function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

// The languages in which customers read, and what of each the texts need. Pure.

const languages = ["en", "fr", "sw"] as const;
export type Language = (typeof languages)[number];

/** The language of the texts in a locale such as `fr-CI`: English where there are none in its own. */
export function languageOf(locale: string | null): Language {
  const spoken = locale === null ? "en" : new Intl.Locale(locale).language;
  return languages.find((language) => language === spoken) ?? "en";
}

/** The BCP 47 tag of texts in this language: that of the locale, unless it only decides on dates and amounts. */
export function tagOf(language: Language, locale: string | null): string {
  return locale !== null && new Intl.Locale(locale).language === language ? locale : language;
}

/** Chooses between the two forms that a noun has beside a whole number in these languages (CLDR). */
export function pluralOf(
  language: Language,
): (count: number, one: string, other: string) => string {
  const rules = lazy(() => new Intl.PluralRules(language));
  return (count, one, other) => (rules().select(count) === "one" ? one : other);
}
