// Codes of discounts: how they are written, how they are made, and refusals.

import { defineRefusal, type Faults } from "#kernel/refusal.ts";
import { identifier } from "#kernel/text.ts";

import type { DiscountCodeRow } from "./tables.ts";

/** A code as it is answered. */
export interface DiscountCode extends DiscountCodeRow {
  /** Orders that use it, also where there is no limit. */
  readonly uses: number;
}

/** Codes of one request: given, or to be made. */
export const CODES_AT_ONCE_MAX = 1000;

/** The form of a code: letters and marks of any script, digits, and what people put between them. */
export const CODE_PATTERN =
  "^[\\p{L}\\p{M}\\p{N}_-][\\p{L}\\p{M}\\p{N}_. -]{0,38}[\\p{L}\\p{M}\\p{N}_-]$";
export const CODE_SENTENCE = "Letters, digits, - and _, with . and blanks between them, 2 to 40.";
/** Capitals may be longer than what was typed: `ß` is `SS`. */
const STORED_CODE = /^[\p{L}\p{M}\p{N}_. -]{2,120}$/u;
/** Lower case leaves it behind the `i` of `İ`, which Turkish writes as a capital of `i`. */
const DOT_ABOVE_I = /i\u0307/g;

/**
 * The stored form of a code, in capitals. Two codes with the same form are one: `straße` is `STRASSE`, and `İ`, `ı`, `I`
 * and `i` are one letter, whichever keyboard they come from.
 */
export function foldCode(typed: string): string {
  const small = identifier(typed).normalize("NFKC").toUpperCase().toLowerCase();
  return small.replaceAll(DOT_ABOVE_I, "i").toUpperCase().normalize("NFKC");
}

/** Returns true if the text can be a code of some discount. */
export function isCode(typed: string): boolean {
  return STORED_CODE.test(foldCode(typed));
}

/** Folds the codes of a request. Adds a fault for each that is given twice. */
export function readCodes(typed: readonly string[], faults: Faults): string[] {
  const codes = typed.map(foldCode);
  codes.forEach((code, index) => {
    if (codes.indexOf(code) === index) return;
    faults.add(`/codes/${index}`, "duplicate", "The code is given twice.");
  });
  return codes;
}

/** Twenty-two characters of which none looks or sounds like another; without vowels they form no words. */
const CODE_ALPHABET = "CDFGHJKMNPQRTVWXY34679";
/** 22^10: with a thousand codes, one guess in 26 billion is right. */
export const CODE_RANDOM_LENGTH = 10;
/** Bytes from here on are drawn again, or the first characters would be likelier. */
const FAIR_BYTES = 256 - (256 % CODE_ALPHABET.length);

/** A code of the prefix and random characters, which `draw` supplies as bytes. */
export function randomCode(prefix: string, draw: (length: number) => Uint8Array): string {
  let code = prefix;
  while (code.length < prefix.length + CODE_RANDOM_LENGTH) {
    const [byte = FAIR_BYTES] = draw(1);
    if (byte < FAIR_BYTES) code += CODE_ALPHABET.charAt(byte % CODE_ALPHABET.length);
  }
  return code;
}

export const discountCodeNotFound = defineRefusal(
  "discount_code_not_found",
  "not_found",
  "The discount has no such code.",
);
export const discountCodeTaken = defineRefusal("discount_code_taken", "conflict", {
  title: "A discount has this code already.",
  cause:
    "A code belongs to one discount of the shop, also to an archived one. `errors` points at each that is taken.",
  remedy: "Use other codes, or delete those that are taken where no order used them.",
  faults: { duplicate: "A discount has this code." },
  example: {
    faults: [{ pointer: "/codes/0", code: "duplicate", detail: "A discount has this code." }],
  },
});
export const discountIsAutomatic = defineRefusal("discount_is_automatic", "conflict", {
  title: "An automatic discount has no codes.",
  cause: "The discount applies by itself, so a code for it would have no effect.",
  remedy: "Update the discount with `automatic: false` first.",
});
