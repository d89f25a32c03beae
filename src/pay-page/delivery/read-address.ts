// Reads the address that a customer typed into the page. Pure.

import { type Address, isCountry } from "#kernel/address.ts";
import { identifier, line } from "#kernel/text.ts";
import type { Localized } from "#pay-page/words/localize.ts";
import { lazy } from "#platform/process/lazy.ts";
import type { Language } from "#shop/store/branding.ts";

/** Characters of each field: all of them in any script are a form of less than 4,096 bytes. */
export const ADDRESS_LENGTHS = { line1: 100, city: 60, region: 60, postal_code: 20 } as const;

const nothing: Address = {
  name: null,
  line1: null,
  line2: null,
  city: null,
  region: null,
  postalCode: null,
  country: null,
  phone: null,
};

/**
 * Returns the address after the form: a form without a street only adds the country. The name and the phone of the
 * known address stay. Returns a sentence instead for what the customer must correct.
 */
export function readAddress(
  form: URLSearchParams,
  known: Address | null,
  { words: { delivery: says } }: Localized,
): Address | string {
  const country = form.get("country") ?? "";
  if (!/^[A-Z]{2}$/.test(country) || !isCountry(country)) return says.noCountry;
  if (!form.has("line1") && known?.line1) return { ...known, country };
  const read = (name: keyof typeof ADDRESS_LENGTHS) => readLine(form, name);
  const [line1, city] = [read("line1"), read("city")];
  if (line1 === null || city === null) return says.noStreet;
  const { name, phone } = known ?? nothing;
  const [region, postalCode] = [read("region"), read("postal_code")];
  return { ...nothing, name, phone, line1, city, region, postalCode, country };
}

/** Null where nothing is left. */
function readLine(form: URLSearchParams, name: keyof typeof ADDRESS_LENGTHS): string | null {
  const formed = name === "postal_code" ? identifier : line;
  const text = formed([...formed(form.get(name) ?? "")].slice(0, ADDRESS_LENGTHS[name]).join(""));
  return text === "" ? null : text;
}

// The countries that a customer can choose, under their names in the language of the texts. Pure.

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
