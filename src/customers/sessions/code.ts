// Codes that are sent to a contact: how long each counts, how many digits it has, and when one may be asked for. Pure.

import type { Contact } from "#customers/customer.ts";
import { base62, numberOf, randomBytes } from "#kernel/random.ts";
import { defineRefusal, type Refusal } from "#kernel/refusal.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#kernel/time.ts";
import type { Vault } from "#platform/vault/vault.ts";

/** An email in lower case, or a phone in E.164: what a code is sent to. */
export interface CodeContact {
  readonly kind: "email" | "phone";
  readonly value: string;
}

export const CODE_MS = 10 * MINUTE_MS;
/** Tries of one challenge, and as many of those who name none. */
export const TRIES_MAX = 5;
/** Wrong codes count until there was none for so long. */
export const FAILURES_MS = 30 * DAY_MS;

/** Codes to one contact from one network: no one is flooded, and a stranger in another network takes none of the owner's. */
const CODE_EVERY_MS = MINUTE_MS;
const CODES_PER_NETWORK = 5;
/** From all networks; beyond, one for each network that had none. */
const CODES_PER_HOUR = 20;
export const CODES_PER_HOUR_MAX = 40;

const CHALLENGE_LENGTH = 22;

/** A new name of a code, 128 bits: only the browser that asked for the code has it. */
export function newChallenge(): string {
  return `csc_${base62(numberOf(randomBytes(16)), CHALLENGE_LENGTH)}`;
}

export type CodeLength = 6 | 8 | 12;

/** Guesses before which a code is short. */
const SHORT_MAX = 20;

/**
 * The digits of the next code, so that guesses stay hopeless without a lock: fewer than 30 meet six digits, and at most
 * 110 eight. `guesses` are those that failed, and those that are still to be had.
 */
export function digitsAfter(guesses: number): CodeLength {
  if (guesses < SHORT_MAX) return 6;
  return guesses < 100 ? 8 : 12;
}

/** A new code: each as likely as another. */
export function newCode(digits: CodeLength, random: () => bigint = randomWord): string {
  const codes = 10n ** BigInt(digits);
  // The last numbers of a word are left out: they would make small codes likelier.
  const end = 2n ** 64n - (2n ** 64n % codes);
  let word = random();
  while (word >= end) word = random();
  return String(word % codes).padStart(digits, "0");
}

function randomWord(): bigint {
  return numberOf(randomBytes(8));
}

/** The code as people read it: a long one in fours. */
export function spellCode(code: string): string {
  return code.length === 6 ? code : code.replaceAll(/(.{4})(?=.)/g, "$1 ");
}

/**
 * The form in which the contact is stored. The secret of withdrawals would not do: it outlives a rotation of the key,
 * after which who had the former key and reads the database must not find the codes.
 */
export function hashOfContact(vault: Vault, { kind, value }: CodeContact): string {
  return vault.sign(`contact of a customer\n${kind}\n${value}`);
}

/** The form in which a code to the contact is stored. */
export function hashOfCode(vault: Vault, contactHash: string, code: string): string {
  return vault.sign(`code of a customer\n${contactHash}\n${code}`);
}

/** The contact as customers are found by it. */
export function asContact({ kind, value }: CodeContact): Contact {
  return { email: null, phone: null, [kind]: value };
}

/** A code that was asked for. */
export interface AskedCode {
  readonly at: number;
  /** The network of the client; null if it is not known. */
  readonly network: string | null;
}

/** How long to wait before the next code, milliseconds; 0 if one may be sent now. `asked` is of the last hour. */
export function waitForCode(asked: readonly AskedCode[], { at: now, network }: AskedCode): number {
  const ofNetwork = asked.filter((earlier) => earlier.network === network);
  const most = ofNetwork.length === 0 ? CODES_PER_HOUR_MAX : CODES_PER_HOUR;
  const free = Math.max(
    (ofNetwork.at(-1)?.at ?? -Infinity) + CODE_EVERY_MS,
    (ofNetwork.at(-CODES_PER_NETWORK)?.at ?? -Infinity) + HOUR_MS,
    (asked.at(-most)?.at ?? -Infinity) + HOUR_MS,
  );
  return Math.max(0, free - now);
}

/** The codes of a day that the shop sends to contacts of a kind that no customer has verified; the last fifth is for others. */
export function strangersPart(perDay: number): number {
  return perDay - Math.floor(perDay / 5);
}

/** The codes of a day that one network may have of the strangers' part once half of it is gone: a tenth, or one contact's. */
export function networkShare(perDay: number): number {
  return Math.max(CODES_PER_NETWORK, Math.floor(strangersPart(perDay) / 10));
}

/** The fate of a code that was given back. `guessed`: it is wrong, after so many wrong ones that codes are longer. */
export type CodeOutcome = "right" | "wrong" | "guessed";

/** The outcome of a wrong code, which is among so many of the contact. */
export function outcomeAfter(failures: number): CodeOutcome {
  return failures > SHORT_MAX ? "guessed" : "wrong";
}

/** The refusal of a code that is not right. */
export function codeRefusal(outcome: CodeOutcome): Refusal {
  return codeInvalid(outcome === "guessed" ? { abuse: "guesses" } : {});
}

export const codeInvalid = defineRefusal("code_invalid", "invalid", {
  title: "The code is not valid.",
  cause:
    "The code is wrong, older than ten minutes, was used already, or five wrong ones were given for it. With `challenge`, only the code counts that was sent with it.",
  remedy: "Let the customer type the last code that was sent, or send another one.",
});
