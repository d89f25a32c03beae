// Reads the address that a customer typed into the page. Pure.

import { type Address, isCountry } from "#kernel/address.ts";

import type { Localized } from "../words/localize.ts";

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

/** Spaces in place of characters that no line has; null where nothing is left. */
function readLine(form: URLSearchParams, name: keyof typeof ADDRESS_LENGTHS): string | null {
  const typed = (form.get(name) ?? "").normalize("NFC").replaceAll(/[\p{Cc}\s]+/gu, " ");
  const text = [...typed.trim()].slice(0, ADDRESS_LENGTHS[name]).join("").trim();
  return text === "" ? null : text;
}
