// The countries that a customer can choose, under their names in the language of the texts. Pure.

import { isCountry } from "#kernel/address.ts";
import { lazy } from "#platform/process/lazy.ts";
import type { Language } from "#shop/store/branding.ts";

const namesIn = (language: Language) =>
  lazy(() => new Intl.DisplayNames(language, { type: "region", fallback: "code" }));
const names = { en: namesIn("en"), fr: namesIn("fr"), sw: namesIn("sw") } as const;

/** The name of a country. */
export function countryName(code: string, language: Language): string {
  return names[language]().of(code) ?? code;
}

export interface Country {
  readonly code: string;
  readonly name: string;
}

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const allIn = (language: Language) =>
  lazy(() => {
    const codes = letters.flatMap((first) => letters.map((second) => first + second));
    return sortedByName(codes.filter(isCountry), language);
  });
const everywhere = { en: allIn("en"), fr: allIn("fr"), sw: allIn("sw") } as const;

/** Returns the countries that can be chosen, by name; all where `destinations` is null. */
export function countriesOf(
  destinations: readonly string[] | null,
  language: Language,
): readonly Country[] {
  return destinations === null ? everywhere[language]() : sortedByName(destinations, language);
}

function sortedByName(codes: readonly string[], language: Language): Country[] {
  return codes
    .map((code) => ({ code, name: countryName(code, language) }))
    .toSorted((one, other) => one.name.localeCompare(other.name, language));
}
