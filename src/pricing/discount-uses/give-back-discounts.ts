// Story: an order gives its discounts back, because it was cancelled.

import type { Id } from "#kernel/id.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";

import {
  lowerCodeCount,
  lowerCustomerUses,
  lowerUsedCount,
  staysUnlimited,
  uncountUses,
} from "./queries.ts";

/** Afterwards the order's uses no longer count. Does nothing the second time. Locks in the order of a claim. */
export async function giveBackDiscounts(tx: Tx, orderId: Id<"order">): Promise<void> {
  const given = (await uncountUses(tx, { orderId })).toSorted((one, other) =>
    one.discountId < other.discountId ? -1 : 1,
  );
  for (const { discountId: id } of given) {
    if ((await lowerUsedCount(tx, { id })).length > 0 || (await staysUnlimited(tx, id))) continue;
    throw new WriteConflict("The discount");
  }
  const codes = given.map(({ code }) => code).filter((code) => code !== null);
  for (const code of codes.toSorted()) await lowerCodeCount(tx, { code });
  for (const { discountId, customerId } of given) {
    if (customerId !== null) await lowerCustomerUses(tx, { discountId, customerId });
  }
}
