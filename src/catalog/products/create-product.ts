// Story: create a product with its variants and their stock.

import { freeSlug } from "#catalog/listing/free-slug.ts";
import { replaceOptions } from "#catalog/listing/replace-options.ts";
import { replacePrices } from "#catalog/listing/replace-prices.ts";
import { writeSpellings } from "#catalog/listing/write-spellings.ts";
import { placeImages } from "#catalog/media/place-images.ts";
import { replaceUses } from "#catalog/media/queries.ts";
import { mediaOf, picturesByPointer } from "#catalog/rows/image.ts";
import {
  type NewProduct,
  onlyProduct,
  picturesOf,
  plainProduct,
  type Product,
  readVariants,
  searchText,
  slugOf,
  slugTaken,
  spelledText,
} from "#catalog/rows/product.ts";
import { skuInForm, type VariantDraft } from "#catalog/rows/variant.ts";
import { defined } from "#kernel/change.ts";
import { newId } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { indexText } from "#platform/database/search.ts";
import { getStore } from "#shop/store/lookups.ts";
import { checkTaxClass } from "#shop/taxes/lookups.ts";

import { productFact } from "./events.ts";
import { checkRelated, findProducts } from "./lookups.ts";
import { openVariant, type PlacedDraft } from "./open-variant.ts";
import { insertProduct, isSlugTaken, replaceTags } from "./queries.ts";

/**
 * Inserts the product with its variants and stock levels, indexes it for search and emits `product.created`.
 * A product without variants gets one without a price. Refuses with `validation_failed`, `slug_taken` and
 * `sku_taken`.
 */
export async function createProduct(tx: Tx, input: NewProduct): Promise<Product> {
  const faults = new Faults();
  const variants = readVariants(input, { currency: (await getStore(tx)).currency, faults });
  const { taxClass } = input.fields;
  if (taxClass !== undefined)
    await checkTaxClass(tx, { taxClass, atMs: tx.now }, { pointer: "/tax_class", faults });
  const { images, placed } = await placePictures(tx, { input, variants }, faults);
  await checkRelated(tx, input.fields, faults);
  faults.refuseIfAny();
  const id = newId("product", tx.now);
  const { name } = input.fields;
  const given = { ...defined(input.fields), name, images };
  const { slug, ...fields } = { ...plainProduct, slug: undefined, ...given };
  const nameKey = slugOf(name);
  const row = { ...fields, nameKey, id, version: 1, createdAt: tx.now, updatedAt: tx.now };
  await insertUnderSlug(tx, row, slug);
  for (const { position, variant } of bySku(placed)) {
    await openVariant(tx, variant, { id, options: fields.options, position });
  }
  await replaceTags(tx, id, fields.tags);
  const product = onlyProduct(await findProducts(tx, { ids: [id] }));
  await replaceUses(tx, id, mediaOf(picturesOf(product)));
  await replacePrices(tx, id, { before: [], after: product.variants });
  await replaceOptions(tx, id, { before: [], after: product.variants });
  await indexText(tx, { kind: "products", subject: id }, searchText(product));
  await writeSpellings(tx, spelledText(product));
  await tx.emit(productFact("product.created", product));
  return product;
}

interface Drafts {
  readonly input: NewProduct;
  readonly variants: readonly VariantDraft[];
}

const imageAt = (index: number) => `/variants/${index}/image`;

/** The pictures of the product, and its variants with theirs. */
async function placePictures(tx: Tx, { input, variants }: Drafts, faults: Faults) {
  const own = picturesByPointer(input.fields.images ?? []);
  const others = variants.flatMap(({ image }, index) =>
    image === null ? [] : [[imageAt(index), image] as const],
  );
  const found = await placeImages(tx, new Map([...own, ...others]), faults);
  return {
    images: [...own.keys()].flatMap((pointer) => found.get(pointer) ?? []),
    placed: variants.map((one, index) => ({ ...one, image: found.get(imageAt(index)) ?? null })),
  };
}

/** Inserts under the requested slug, or else under a free one; retries if another product takes that first. */
async function insertUnderSlug(
  tx: Tx,
  row: Omit<Product, "slug" | "variants" | "mediaUrl">,
  requested: string | undefined,
): Promise<void> {
  for (;;) {
    const slug = requested ?? (await freeSlug(slugOf(row.name), (one) => isSlugTaken(tx, one)));
    if (await insertProduct(tx, { ...row, slug })) return;
    if (requested !== undefined) throw slugTaken();
  }
}

/** Orders variants by SKU, so that two products with the same SKUs do not deadlock on the unique key. */
function bySku(variants: readonly PlacedDraft[]) {
  const placed = variants.map((variant, position) => ({ position, variant }));
  return placed.toSorted((one, other) => {
    const [sku = "", next = ""] = [one, other].map(({ variant }) => skuInForm(variant.sku) ?? "");
    if (sku === next) return one.position - other.position;
    return sku < next ? -1 : 1;
  });
}
