// Story: a person has a password, or another one.

import type { Tx } from "#platform/database/database.ts";
import type { Person } from "#shop/people/person.ts";

import { insertPassword, setPassword } from "./queries.ts";

/** Sets the password by its hash; failures with a former one do not count any more. */
export async function savePassword(tx: Tx, { id: personId }: Person, hash: string): Promise<void> {
  const row = { personId, hash, failures: 0, changedAt: tx.now };
  if (!(await insertPassword(tx, row))) await setPassword(tx, row);
}
