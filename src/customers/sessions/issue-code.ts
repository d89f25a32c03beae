// Story: a code for a contact, which replaces an earlier one.

import { HOUR_MS, SECOND_MS } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import { rateLimited } from "#platform/http/contract/refusals.ts";

import { insertCodeIfFree, lockCode, saveCode } from "./queries.ts";
import {
  CODE_MS,
  type CodeContact,
  CODES_PER_HOUR,
  hashOfCode,
  hashOfContact,
  waitForCode,
} from "./session.ts";

export interface NewCode {
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
