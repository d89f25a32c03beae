// Story: add codes to a discount, given or made at random.

import type { Id } from "#kernel/id.ts";
import { randomBytes } from "#kernel/random.ts";
import { Faults, validationFailed } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { discountRows } from "#pricing/discounts/queries.ts";
import type { DiscountCodeRow } from "#pricing/discounts/tables.ts";

import {
  type DiscountCode,
  discountCodeTaken,
  discountIsAutomatic,
  foldCode,
  randomCode,
  readCodes,
} from "./discount-code.ts";
import { insertCodes, type NewCodes, saveCodes, validateFreeCodes } from "./free-codes.ts";

export interface CodesRequest {
  /** As they were typed, or how many to make. */
  readonly codes: readonly string[] | { readonly count: number; readonly prefix: string };
  /** The limit of each code; null without one. */
  readonly usageLimit: number | null;
}

/**
 * Inserts the codes and returns them, in alphabetical order. Emits nothing: the discount stays as it is.
 * Refuses with `discount_not_found`, `discount_is_automatic`, `discount_code_taken` and `validation_failed`.
 */
export async function addCodes(
  tx: Tx,
  id: Id<"discount">,
  { codes, usageLimit }: CodesRequest,
): Promise<DiscountCode[]> {
  const discount = await discountRows.lock(tx, id);
  if (discount.isAutomatic) throw discountIsAutomatic();
  const wanted = { discountId: id, usageLimit };
  const saved =
    "count" in codes
      ? await makeCodes(tx, { ...wanted, ...codes })
      : await saveGiven(tx, { ...wanted, codes });
  return saved.map((row) => ({ ...row, uses: 0 }));
}

async function saveGiven(
  tx: Tx,
  { codes: typed, ...wanted }: NewCodes,
): Promise<DiscountCodeRow[]> {
  const faults = new Faults();
  const codes = readCodes(typed, faults);
  await validateFreeCodes(tx, codes, faults);
  faults.refuseIfAny([validationFailed, discountCodeTaken]);
  return saveCodes(tx, { ...wanted, codes });
}

/** Makes others in place of those that are taken. */
async function makeCodes(
  tx: Tx,
  { count, prefix, ...wanted }: Omit<NewCodes, "codes"> & { count: number; prefix: string },
): Promise<DiscountCodeRow[]> {
  const made: DiscountCodeRow[] = [];
  while (made.length < count) {
    const drawn = new Set<string>();
    while (drawn.size < count - made.length) drawn.add(randomCode(foldCode(prefix), randomBytes));
    made.push(...(await insertCodes(tx, { ...wanted, codes: [...drawn] })).inserted);
  }
  return made.toSorted((one, other) => (one.code < other.code ? -1 : 1));
}
