// Story: the person goes, the record stays for the books.

import type { Id } from "#kernel/id.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/version.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";

import { type Customer, nobody } from "./customer.ts";
import { forgetPerson } from "./forget-person.ts";
import { lockCustomer } from "./lookups.ts";
import { replaceCustomer, replaceTags } from "./queries.ts";

/**
 * Afterwards nothing in the record, its events or stored answers says who the customer was. An
 * erased customer is answered as it is. Refuses with `stale_version`.
 */
export async function eraseCustomer(
  tx: Tx,
  id: Id<"customer">,
  expected: ExpectedVersion,
): Promise<Customer> {
  const before = await lockCustomer(tx, id);
  requireVersion(before.version, expected);
  if (before.erasedAt !== null) return before;
  const erased = await replaceCustomer(tx, {
    ...before,
    ...nobody,
    erasedAt: tx.now,
    version: before.version + 1,
    updatedAt: tx.now,
  });
  if (erased === undefined) throw new WriteConflict("The customer");
  await replaceTags(tx, erased);
  await forgetPerson(tx, id);
  return erased;
}
