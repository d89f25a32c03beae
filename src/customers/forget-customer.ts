// Story: the customer goes, the record stays for the books.

import type { Id } from "#kernel/id.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/version.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";

import { type Customer, emptyDetails } from "./customer.ts";
import { lockCustomer } from "./lookups.ts";
import { replaceCustomer, replaceTags } from "./queries.ts";
import { redactCustomer } from "./redact-customer.ts";

/**
 * Afterwards nothing in the record, its events or stored answers says who the customer was. An
 * erased customer is answered as it is. Refuses with `stale_version`.
 */
export async function forgetCustomer(
  tx: Tx,
  id: Id<"customer">,
  expected: ExpectedVersion,
): Promise<Customer> {
  const before = await lockCustomer(tx, id);
  requireVersion(before.version, expected);
  if (before.erasedAt !== null) return before;
  const erased = await replaceCustomer(tx, {
    ...before,
    ...emptyDetails,
    erasedAt: tx.now,
    version: before.version + 1,
    updatedAt: tx.now,
  });
  if (erased === undefined) throw new WriteConflict("The customer");
  await replaceTags(tx, erased);
  await redactCustomer(tx, id);
  return erased;
}
