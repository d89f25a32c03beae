// Story: a code for a contact, for the browser that asked.

import { DAY_MS, HOUR_MS, SECOND_MS } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import { rateLimited } from "#platform/http/contract/refusals.ts";
import { hashOfToken } from "#shop/people/credentials/token.ts";

import {
  CODE_MS,
  type CodeContact,
  type CodeLength,
  type CodeOutcome,
  CODES_PER_HOUR_MAX,
  digitsAfter,
  FAILURES_MS,
  hashOfCode,
  hashOfContact,
  newChallenge,
  newCode,
  outcomeAfter,
  strangersPart,
  TRIES_MAX,
  waitForCode,
} from "./code.ts";
import {
  addCodeCounts,
  countBareTry,
  countTry,
  insertChallenge,
  insertCodeIfFree,
  liveChallenges,
  lockCode,
  saveAsked,
  saveFailures,
  sumCodes,
  useUp,
} from "./queries.ts";
import type { CustomerCode } from "./tables.ts";

interface CodeTerms {
  /** The code of a contact that stands for no one; null where one is made. */
  readonly magic: string | null;
  /** True if the contact has the limits of a live shop. */
  readonly isLimited: boolean;
  /** The network of the client who asks; null if it is not known. */
  readonly network: string | null;
}

export interface IssuedCode {
  readonly code: string;
  readonly digits: CodeLength;
  /** It is stored nowhere. */
  readonly challenge: string;
  readonly expiresAt: number;
}

/**
 * Afterwards the code is valid for the contact, for ten minutes and five tries with its challenge; without one, the newest
 * code of the contact has five others. Earlier codes stay valid with theirs. Whether a customer has the contact makes no
 * difference. Refuses with `rate_limited`.
 */
export async function issueCode(
  tx: Tx,
  contact: CodeContact,
  { magic, isLimited, network }: CodeTerms,
): Promise<IssuedCode> {
  const { now } = tx;
  const contactHash = hashOfContact(tx.vault, contact);
  const known = await lockOrInsert(tx, contactHash);
  const asked = known.askedAt.filter(({ at }) => at > now - HOUR_MS);
  const next = { at: now, network };
  const waitMs = isLimited ? waitForCode(asked, next) : 0;
  if (waitMs > 0) {
    throw rateLimited({
      detail:
        "A contact is sent one code a minute and five an hour from one network, and twenty an hour in all.",
      abuse: "codes",
      headers: { "Retry-After": String(Math.ceil(waitMs / SECOND_MS)) },
    });
  }
  const live = await liveChallenges(tx, { contactHash, now });
  const digits = magic === null ? digitsAfter(guessesOf(known, live, now)) : 6;
  const code = magic ?? newCode(digits);
  const challenge = newChallenge();
  const expiresAt = now + CODE_MS;
  await insertChallenge(tx, {
    idHash: hashOfToken(challenge),
    contactHash,
    codeHash: hashOfCode(tx.vault, contactHash, code),
    tries: 0,
    expiresAt,
    // Two of one instant are told apart: the newest counts without a challenge.
    createdAt: Math.max(now, (live[0]?.createdAt ?? 0) + 1),
  });
  await saveAsked(tx, {
    contactHash,
    askedAt: [...asked, next].slice(-CODES_PER_HOUR_MAX),
    forgottenAt: Math.max(known.forgottenAt, now + HOUR_MS),
  });
  return { code, digits, challenge, expiresAt };
}

async function lockOrInsert(tx: Tx, contactHash: string): Promise<CustomerCode> {
  const { now } = tx;
  const fresh = {
    contactHash,
    failures: 0,
    bareTries: 0,
    failedAt: 0,
    askedAt: [],
    forgottenAt: now,
  };
  await insertCodeIfFree(tx, fresh);
  return (await lockCode(tx, { contactHash }))[0] ?? fresh;
}

