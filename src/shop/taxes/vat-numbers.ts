// The VAT numbers of the European Union: their forms, and the places that they are of. Only the form is known here:
// whether a number is registered, the Commission's VIES tells.

import { type Address, foldPostalCode } from "#kernel/address.ts";

/** The parts of an address that decide on its VAT numbers. */
type VatPlace = Pick<Address, "country" | "postalCode">;

/**
 * The forms after the prefix, as the Commission publishes them: "VAT identification number structure", in the FAQ of
 * https://ec.europa.eu/taxation_customs/vies/, read in November 2026. Greece has the prefix EL, and Northern Ireland,
 * where goods are taxed as in the Union, has XI. There a 9 is a digit, an L a letter, an X either, and an S either or one
 * of + and *.
 */
const forms: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  // The first and the last may be a letter or a digit, but not both a digit.
  ES: /^(?:[A-Z]\d{7}[A-Z\d]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-Z\d]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(?:\d[A-Z\d+*]\d{5}[A-Z]|\d{7}[A-W][A-I])$/,
  IT: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  // The tenth is always a B.
  NL: /^[A-Z\d+*]{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
};

const GREECE = { country: "GR", prefix: "EL" };
const NORTHERN_IRELAND = { country: "GB", postalCodes: "BT", prefix: "XI" };

/** The prefix of the VAT numbers of a place; null outside of the Union. */
export function vatPrefixOf({ country, postalCode }: VatPlace): string | null {
  if (country === null) return null;
  if (country === GREECE.country) return GREECE.prefix;
  if (country === NORTHERN_IRELAND.country) {
    const isThere = foldPostalCode(postalCode ?? "").startsWith(NORTHERN_IRELAND.postalCodes);
    return isThere ? NORTHERN_IRELAND.prefix : null;
  }
  return country in forms ? country : null;
}

/** Separators with which people write numbers; + and * are signs of some. */
const SEPARATORS = /[ ./-]/g;

/** The prefix of a number that has the form of a VAT number of the Union; null for any other. */
export function prefixOfVatNumber(taxId: string | null): string | null {
  const number = (taxId ?? "").toUpperCase().replaceAll(SEPARATORS, "");
  const prefix = number.slice(0, 2);
  return forms[prefix]?.test(number.slice(2)) === true ? prefix : null;
}
