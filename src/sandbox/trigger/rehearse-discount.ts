// A part of the rehearsal: a discount is made, changed, used up and archived.

import { type Id, newId } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { claimDiscounts } from "#pricing/discount-uses/claim-discounts.ts";
import { createDiscount } from "#pricing/discounts/create-discount.ts";
import { readDiscountChange, readNewDiscount } from "#pricing/discounts/request-schema.ts";
import { updateDiscount } from "#pricing/discounts/update-discount.ts";

/** The last use is taken by an order that is not there: only the discount looks at it. */
export async function rehearseDiscount(
  tx: Tx,
  { mark, customerId }: { readonly mark: string; readonly customerId: Id<"customer"> },
): Promise<void> {
  const code = `WELCOME-${mark}`;
  const asked = { title: "Welcome", percent: 10, codes: [code], usage_limit: 1 };
  const made = readNewDiscount({ ...asked, target: "order" });
  const { id } = await createDiscount(tx, made);
  const change = (body: Parameters<typeof readDiscountChange>[0]) =>
    updateDiscount(tx, id, { ...readDiscountChange(body), expected: null });
  await change({ percent: 15 });
  const orderId = newId("order", tx.now);
  await claimDiscounts(tx, { orderId, customerId, uses: [{ discountId: id, code }] });
  await change({ archived: true });
}
