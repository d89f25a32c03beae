// Story: a code for a contact, which replaces an earlier one.

import { DAY_MS, HOUR_MS, SECOND_MS } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import { rateLimited } from "#platform/http/contract/refusals.ts";

import {
  addPhoneCodes,
  countTry,
  insertCodeIfFree,
  lockCode,
  phoneCodesAfter,
  saveCode,
  useUp,
} from "./queries.ts";
import {
  CODE_MS,
  type CodeContact,
  CODES_PER_HOUR,
  hashOfCode,
  hashOfContact,
  waitForCode,
} from "./session.ts";

interface NewCode {
  readonly code: string;
  /** True if the contact has the limits of a live shop. */
  readonly isLimited: boolean;
  /** The network of the client who asks; null if it is not known. */
  readonly network: string | null;
}

/**
 * Afterwards the code alone is valid for the contact, for ten minutes and five tries. Whether a customer has the contact
 * makes no difference. Returns when the code expires. Refuses with `rate_limited`.
 */
export async function issueCode(
  tx: Tx,
  contact: CodeContact,
  { code, isLimited, network }: NewCode,
): Promise<number> {
  const { now } = tx;
  const contactHash = hashOfContact(tx.vault, contact);
  const empty = { codeHash: null, tries: 0, expiresAt: now, askedAt: [], forgottenAt: now };
  await insertCodeIfFree(tx, { ...empty, contactHash });
  const earlier = (await lockCode(tx, { contactHash }))[0]?.askedAt ?? [];
  const asked = earlier.filter(({ at }) => at > now - HOUR_MS);
  const next = { at: now, network };
  const waitMs = isLimited ? waitForCode(asked, next) : 0;
  if (waitMs > 0) {
    throw rateLimited({
      detail: "A contact is sent one code a minute, and five an hour from one network.",
      headers: { "Retry-After": String(Math.ceil(waitMs / SECOND_MS)) },
    });
  }
  const expiresAt = now + CODE_MS;
  await saveCode(tx, {
    contactHash,
    codeHash: hashOfCode(tx.vault, contactHash, code),
    expiresAt,
    askedAt: [...asked, next].slice(-CODES_PER_HOUR),
    forgottenAt: now + HOUR_MS,
  });
  return expiresAt;
}

// Story: a code is given back. Invariant: of two requests with one code at once, one has used it.

/**
 * Returns whether the code is the valid one of the contact, which it is no more. A wrong one counts as a try: the caller
 * commits it, and refuses afterwards.
 */
export async function useCode(tx: Tx, contact: CodeContact, code: string): Promise<boolean> {
  const contactHash = hashOfContact(tx.vault, contact);
  if (!(await countTry(tx, contactHash, tx.now))) return false;
  return useUp(tx, contactHash, hashOfCode(tx.vault, contactHash, code));
}

// Story: a code to a phone is counted, since each costs the merchant an SMS.

/** `told`: the code is not sent, and the merchant was told of an earlier one. */
type PhoneCodeFate = "sent" | "withheld" | "told";

/** Counts the code as sent, or as withheld if as many were sent in the last 24 hours. */
export async function countPhoneCode(tx: Tx, perDay: number): Promise<PhoneCodeFate> {
  const hour = tx.now - (tx.now % HOUR_MS);
  // First, so that of two at once one waits for the other, and counts it.
  await addPhoneCodes(tx, { hour, sent: 1, withheld: 0 });
  const { sent = 0, withheld = 0 } =
    (await phoneCodesAfter(tx, { hour: tx.now - DAY_MS }))[0] ?? {};
  if (sent <= perDay) return "sent";
  await addPhoneCodes(tx, { hour, sent: -1, withheld: 1 });
  return withheld === 0 ? "withheld" : "told";
}
