// Stories: a discount is created with its codes, changed or archived, and deleted if no order used it.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import { type Id, newId } from "#kernel/id.ts";
import { Faults, validationFailed } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { lockPriceTerms } from "#shop/store/price-terms.ts";

import { saveCodes, validateFreeCodes } from "./codes.ts";
import { discountCodeTaken, readCodes } from "./discount-code.ts";
import { AUTOMATIC_MAX, type Discount, discountInUse, type DiscountNow } from "./discount.ts";
import { discountFact } from "./events.ts";
import { getDiscount } from "./lookups.ts";
import { countAutomatic, discountRows, hasCodes, insertDiscountRow } from "./queries.ts";
import { type DiscountRequest, readDiscount, type RequiredFields } from "./read-discount.ts";
import { countUses, forgetCustomerUses, hasUses, saveCustomerUses } from "./use-queries.ts";

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
  const changed = { ...before, ...fields, archivedAt: archivalTime(tx, before, archived) };
  await validateAutomatic(tx, { ...changed, isCoded: await hasCodes(tx, before) }, faults);
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

function archivalTime(tx: Tx, before: Discount, archived: boolean | undefined): number | null {
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

export interface NewDiscount {
  readonly required: RequiredFields;
  readonly request: DiscountRequest;
  /** As they were typed. */
  readonly codes: readonly string[];
}

/**
 * Inserts the discount with its codes and emits `discount.created`. Without codes it is automatic, unless the request
 * says otherwise. Refuses with `validation_failed` and `discount_code_taken`.
 */
export async function createDiscount(tx: Tx, input: NewDiscount): Promise<DiscountNow> {
  const { required, request, codes: typed } = input;
  await lockPriceTerms(tx);
  const faults = new Faults();
  const codes = readCodes(typed, faults);
  await validateFreeCodes(tx, codes, faults);
  const isAutomatic = request.plain.isAutomatic ?? codes.length === 0;
  const id = newId("discount", tx.now);
  const whole = { ...request, plain: { ...request.plain, isAutomatic } };
  const fields = await readDiscount(tx, required, { request: whole, faults });
  const endsAt = request.plain.endsAt ?? null;
  const automatic = { id, isAutomatic, endsAt, archivedAt: null, isCoded: codes.length > 0 };
  await validateAutomatic(tx, automatic, faults);
  faults.refuseIfAny([validationFailed, discountCodeTaken]);
  if (fields === null) throw new Error("Terms without a fault were not read.");
  await insertDiscountRow(tx, {
    ...fields,
    id,
    usedCount: 0,
    archivedAt: null,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  await saveCodes(tx, { discountId: id, codes, usageLimit: null });
  const discount = await getDiscount(tx, id, tx.now);
  await tx.emit(discountFact("discount.created", discount));
  return discount;
}

/** A discount after a change. */
type AfterChange = Pick<Discount, "id" | "isAutomatic" | "endsAt" | "archivedAt"> & {
  readonly isCoded: boolean;
};

/**
 * Adds a fault if an automatic discount has codes, or if it would be one too many. The settings must be locked, so
 * that two stories do not both take the last place.
 */
async function validateAutomatic(
  tx: Tx,
  { id, isAutomatic, endsAt, archivedAt, isCoded }: AfterChange,
  faults: Faults,
): Promise<void> {
  if (!isAutomatic) return;
  if (isCoded) {
    const detail = "A discount with codes does not apply by itself.";
    faults.add("/automatic", "conflicting_fields", detail);
  }
  const isOver = archivedAt !== null || (endsAt !== null && endsAt <= tx.now);
  if (isOver || (await countAutomatic(tx, { id, now: tx.now })) < AUTOMATIC_MAX) return;
  const detail = `A shop has at most ${AUTOMATIC_MAX} automatic discounts that have not ended.`;
  faults.add("/automatic", "too_many_automatic", detail);
}
