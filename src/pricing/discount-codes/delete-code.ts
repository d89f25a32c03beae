// Story: delete a code that no order used.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { hasUsesOfCode } from "#pricing/discount-uses/queries.ts";
import { discountInUse } from "#pricing/discounts/discount.ts";

import { discountCodeNotFound, foldCode } from "./discount-code.ts";
import { deleteCodeRow, lockCode } from "./queries.ts";

/**
 * Deletes the code; a discount without codes applies to no order. Refuses with `discount_code_not_found`, and with
 * `discount_in_use` also where the orders were cancelled.
 */
export async function deleteCode(
  tx: Tx,
  discountId: Id<"discount">,
  typed: string,
): Promise<undefined> {
  const code = foldCode(typed);
  if ((await lockCode(tx, { code, discountId })) === undefined) throw discountCodeNotFound();
  if (await hasUsesOfCode(tx, code)) throw discountInUse();
  await deleteCodeRow(tx, { code });
}
