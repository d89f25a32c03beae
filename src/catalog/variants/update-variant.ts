// Story: change a variant.

import { renameLevel } from "#catalog/inventory/levels.ts";
import { placeImage } from "#catalog/media/place-image.ts";
import { lockProduct } from "#catalog/products/lookups.ts";
import type { Product } from "#catalog/products/product.ts";
import { claimSku, findSkuOwner, updateVariantRow } from "#catalog/products/queries.ts";
import { saveProduct } from "#catalog/products/save-product.ts";
import { type Change, defined, type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { getStore } from "#shop/store/lookups.ts";

import {
  checkVariants,
  readPrices,
  skuTaken,
  titleOf,
  type Variant,
  variantAmong,
  type VariantFields,
  type VariantInput,
} from "./variant.ts";

/** The id of a variant with the id of its product. */
export interface VariantId {
  readonly productId: Id<"product">;
  readonly variantId: Id<"variant">;
}

export interface VariantChange {
  readonly change: VariantInput;
  /** The expected version of the product. */
  readonly expected: ExpectedVersion;
}

/**
 * Writes the given fields and saves the product as its next version; does neither if no value differs. A title
 * that was derived from the options is derived again. Refuses with `product_not_found`, `variant_not_found`,
 * `stale_version`, `validation_failed` and `sku_taken`.
 */
export async function updateVariant(
  tx: Tx,
  { productId, variantId }: VariantId,
  { change, expected }: VariantChange,
): Promise<Variant> {
  const product = await lockProduct(tx, productId);
  const before = variantAmong(product.variants, variantId);
  requireVersion(product.version, expected);
  const faults = new Faults();
  const after = changed(before, await readChange(tx, change, faults), product);
  const others = product.variants.filter((one) => one.id !== variantId);
  checkVariants([{ ...after, pointer: "" }], { options: product.options, others }, faults);
  faults.refuseIfAny();
  if (Bun.deepEquals(after, before)) return before;
  if (after.sku !== before.sku) await rename(tx, after);
  await updateVariantRow(tx, { ...after, updatedAt: tx.now });
  return variantAmong((await saveProduct(tx, product, product)).variants, variantId);
}

async function readChange(
  tx: Tx,
  { prices, image: given, ...rest }: VariantInput,
  faults: Faults,
): Promise<Change<VariantFields>> {
  const image = given && (await placeImage(tx, given, faults));
  if (prices === undefined) return { ...rest, image };
  const { currency } = await getStore(tx);
  return { ...rest, image, prices: readPrices(prices, "/prices", { faults, currency }) };
}

function changed(before: Variant, change: Change<VariantFields>, product: Product): Variant {
  const after = { ...before, ...defined(change) };
  const isTitleDerived = before.title === titleOf(before.options, product.options);
  if (change.title !== undefined || !isTitleDerived) return after;
  return { ...after, title: titleOf(after.options, product.options) };
}

async function rename(tx: Tx, { id, sku }: Variant): Promise<void> {
  if ((await claimSku(tx, { id, sku })).length === 0) {
    const owner = sku === null ? undefined : await findSkuOwner(tx, sku);
    throw skuTaken({ members: { sku, existing_id: owner ?? null } });
  }
  await renameLevel(tx, id, sku);
}
