// The countries that a customer can choose, under their English names. Pure.

import { isCountry } from "#shop/store/store.ts";

const names = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

/** Codes that the runtime names although nothing is delivered there: unions, outliers, and codes for tests. */
const noDestinations: ReadonlySet<string> = new Set(
  "AC CP CQ DG EA EU EZ IC QO TA UN XA XB".split(" "),
);

/** The English name of a country. */
export function countryName(code: string): string {
  return names.of(code) ?? code;
}

export interface Country {
  readonly code: string;
  readonly name: string;
}

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const everywhere = sortedByName(
  letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => isCountry(code) && !noDestinations.has(code)),
);

/** Returns the countries that can be chosen, by name; all where `destinations` is null. */
export function countriesOf(destinations: readonly string[] | null): readonly Country[] {
  return destinations === null ? everywhere : sortedByName(destinations);
}

function sortedByName(codes: readonly string[]): Country[] {
  return codes
    .map((code) => ({ code, name: countryName(code) }))
    .toSorted((one, other) => one.name.localeCompare(other.name, "en"));
}
