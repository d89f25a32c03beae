// Story: a person goes from everything that is kept of them, payments included; the money stays.

import type { Customer } from "#customers/customer.ts";
import type { Id } from "#kernel/id.ts";
import type { ExpectedVersion } from "#kernel/version.ts";
import { forgetPayer } from "#payments/payments/queries.ts";
import type { Tx } from "#platform/database/store.ts";

import { erasePerson } from "./erase-person.ts";

/** Afterwards nothing says who it was. Refuses with `customer_not_found` and `stale_version`. */
export async function erasePayer(
  tx: Tx,
  id: Id<"customer">,
  expected: ExpectedVersion,
): Promise<Customer> {
  const erased = await erasePerson(tx, id, expected);
  await forgetPayer(tx, id);
  return erased;
}
