// Inserts codes of discounts, which no other discount may have.

import type { Id } from "#kernel/id.ts";
import type { Faults } from "#kernel/refusal.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";
import type { DiscountCodeRow } from "#pricing/discounts/tables.ts";

import { discountCodeTaken } from "./discount-code.ts";
import { findTakenCodes, insertCode } from "./queries.ts";

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

export interface NewCodes {
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
export async function insertCodes(
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
