// People who run the shop: the names by which they sign in, and what is refused. They are in the live store only,
// and sign in to both modes.

import { defineRefusal, type Faults } from "#kernel/refusal.ts";
import type { RowOf } from "#platform/database/record.ts";

import type { people } from "./tables.ts";

/** A person who may sign in, or who was removed and is still named by what they did. */
export type Person = RowOf<typeof people>;

/** A person who has given no email, and has chosen nothing of what they are told. */
export const noWishes = { email: null, emailVerifiedAt: null, alerts: {} } as const;

const NAME_LENGTH_MAX = 100;
/** Controls and invisible characters: two names that look alike would be two people. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;

export const personNotFound = defineRefusal(
  "person_not_found",
  "not_found",
  "There is no such person.",
);
export const nameTaken = defineRefusal(
  "person_name_taken",
  "conflict",
  "Another person has this name.",
);
export const lastOwner = defineRefusal(
  "last_owner",
  "conflict",
  "The shop must keep an owner: make another person an owner first.",
);

/** The name as it is kept: without outer spaces, and with single ones. */
export function tidyName(name: string): string {
  return name.normalize("NFC").trim().replaceAll(/\s+/g, " ");
}

/**
 * The key by which two names are compared: compatible characters are one (NFKC), and so are cases. Upper case first,
 * because it joins what lower case leaves apart, such as the two forms of sigma.
 */
export function nameKeyOf(name: string): string {
  return tidyName(name).normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");
}

/** Adds a fault at `/name` for a name that cannot be one. */
export function validateName(name: string, faults: Faults, lengthMax = NAME_LENGTH_MAX): void {
  const tidy = tidyName(name);
  if (tidy === "" || [...tidy].length > lengthMax) {
    const detail = `The name must have 1 to ${lengthMax} characters.`;
    faults.add("/name", "invalid_length", detail);
  } else if (UNSEEN.test(tidy)) {
    faults.add("/name", "invalid_format", "The name has characters that cannot be seen.");
  }
}
