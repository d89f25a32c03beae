// Story: add a variant to a product.

import { placeImage } from "#catalog/media/place-image.ts";
import { lockProduct } from "#catalog/products/lookups.ts";
import { saveProduct } from "#catalog/products/save-product.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { getStore } from "#shop/store/lookups.ts";

import { openVariant } from "./open-variant.ts";
import {
  checkVariants,
  type NewVariant,
  readVariant,
  type Variant,
  variantAmong,
  variantLimitReached,
  VARIANTS_MAX,
} from "./variant.ts";

export interface AddVariantTerms {
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
): Promise<Variant> {
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
  return variantAmong((await saveProduct(tx, product, product)).variants, id);
}
