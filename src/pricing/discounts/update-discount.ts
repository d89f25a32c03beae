// Stories: change or archive a discount, and delete one that no order used.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { lockPriceTerms } from "#shop/store/price-terms.ts";

import { type Discount, discountInUse, type DiscountNow } from "./discount.ts";
import { discountFact } from "./events.ts";
import { getDiscount } from "./lookups.ts";
import { discountRows, hasCodes } from "./queries.ts";
import { type DiscountRequest, readDiscount } from "./read-discount.ts";
import { countUses, forgetCustomerUses, hasUses, saveCustomerUses } from "./use-queries.ts";
import { validateAutomatic } from "./validate-automatic.ts";

export interface DiscountChange {
  readonly request: DiscountRequest;
  readonly archived: boolean | undefined;
  readonly expected: ExpectedVersion;
}

/**
 * Writes the given fields and emits `discount.archived` or `discount.updated`; does neither if no value differs.
 * Orders that used the discount keep what was agreed. Refuses with `discount_not_found`, `stale_version` and
 * `validation_failed`.
 */
export async function updateDiscount(
  tx: Tx,
  id: Id<"discount">,
  { request, archived, expected }: DiscountChange,
): Promise<DiscountNow> {
  await lockPriceTerms(tx);
  const before = await discountRows.lock(tx, id);
  requireVersion(before.version, expected);
  const after = await readChange(tx, before, { request, archived });
  if (Bun.deepEquals(before, after, true)) return getDiscount(tx, id, tx.now);
  await discountRows.save(tx, before, after);
  await saveLimitedUses(tx, before, after);
  const discount = await getDiscount(tx, id, tx.now);
  const isArchiving = before.archivedAt === null && after.archivedAt !== null;
  await tx.emit(discountFact(isArchiving ? "discount.archived" : "discount.updated", discount));
  return discount;
}

async function readChange(
  tx: Tx,
  before: Discount,
  { request, archived }: Pick<DiscountChange, "request" | "archived">,
): Promise<Discount> {
  const faults = new Faults();
  // Without a limit `used_count` is not kept; the lock lets no order use the discount meanwhile.
  const used = before.usageLimit === null ? await countUses(tx, before.id) : before.usedCount;
  const fields = await readDiscount(tx, { ...before, usedCount: used }, { request, faults });
  const changed = { ...before, ...fields, archivedAt: archivedAt(tx, before, archived) };
  await validateAutomatic(tx, { ...changed, hasCodes: await hasCodes(tx, before) }, faults);
  faults.refuseIfAny();
  return { ...changed, usedCount: changed.usageLimit === null ? 0 : used };
}

/** The uses of customers are kept only while they are limited. The lock lets no order use the discount meanwhile. */
async function saveLimitedUses(tx: Tx, before: Discount, after: Discount): Promise<void> {
  const discountId = after.id;
  const wasLimited = before.perCustomerLimit !== null;
  const isLimited = after.perCustomerLimit !== null;
  if (wasLimited && !isLimited) await forgetCustomerUses(tx, { discountId });
  if (!wasLimited && isLimited) await saveCustomerUses(tx, { discountId });
}

function archivedAt(tx: Tx, before: Discount, archived: boolean | undefined): number | null {
  if (archived === undefined) return before.archivedAt;
  return archived ? (before.archivedAt ?? tx.now) : null;
}

/**
 * Deletes the discount with its codes. Refuses with `discount_not_found`, `stale_version`, and with `discount_in_use`
 * also where the orders were cancelled.
 */
export async function deleteDiscount(
  tx: Tx,
  id: Id<"discount">,
  expected: ExpectedVersion,
): Promise<undefined> {
  await lockPriceTerms(tx);
  const discount = await discountRows.lock(tx, id);
  requireVersion(discount.version, expected);
  if (await hasUses(tx, id)) throw discountInUse();
  await discountRows.drop(tx, id);
}