/** The wrong codes that were given for the contact, and those that still can be. */
function guessesOf(
  known: CustomerCode,
  live: readonly { readonly tries: number }[],
  now: number,
): number {
  const bareLeft = live.length === 0 ? 0 : TRIES_MAX - known.bareTries;
  return live.reduce(
    (sum, { tries }) => sum + TRIES_MAX - tries,
    failuresOf(known, now) + bareLeft,
  );
}

function failuresOf({ failures, failedAt }: CustomerCode, now: number): number {
  return failedAt > now - FAILURES_MS ? failures : 0;
}

// Story: a code is given back. Invariant: of two requests with one code at once, one has used it.

export interface GivenCode {
  readonly code: string;
  /** Undefined in clients that know of none. */
  readonly challenge: string | undefined;
}

/**
 * Returns `right` for the code that was sent with the challenge, or without one for the newest of the contact; it is valid
 * no more then. A wrong one counts as a try: the caller commits it, and refuses afterwards.
 */
export async function useCode(
  tx: Tx,
  contact: CodeContact,
  { code, challenge }: GivenCode,
): Promise<CodeOutcome> {
  const { now } = tx;
  const contactHash = hashOfContact(tx.vault, contact);
  const [known] = await lockCode(tx, { contactHash });
  if (known === undefined) return "wrong";
  const idHash =
    challenge === undefined
      ? await tryNewest(tx, contactHash)
      : await countTry(tx, { contactHash, idHash: hashOfToken(challenge), now });
  if (idHash === null) return outcomeAfter(failuresOf(known, now));
  const isRight = await useUp(tx, { idHash, codeHash: hashOfCode(tx.vault, contactHash, code) });
  const failures = isRight ? 0 : failuresOf(known, now) + 1;
  const forgottenAt = Math.max(known.forgottenAt, isRight ? 0 : now + FAILURES_MS);
  const failedAt = isRight ? known.failedAt : now;
  await saveFailures(tx, { contactHash, failures, failedAt, forgottenAt });
  return isRight ? "right" : outcomeAfter(failures);
}

/** Counts a try without a challenge. Returns the newest challenge that it may be of; null for none. */
async function tryNewest(tx: Tx, contactHash: string): Promise<string | null> {
  const [newest] = await liveChallenges(tx, { contactHash, now: tx.now });
  if (newest === undefined) return null;
  return (await countBareTry(tx, contactHash)) ? newest.idHash : null;
}

// Story: a code is counted: each that goes to a phone costs the merchant an SMS, and emails the good name of the shop.

/** `told`: the code is not sent, and the merchant was told of an earlier one. */
export type CodeFate = "sent" | "withheld" | "told";

interface CountedCode {
  readonly kind: CodeContact["kind"];
  readonly perDay: number;
  /** True if a customer has verified the contact. */
  readonly isKnown: boolean;
  /** True if the network had its share of the strangers' part. */
  readonly hadShare: boolean;
}

/**
 * Counts the code as sent, or as withheld if as many were sent in the last 24 hours. The last fifth is for contacts that a
 * customer has verified, so that strangers never stop those.
 */
export async function countCode(
  tx: Tx,
  { kind, perDay, isKnown, hadShare }: CountedCode,
): Promise<CodeFate> {
  const hour = tx.now - (tx.now % HOUR_MS);
  const counted = { kind, hour, sent: 1, strangers: isKnown ? 0 : 1, withheld: 0 };
  // First, so that of two at once one waits for the other, and counts it.
  await addCodeCounts(tx, counted);
  const sums = await sumCodes(tx, { kind, hour: tx.now - DAY_MS });
  const isFree = isKnown || !isPastPart(sums.strangers, perDay, hadShare);
  if (sums.sent <= perDay && isFree) return "sent";
  await addCodeCounts(tx, { ...counted, sent: -1, strangers: -counted.strangers, withheld: 1 });
  return sums.withheld === 0 ? "withheld" : "told";
}

/** Returns true if so many codes of a day are more than those for strangers, or than those for one network. */
function isPastPart(strangers: number, perDay: number, hadShare: boolean): boolean {
  const part = strangersPart(perDay);
  return strangers > part || (hadShare && strangers > part / 2);
}
