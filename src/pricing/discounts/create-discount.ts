// Story: create a discount with its codes.

import { newId } from "#kernel/id.ts";
import { Faults, validationFailed } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { lockPriceTerms } from "#shop/store/price-terms.ts";

import { saveCodes, validateFreeCodes } from "./codes.ts";
import { discountCodeTaken, readCodes } from "./discount-code.ts";
import type { DiscountNow } from "./discount.ts";
import { discountFact } from "./events.ts";
import { getDiscount } from "./lookups.ts";
import { insertDiscountRow } from "./queries.ts";
import { type DiscountRequest, readDiscount, type RequiredFields } from "./read-discount.ts";
import { validateAutomatic } from "./validate-automatic.ts";

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
  const automatic = { id, isAutomatic, endsAt, archivedAt: null, hasCodes: codes.length > 0 };
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
