// Passkeys of people: how many there may be, what they are called, and what is refused.

import { defineRefusal, type Faults } from "#kernel/refusal.ts";
import { MINUTE_MS } from "#kernel/time.ts";
import type { RowOf } from "#platform/database/record.ts";
import type { passkeys } from "#shop/people/credentials/tables.ts";
import { tidyName, validateName } from "#shop/people/person.ts";

export type Passkey = RowOf<typeof passkeys>;

/** Passkeys of one person. */
export const PASSKEYS_MAX = 10;
/** How long an authenticator may take to sign. */
export const CHALLENGE_MS = 5 * MINUTE_MS;
const NAME_LENGTH_MAX = 60;

/** The dashboard as a browser knows it: a passkey belongs to a host, and what it signs names an origin. */
export interface RelyingParty {
  readonly host: string;
  readonly origin: string;
}

export const passkeyNotFound = defineRefusal(
  "passkey_not_found",
  "not_found",
  "There is no such passkey.",
);
export const passkeyRefused = defineRefusal(
  "passkey_refused",
  "conflict",
  "The passkey was not added: it is not one that this page asked for, or the page waited too long.",
);
export const passkeyExists = defineRefusal(
  "passkey_exists",
  "conflict",
  "This passkey was added before.",
);
export const tooManyPasskeys = defineRefusal(
  "too_many_passkeys",
  "conflict",
  `A person has at most ${PASSKEYS_MAX} passkeys: remove one first.`,
);
export const passkeyRequired = defineRefusal(
  "passkey_required",
  "conflict",
  "The shop asks you for a passkey: add another one before you remove your last.",
);
export const passkeyMissing = defineRefusal("passkey_missing", "conflict", {
  title: "Add a passkey of your own before you ask others for one.",
  cause:
    "A person without a passkey would set `require_passkey`. A passkey of their own shows that passkeys work at the address of this dashboard.",
  remedy: "Add a passkey at `/dashboard/me/passkeys`, and set it again.",
});

/** The name as it is kept, by the rules of a person's. Adds a fault at `/name` for a text that cannot be one. */
export function readPasskeyName(text: string, faults: Faults): string {
  validateName(text, faults, NAME_LENGTH_MAX);
  return tidyName(text);
}
