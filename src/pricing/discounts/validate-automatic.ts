// Rule: how many discounts apply by themselves, and that none of them has a code.

import type { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";

import { AUTOMATIC_MAX, type Discount } from "./discount.ts";
import { countAutomatic } from "./queries.ts";

/** A discount after a change. */
type AfterChange = Pick<Discount, "id" | "isAutomatic" | "endsAt" | "archivedAt"> & {
  readonly hasCodes: boolean;
};

/**
 * Adds a fault if an automatic discount has codes, or if it would be one too many. The settings must be locked, so
 * that two stories do not both take the last place.
 */
export async function validateAutomatic(
  tx: Tx,
  { id, isAutomatic, endsAt, archivedAt, hasCodes }: AfterChange,
  faults: Faults,
): Promise<void> {
  if (!isAutomatic) return;
  if (hasCodes) {
    const detail = "A discount with codes does not apply by itself.";
    faults.add("/automatic", "conflicting_fields", detail);
  }
  const isOver = archivedAt !== null || (endsAt !== null && endsAt <= tx.now);
  if (isOver || (await countAutomatic(tx, { id, now: tx.now })) < AUTOMATIC_MAX) return;
  const detail = `A shop has at most ${AUTOMATIC_MAX} automatic discounts that have not ended.`;
  faults.add("/automatic", "too_many_automatic", detail);
}
