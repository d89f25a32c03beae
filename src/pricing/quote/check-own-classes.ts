// Lookup: whether lines of the merchant's own have tax classes that goods may have.

import type { Faults } from "#kernel/refusal.ts";
import type { Reader } from "#platform/database/database.ts";
import { checkTaxClass } from "#shop/taxes/lookups.ts";

import { linePointer, type LineRequest, type OwnLineRequest } from "./price-order.ts";

interface ClassCheck {
  /** Epoch milliseconds. */
  readonly atMs: number;
  /** The class that the line at a position was agreed with; undefined for a new one. */
  readonly agreedClassAt?: (position: number) => string | undefined;
  readonly faults: Faults;
}

/** Adds a fault for each line whose class goods may not have now, unless it was agreed with it. */
export async function checkOwnClasses(
  db: Reader,
  lines: readonly (LineRequest | OwnLineRequest)[],
  { atMs, agreedClassAt, faults }: ClassCheck,
): Promise<void> {
  for (const [position, line] of lines.entries()) {
    if (line.variantId !== null || line.taxClass === undefined) continue;
    const { taxClass } = line;
    if (taxClass === agreedClassAt?.(position)) continue;
    const pointer = `${linePointer(position)}/tax_class`;
    await checkTaxClass(db, { taxClass, atMs }, { pointer, faults });
  }
}
