// The languages in which customers read, and what of each the texts need. Pure.

import { lazy } from "#platform/process/lazy.ts";

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
