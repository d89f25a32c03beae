// Stories: an order uses discounts, and gives them back when it is cancelled. Each limit is checked by the statement that
// counts the use.

import type { Id } from "#kernel/id.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";
import type { Discount } from "#pricing/discounts/discount.ts";
import { discountFact } from "#pricing/discounts/events.ts";
import { getDiscount } from "#pricing/discounts/lookups.ts";
import {
  insertUse,
  lowerCodeCount,
  lowerCustomerUses,
  lowerUsedCount,
  raiseCodeCount,
  raiseCustomerUses,
  raiseUsedCount,
  shareUnlimited,
  shareUnlimitedCode,
  staysUnlimited,
  uncountUses,
} from "#pricing/discounts/use-queries.ts";

export interface DiscountUse {
  readonly discountId: Id<"discount">;
  /** Folded; null for an automatic discount. */
  readonly code: string | null;
}

interface DiscountClaim {
  readonly orderId: Id<"order">;
  /** Null for an unknown customer, whose uses are not counted. */
  readonly customerId: Id<"customer"> | null;
  /** Each discount once. */
  readonly uses: readonly DiscountUse[];
}

/** The limits against which a use of a discount is checked. */
type Limits = Pick<Discount, "id" | "usageLimit" | "perCustomerLimit" | "usedCount" | "archivedAt">;

/**
 * Afterwards the order uses the discounts, and `discount.exhausted` is emitted for each that had one use left. Locks
 * discounts by id, then codes, then customers. Throws `WriteConflict` if a limit was reached or a discount ended since
 * they were found: the story then runs again and finds the sale without it.
 */
export async function claimDiscounts(
  tx: Tx,
  { orderId, customerId, uses }: DiscountClaim,
): Promise<void> {
  const claimed: Limits[] = [];
  for (const { discountId } of uses.toSorted(byDiscount)) {
    claimed.push(await takeUse(tx, discountId));
  }
  const codes = uses.map(({ code }) => code).filter((code) => code !== null);
  for (const code of codes.toSorted()) await takeUseOfCode(tx, code);
  for (const discount of claimed) await takeUseOfCustomer(tx, discount, customerId);
  for (const { discountId, code } of uses) {
    const use = { discountId, orderId, code, customerId };
    await insertUse(tx, { ...use, counted: true, createdAt: tx.now });
  }
  for (const { id, usedCount, usageLimit } of claimed) {
    if (usedCount !== usageLimit) continue;
    await tx.emit(discountFact("discount.exhausted", await getDiscount(tx, id, tx.now)));
  }
}

function byDiscount(one: DiscountUse, other: DiscountUse): number {
  return one.discountId < other.discountId ? -1 : 1;
}

/** Without a limit nothing is written, so that orders do not wait for one another. */
async function takeUse(tx: Tx, id: Id<"discount">): Promise<Limits> {
  const unlimited = (await shareUnlimited(tx, [id])).get(id);
  if (unlimited?.archivedAt === null) return unlimited;
  const [limited] = await raiseUsedCount(tx, { id });
  if (limited === undefined) throw new WriteConflict("The discount");
  return limited;
}

async function takeUseOfCode(tx: Tx, code: string): Promise<void> {
  if ((await raiseCodeCount(tx, { code })).length > 0) return;
  if ((await shareUnlimitedCode(tx, { code })).length > 0) return;
  throw new WriteConflict("The discount code");
}

async function takeUseOfCustomer(
  tx: Tx,
  { id: discountId, perCustomerLimit: limit }: Limits,
  customerId: Id<"customer"> | null,
): Promise<void> {
  if (customerId === null || limit === null) return;
  const taken = await raiseCustomerUses(tx, { discountId, customerId, limit });
  if (taken.length === 0) throw new WriteConflict("The customer's uses of the discount");
}

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
