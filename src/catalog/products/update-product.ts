// Story: change a product.

import { checkOptions, fitsOptions } from "#catalog/variants/variant.ts";
import { type Change, defined } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/version.ts";
import type { Tx } from "#platform/database/database.ts";

import { lockProduct } from "./lookups.ts";
import { type Product, type ProductFields, slugTaken } from "./product.ts";
import { claimSlug } from "./queries.ts";
import { saveProduct } from "./save-product.ts";

export interface ProductChange {
  readonly change: Change<ProductFields>;
  readonly expected: ExpectedVersion;
}

/**
 * Writes the given fields and emits an event; does neither if no value differs. Refuses with
 * `product_not_found`, `stale_version`, `validation_failed` and `slug_taken`.
 */
export async function updateProduct(
  tx: Tx,
  id: Id<"product">,
  { change, expected }: ProductChange,
): Promise<Product> {
  const before = await lockProduct(tx, id);
  requireVersion(before.version, expected);
  const after: Product = { ...before, ...defined(change) };
  if (Bun.deepEquals(after, before)) return before;
  checkChange(after);
  if (after.slug !== before.slug && (await claimSlug(tx, after)).length === 0) throw slugTaken();
  return saveProduct(tx, before, after);
}

function checkChange(after: Product): void {
  const faults = new Faults();
  checkOptions(after.options, faults);
  if (!fitsOptions(after.variants, after.options)) {
    faults.add("/options", "option_in_use", "A variant uses an option or value that is missing.");
  }
  faults.refuseIfAny();
}
