// A postal address, of a customer, an order or a cart. Every part may be unknown.

export interface Address {
  readonly name: string | null;
  readonly line1: string | null;
  readonly line2: string | null;
  readonly city: string | null;
  readonly region: string | null;
  readonly postalCode: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly phone: string | null;
}

/** Removes accents from Latin letters only: in other scripts a mark can be a letter. */
const LATIN_WITH_MARKS = /(\p{Script=Latin})\p{M}+/gu;
const NEITHER_LETTER_NOR_DIGIT = /[^\p{L}\p{M}\p{N}]+/gu;

/**
 * The name of a region as names are compared: `Île-de-France` is `ile de France`. Empty where the text has
 * neither a letter nor a digit.
 */
export function foldRegion(name: string): string {
  // Most addresses have none.
  if (name === "") return "";
  return name
    .normalize("NFKD")
    .replaceAll(LATIN_WITH_MARKS, "$1")
    .toLowerCase()
    .normalize("NFC")
    .replaceAll(NEITHER_LETTER_NOR_DIGIT, "");
}

/** A postal code, or its beginning, as codes are compared: `SW1A 1AA` is `sw1a-1aa`. */
export function foldPostalCode(code: string): string {
  if (code === "") return "";
  return code.normalize("NFKD").toUpperCase().replaceAll(NEITHER_LETTER_NOR_DIGIT, "");
}
