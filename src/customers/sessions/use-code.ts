// Story: a code is given back. Invariant: of two requests with one code at once, one has used it.

import type { Tx } from "#platform/database/database.ts";

import { countTry, useUp } from "./queries.ts";
import { type CodeContact, hashOfCode, hashOfContact } from "./session.ts";

/**
 * Returns whether the code is the valid one of the contact, which it is no more. A wrong one counts as a try: the caller
 * commits it, and refuses afterwards.
 */
export async function useCode(tx: Tx, contact: CodeContact, code: string): Promise<boolean> {
  const contactHash = hashOfContact(tx.vault, contact);
  if (!(await countTry(tx, contactHash, tx.now))) return false;
  return useUp(tx, contactHash, hashOfCode(tx.vault, contactHash, code));
}
