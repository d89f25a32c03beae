// Lookup: the codes of a discount.

import type { Id } from "#kernel/id.ts";
import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import { discountRows } from "#pricing/discounts/queries.ts";

import type { DiscountCode } from "./discount-code.ts";
import { listCodeRows } from "./queries.ts";

/** A page of the codes of a discount, in alphabetical order. Refuses with `discount_not_found`. */
export async function listCodes(
  db: Reader,
  id: Id<"discount">,
  page: PageRequest,
): Promise<Page<DiscountCode>> {
  await discountRows.get(db, id);
  const after = page.after ?? undefined;
  return toPage(
    await listCodeRows(db, { discountId: id, rows: page.limit + 1, after }),
    page.limit,
  );
}
