// Reads of discounts and their codes for routes and other folders. The status of a discount is that of an instant, which
// the caller gives: the shop's time.

import type { Id } from "#kernel/id.ts";
import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import { rememberedTerms } from "#shop/store/price-terms.ts";
import type { Store } from "#shop/store/store.ts";

import type { DiscountCode } from "./discount-code.ts";
import { type Discount, discountNotFound, type DiscountNow, runsAt } from "./discount.ts";
import {
  activeAutomaticRows,
  automaticRows,
  type DiscountFilters,
  discountRows,
  listCodeRows,
  listDiscountRows,
} from "./queries.ts";

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

const everyAutomatic = rememberedTerms((db) => automaticRows(db, {}));

/** The discounts that apply without a code at the instant, oldest first. */
export async function findAutomatic(
  db: Reader,
  store: Pick<Store, "priceTermsVersion">,
  now: number,
): Promise<Discount[]> {
  const automatic = await everyAutomatic(db, store, null);
  // An order counts its use without a new version of the terms.
  if (automatic.some(({ usageLimit }) => usageLimit !== null)) {
    return activeAutomaticRows(db, { now });
  }
  return automatic.filter((discount) => runsAt(discount, now));
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
