// Discounts that tests use, and orders' claims on them.

import { type Id, newId } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";
import { claimDiscounts } from "#pricing/discount-uses/claim-discounts.ts";
import { type DiscountSearch, findDiscounts } from "#pricing/discount-uses/find-discounts.ts";
import { getStore } from "#shop/store/lookups.ts";

import type { Answered, TestShop } from "../../support/shop.ts";

/** Ten percent off every line for the code SUMMER, which has a number in a shared shop, or what the terms say. */
export function summer(
  shop: TestShop,
  terms: Readonly<Record<string, unknown>> = {},
): Promise<Answered> {
  const number = shop.nextNumber();
  const codes = [number === null ? "SUMMER" : `SUMMER-${number}`];
  return shop.post("/v2/discounts", {
    title: "Summer",
    target: "lines",
    percent: 10,
    codes,
    ...terms,
  });
}

/** The id and the code of the same. */
export async function summerCode(
  shop: TestShop,
  terms: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly id: string; readonly code: string }> {
  const made = await summer(shop, terms);
  return { id: made.id, code: made.string("/code") };
}

/** A search at the shop's time, for codes and a customer without tags. */
export function searchOf(
  shop: TestShop,
  codes: readonly string[],
  customer: Partial<DiscountSearch["customer"]> = {},
): DiscountSearch {
  return {
    codes,
    currency: "USD",
    atMs: shop.test.clock.now(),
    customer: { id: null, tags: null, hasLimits: true, ...customer },
  };
}

/** The discounts that a sale may have, by what the store's row says in the same transaction. */
export async function findNow(db: Reader, search: DiscountSearch) {
  return findDiscounts(db, await getStore(db), search);
}

/** A new order uses what the codes give. Returns its id, or why a code gives nothing. */
export function buyWith(
  shop: TestShop,
  codes: readonly string[],
  customerId: Id<"customer"> | null = null,
): Promise<string> {
  return shop.test.database.write(async (tx) => {
    const search = { ...searchOf(shop, codes, { id: customerId }), atMs: tx.now };
    const { found, rejected } = await findNow(tx, search);
    const [refused] = rejected;
    if (refused !== undefined) return refused.reason;
    const uses = found.map(({ discount, code }) => ({ discountId: discount.id, code }));
    const orderId = newId("order", tx.now);
    await claimDiscounts(tx, { orderId, customerId, uses });
    return orderId;
  });
}
