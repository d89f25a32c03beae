// Stories: add codes to a discount, given or made at random, and delete one that no order used.

import type { Id } from "#kernel/id.ts";
import { randomBytes } from "#kernel/random.ts";
import { Faults, validationFailed } from "#kernel/refusal.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";

import {
  type DiscountCode,
  discountCodeNotFound,
  discountCodeTaken,
  discountIsAutomatic,
  foldCode,
  randomCode,
  readCodes,
} from "./discount-code.ts";
import { discountInUse } from "./discount.ts";
import { deleteCodeRow, discountRows, findTakenCodes, insertCode, lockCode } from "./queries.ts";
import type { DiscountCodeRow } from "./tables.ts";
import { hasUsesOfCode } from "./use-queries.ts";

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

/**
 * Deletes the code; a discount without codes applies to no order. Refuses with `discount_code_not_found`, and with
 * `discount_in_use` also where the orders were cancelled.
 */
export async function deleteCode(
  tx: Tx,
  discountId: Id<"discount">,
  typed: string,
): Promise<undefined> {
  const code = foldCode(typed);
  if ((await lockCode(tx, { code, discountId })) === undefined) throw discountCodeNotFound();
  if (await hasUsesOfCode(tx, code)) throw discountInUse();
  await deleteCodeRow(tx, { code });
}

/** Adds `discount_code_taken` for each code that a discount has. */
export async function validateFreeCodes(
  tx: Tx,
  codes: readonly string[],
  faults: Faults,
): Promise<void> {
  const taken = await findTakenCodes(tx, codes);
  codes.forEach((code, index) => {
    if (!taken.has(code)) return;
    const fault = { pointer: `/codes/${index}`, code: "duplicate" } as const;
    faults.addAs(discountCodeTaken, { ...fault, detail: "A discount has this code." });
  });
}

interface NewCodes {
  readonly discountId: Id<"discount">;
  /** Folded, each once. */
  readonly codes: readonly string[];
  readonly usageLimit: number | null;
}

/** Inserts codes that were found free and returns them. Throws `WriteConflict` if one was taken meanwhile. */
export async function saveCodes(tx: Tx, codes: NewCodes): Promise<DiscountCodeRow[]> {
  const { inserted, taken } = await insertCodes(tx, codes);
  if (taken > 0) throw new WriteConflict("A discount code");
  return inserted;
}

/** Inserts those of the codes that are free. In the order of the key, so that two stories do not deadlock. */
async function insertCodes(
  tx: Tx,
  { discountId, codes, usageLimit }: NewCodes,
): Promise<{ readonly inserted: DiscountCodeRow[]; readonly taken: number }> {
  const rows = codes
    .toSorted()
    .map((code) => ({ code, discountId, usageLimit, usedCount: 0, createdAt: tx.now }));
  const wasFree = await Promise.all(rows.map((row) => insertCode(tx, row)));
  const inserted = rows.filter((_, index) => wasFree[index]);
  return { inserted, taken: rows.length - inserted.length };
}
