// Story: insert a variant of a product with its opening stock.

import { openLevel } from "#catalog/inventory/levels.ts";
import type { ProductOption } from "#catalog/rows/column-types.ts";
import { skuInForm, titleOf, type Variant, type VariantDraft } from "#catalog/rows/variant.ts";
import { type Id, newId } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { requireFreeSku, takenSku } from "./lookups.ts";
import { insertVariant } from "./queries.ts";

/** A variant whose picture was found. */
export type PlacedDraft = Omit<VariantDraft, "image"> & Pick<Variant, "image">;

/** The product of a new variant, and the variant's position in it. */
export interface VariantPlace {
  readonly id: Id<"product">;
  readonly options: readonly ProductOption[];
  readonly position: number;
}

/** Inserts the variant with the picture that was found, and its stock level; returns its id. Refuses with `sku_taken`. */
export async function openVariant(
  tx: Tx,
  draft: PlacedDraft,
  product: VariantPlace,
): Promise<Id<"variant">> {
  const { stock, sku: sent, ...fields } = draft;
  const row = {
    ...fields,
    sku: skuInForm(sent),
    id: newId("variant", tx.now),
    productId: product.id,
    position: product.position,
    title: draft.title ?? titleOf(draft.options, product.options),
    firstSoldAt: null,
    archivedAt: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  await requireFreeSku(tx, sent);
  if (!(await insertVariant(tx, row))) throw await takenSku(tx, row.sku);
  await openLevel(tx, { ...stock, variantId: row.id, productId: product.id, sku: row.sku });
  return row.id;
}
