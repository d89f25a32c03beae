// The countries that a customer can choose, under their English names. Pure.

import { isCountry } from "#kernel/address.ts";
import { lazy } from "#platform/process/lazy.ts";

const names = lazy(() => new Intl.DisplayNames("en", { type: "region", fallback: "code" }));

/** The English name of a country. */
export function countryName(code: string): string {
  return names().of(code) ?? code;
}

export interface Country {
  readonly code: string;
  readonly name: string;
}

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const everywhere = lazy(() =>
  sortedByName(
    letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountry),
  ),
);

/** Returns the countries that can be chosen, by name; all where `destinations` is null. */
export function countriesOf(destinations: readonly string[] | null): readonly Country[] {
  return destinations === null ? everywhere() : sortedByName(destinations);
}

function sortedByName(codes: readonly string[]): Country[] {
  return codes
    .map((code) => ({ code, name: countryName(code) }))
    .toSorted((one, other) => one.name.localeCompare(other.name, "en"));
}
