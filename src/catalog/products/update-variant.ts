// Stories: add a variant to a product, change it, and delete it, or archive it if it was ever sold.

import { archiveLevel, dropLevel, renameLevel } from "#catalog/inventory/levels.ts";
import { getLevel } from "#catalog/inventory/lookups.ts";
import { placeImage } from "#catalog/media/place-images.ts";
import type { Product } from "#catalog/rows/product.ts";
import {
  type AddedVariant,
  checkVariants,
  lastVariant,
  type NewVariant,
  readPrices,
  readVariant,
  skuInForm,
  titleOf,
  type Variant,
  variantAmong,
  type VariantFields,
  type VariantInput,
  variantLimitReached,
  VARIANTS_MAX,
} from "#catalog/rows/variant.ts";
import { type Change, defined, type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { getStore } from "#shop/store/lookups.ts";

import { lockProduct, requireFreeSku, takenSku } from "./lookups.ts";
import { openVariant } from "./open-variant.ts";
import { archiveVariantRow, claimSku, deleteUnsoldVariant, updateVariantRow } from "./queries.ts";
import { saveProduct } from "./save-product.ts";

/** The id of a variant with the id of its product. */
interface VariantId {
  readonly productId: Id<"product">;
  readonly variantId: Id<"variant">;
}

interface VariantChange {
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
  if (after.sku !== before.sku) await rename(tx, after, change.sku ?? null);
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
  const { sku = before.sku } = change;
  // One that is sent as it is stored stays so, also where it was stored before SKUs had a form.
  const after = { ...before, ...defined(change), sku: sku === before.sku ? sku : skuInForm(sku) };
  const isTitleDerived = before.title === titleOf(before.options, product.options);
  if (change.title !== undefined || !isTitleDerived) return after;
  return { ...after, title: titleOf(after.options, product.options) };
}

async function rename(tx: Tx, { id, sku }: Variant, sent: string | null): Promise<void> {
  await requireFreeSku(tx, sent);
  if ((await claimSku(tx, { id, sku })).length === 0) throw await takenSku(tx, sku);
  await renameLevel(tx, id, sku);
}

interface AddVariantTerms {
  readonly variant: NewVariant;
  /** The expected version of the product. */
  readonly expected: ExpectedVersion;
}

/**
 * Appends the variant and saves the product as its next version. Refuses with `product_not_found`,
 * `stale_version`, `validation_failed`, `variant_limit_reached` and `sku_taken`.
 */
export async function addVariant(
  tx: Tx,
  productId: Id<"product">,
  { variant, expected }: AddVariantTerms,
): Promise<AddedVariant> {
  const product = await lockProduct(tx, productId);
  requireVersion(product.version, expected);
  const faults = new Faults();
  const draft = readVariant(variant, "", { faults, currency: (await getStore(tx)).currency });
  const { options, variants: others } = product;
  checkVariants([{ ...draft, pointer: "" }], { options, others }, faults);
  const image = await placeImage(tx, draft.image, faults);
  faults.refuseIfAny();
  if (others.length >= VARIANTS_MAX) throw variantLimitReached();
  const position = (others.at(-1)?.position ?? -1) + 1;
  const id = await openVariant(tx, { ...draft, image }, { id: productId, options, position });
  const added = variantAmong((await saveProduct(tx, product, product)).variants, id);
  const { tracked, backorder, lowStockThreshold } = await getLevel(tx, id);
  return { ...added, tracked, backorder, lowStockThreshold };
}

/**
 * Removes the variant from the product, frees its SKU and saves the product as its next version. A variant
 * that was ever sold is archived and keeps its stock level, which open orders reserve. Returns which. Refuses
 * with `product_not_found`, `variant_not_found`, `stale_version` and `last_variant`.
 */
export async function deleteVariant(
  tx: Tx,
  { productId, variantId }: VariantId,
  expected: ExpectedVersion,
): Promise<"deleted" | "archived"> {
  const product = await lockProduct(tx, productId);
  variantAmong(product.variants, variantId);
  requireVersion(product.version, expected);
  if (product.variants.length === 1) throw lastVariant();
  const isRemoved = (await deleteUnsoldVariant(tx, { id: variantId })).length > 0;
  if (isRemoved) {
    await dropLevel(tx, variantId);
  } else {
    await archiveVariantRow(tx, { id: variantId, now: tx.now });
    await archiveLevel(tx, variantId);
  }
  await saveProduct(tx, product, product);
  return isRemoved ? "deleted" : "archived";
}
