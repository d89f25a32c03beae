// Codes of discounts: how they are written, how they are made, and refusals.

import { defineRefusal, type Faults } from "#kernel/refusal.ts";

import type { DiscountCodeRow } from "./tables.ts";

/** A code as it is answered. */
export interface DiscountCode extends DiscountCodeRow {
  /** Orders that use it, also where there is no limit. */
  readonly uses: number;
}

/** Codes of one request: given, or to be made. */
export const CODES_AT_ONCE_MAX = 1000;

/** The form of a code: spaces around it and the case of its letters do not count. */
export const CODE_PATTERN = "^\\s*[A-Za-z0-9_-]{3,40}\\s*$";
const codeForm = new RegExp(CODE_PATTERN);

/**
 * The stored form of a code: trimmed, in upper case. Only ASCII letters are folded, so that no other text becomes a
 * code by the rules of a script.
 */
export function foldCode(typed: string): string {
  return typed.trim().replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** Returns true if the text can be a code of some discount. */
export function isCode(typed: string): boolean {
  return codeForm.test(typed);
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
