// Reads of discounts for routes and other folders. The status of a discount is that of an instant, which the caller
// gives: the shop's time.

import type { Id } from "#kernel/id.ts";
import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";

import { discountNotFound, type DiscountNow } from "./discount.ts";
import { type DiscountFilters, listDiscountRows } from "./queries.ts";

/** The discount at the instant. Refuses with `discount_not_found`. */
export async function getDiscount(
  db: Reader,
  id: Id<"discount">,
  now: number,
): Promise<DiscountNow> {
  const [discount] = await listDiscountRows(db, { id }, { now, rows: 1 });
  if (discount === undefined) throw discountNotFound();
  return discount;
}

/** A page of the discounts at the instant, newest first. */
export async function listDiscounts(
  db: Reader,
  filters: DiscountFilters,
  { now, page }: { readonly now: number; readonly page: PageRequest },
): Promise<Page<DiscountNow>> {
  const after = page.after ?? undefined;
  return toPage(
    await listDiscountRows(db, filters, { now, rows: page.limit + 1, after }),
    page.limit,
  );
}
