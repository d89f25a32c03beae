// Stories: change a product and the price of its only variant, and delete it, or archive it if it was ever sold.

import { dropLevel } from "#catalog/inventory/levels.ts";
import { retireSlug } from "#catalog/listing/row-queries.ts";
import { placeImages } from "#catalog/media/place-images.ts";
import type { Price } from "#catalog/rows/column-types.ts";
import { type Image, picturesByPointer } from "#catalog/rows/image.ts";
import {
  type GivenFields,
  type Product,
  type ShortForm,
  slugTaken,
} from "#catalog/rows/product.ts";
import { checkOptions, fitsOptions, retitled, type Variant } from "#catalog/rows/variant.ts";
import { type Change, defined, type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { readAmount } from "#kernel/money.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { forgetText } from "#platform/database/search.ts";
import { getStore } from "#shop/store/lookups.ts";
import { checkTaxClass } from "#shop/taxes/lookups.ts";

import { productFact } from "./events.ts";
import { checkRelated, lockProduct } from "./lookups.ts";
import {
  claimSlug,
  deleteUnsoldVariants,
  lockVariantRows,
  productRows,
  updateVariantRow,
} from "./queries.ts";
import { saveProduct } from "./save-product.ts";

interface ProductChange {
  readonly change: Change<GivenFields>;
  /** The price of the product's only variant. */
  readonly short?: Partial<Pick<ShortForm, "price" | "currency">>;
  readonly expected: ExpectedVersion;
}

/**
 * Writes the given fields and emits an event; does neither if no value differs. A price replaces the price of
 * the only variant in this currency, and keeps those in others. Titles that were derived from the options follow
 * their new order. Refuses with `product_not_found`, `stale_version`, `validation_failed` and `slug_taken`.
 */
export async function updateProduct(
  tx: Tx,
  id: Id<"product">,
  { change, short, expected }: ProductChange,
): Promise<Product> {
  const before = await lockProduct(tx, id);
  requireVersion(before.version, expected);
  const faults = new Faults();
  const images = change.images && (await placeAll(tx, change.images, faults));
  const after: Product = { ...before, ...defined({ ...change, images }) };
  checkChange(after, faults);
  await checkRelated(tx, { ...change, id }, faults);
  const { taxClass } = after;
  if (taxClass !== before.taxClass)
    await checkTaxClass(tx, { taxClass, atMs: tx.now }, { pointer: "/tax_class", faults });
  const priced = await readShortPrice(tx, before, { ...short, faults });
  faults.refuseIfAny();
  const variants = (priced === null ? before.variants : [priced]).map((one) =>
    retitled(one, { from: before.options, to: after.options }),
  );
  const changed = variants.filter((one, index) => one !== before.variants[index]);
  if (changed.length === 0 && Bun.deepEquals(after, before)) return before;
  if (after.slug !== before.slug) {
    if ((await claimSlug(tx, after)).length === 0) throw slugTaken();
    await retireSlug(tx, { slug: before.slug, productId: id });
  }
  for (const variant of changed.toSorted(byId)) {
    await updateVariantRow(tx, { ...variant, updatedAt: tx.now });
  }
  return saveProduct(tx, before, after);
}

async function placeAll(tx: Tx, given: GivenFields["images"], faults: Faults): Promise<Image[]> {
  return [...(await placeImages(tx, picturesByPointer(given), faults)).values()];
}

/** The order in which orders lock variants, so that the two do not deadlock. */
function byId(one: Variant, other: Variant): number {
  return one.id < other.id ? -1 : 1;
}

function checkChange(after: Product, faults: Faults): void {
  checkOptions(after.options, faults);
  if (!fitsOptions(after.variants, after.options)) {
    faults.add("/options", "option_in_use", "A variant uses an option or value that is missing.");
  }
}

/** Returns the only variant with its new price, or null if no price differs. Adds the faults of the price. */
async function readShortPrice(
  tx: Tx,
  { variants }: Product,
  { price, currency: given, faults }: Partial<ShortForm> & { readonly faults: Faults },
): Promise<Variant | null> {
  if (price === undefined) {
    if (given !== undefined) faults.add("/price", "required", "The currency needs a price.");
    return null;
  }
  const [variant, ...others] = variants;
  if (variant === undefined || others.length > 0) {
    const detail = "The product has several variants: set the price on each of them.";
    faults.add("/price", "mixed_forms", detail);
    return null;
  }
  const currency = given ?? (await getStore(tx)).currency;
  const amountMinor = readAmount(price, currency, { faults, pointer: "/price" });
  if (amountMinor === null) return null;
  const prices = pricesWith(variant.prices, { currency, amountMinor }, faults);
  return Bun.deepEquals(prices, variant.prices) ? null : { ...variant, prices };
}

/** The prices with one set or added; it keeps its former price. */
function pricesWith(
  prices: readonly Price[],
  { currency, amountMinor }: Pick<Price, "currency" | "amountMinor">,
  faults: Faults,
): Price[] {
  const before = prices.find((one) => one.currency === currency);
  const compareAtMinor = before?.compareAtMinor ?? null;
  if (compareAtMinor !== null && compareAtMinor < amountMinor) {
    const detail = "The price is above the compare_at of the variant: set both on the variant.";
    faults.add("/price", "compare_at_too_low", detail);
  }
  const after = { currency, amountMinor, compareAtMinor };
  if (before === undefined) return [...prices, after];
  return prices.map((one) => (one === before ? after : one));
}

/**
 * Deletes the product with its variants and stock, and emits `product.deleted`. A product that was ever sold
 * is archived instead, since orders refer to it, and `product.archived` is emitted if it was not archived
 * before. Returns which. Refuses with `product_not_found` and `stale_version`.
 */
export async function deleteProduct(
  tx: Tx,
  id: Id<"product">,
  expected: ExpectedVersion,
): Promise<"deleted" | "archived"> {
  const product = await lockProduct(tx, id);
  requireVersion(product.version, expected);
  await lockVariantRows(tx, { productId: id });
  const removed = await deleteUnsoldVariants(tx, { productId: id });
  if (removed.length === 0) {
    if (product.status !== "archived") {
      await saveProduct(tx, product, { ...product, status: "archived" });
    }
    return "archived";
  }
  for (const variantId of removed.map((one) => one.id).toSorted()) await dropLevel(tx, variantId);
  await productRows.drop(tx, id);
  await forgetText(tx, { kind: "products", subject: id });
  await tx.emit(productFact("product.deleted", product));
  return "deleted";
}
