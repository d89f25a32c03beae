// Products: types, rules and refusals. Invariant: a product has at least one variant; variants have the
// prices and the stock.

import anyAscii from "any-ascii";

import { type Change, defined } from "#kernel/change.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { defineFaults, type Meanings } from "#kernel/fault.ts";
import { readAmount } from "#kernel/money.ts";
import type { Page } from "#kernel/page.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { STANDARD_CLASS } from "#shop/taxes/tax-rate.ts";

import type { ProductStatus } from "./column-types.ts";
import type { GivenImage, Image } from "./image.ts";
import type { ProductRow } from "./tables.ts";
import {
  checkOptions,
  checkVariants,
  DEFAULT_TITLE,
  type NewVariant,
  plainVariant,
  type Reading,
  readVariant,
  type Variant,
  type VariantDraft,
} from "./variant.ts";

/** Leaves room below the 200 characters of a slug for an appended number. */
const SLUG_LENGTH_MAX = 180;
/** The slug of a name without any letter or digit that a slug can have. */
const DEFAULT_SLUG = "product";

/** A product with its variants that are not archived, in their order. */
export interface Product extends ProductRow {
  readonly variants: readonly Variant[];
  /** The beginning of the addresses of its media. */
  readonly mediaUrl: string;
}

/** The fields of a product that a request can set. */
export type ProductFields = Omit<
  ProductRow,
  "id" | "version" | "createdAt" | "updatedAt" | "nameKey"
>;

/** The same as they are given: pictures are found before they are written. */
export type GivenFields = Omit<ProductFields, "images"> & {
  readonly images: readonly GivenImage[];
};

/** The single variant of a product, given by fields of the product. */
export interface ShortForm {
  readonly price: number | string | undefined;
  readonly currency: CurrencyCode | undefined;
  readonly sku: string | null | undefined;
  readonly stock: number | undefined;
}

/** A product to create. Without a slug it gets a free one made of its name. */
export interface NewProduct {
  readonly fields: Change<GivenFields> & { readonly name: string };
  /** Excludes the short form. */
  readonly variants: readonly NewVariant[] | undefined;
  readonly short: ShortForm;
}

/** The default fields of a new product. */
export const plainProduct: Omit<ProductFields, "name" | "slug"> = {
  description: "",
  status: "active",
  category: null,
  tags: [],
  images: [],
  options: [],
  metadata: {},
  taxClass: STANDARD_CLASS,
  brand: null,
  seoTitle: null,
  seoDescription: null,
  relatedProductIds: [],
};

export const productNotFound = defineRefusal(
  "product_not_found",
  "not_found",
  "There is no such product.",
);
export const slugTaken = defineRefusal("slug_taken", "conflict", {
  title: "Another product has this slug.",
  cause: "Slugs are unique in a shop, and another product has this one.",
  remedy: "Use another slug, or omit it to have one made from the name.",
});

/** The pictures that the product and its variants show. */
export function picturesOf({ images, variants }: Pick<Product, "images" | "variants">): Image[] {
  return [...images, ...variants.flatMap(({ image }) => image ?? [])];
}

/** Returns the product of a page that was read by id. Refuses with `product_not_found` if it is empty. */
export function onlyProduct(page: Page<Product>): Product {
  const [product] = page.rows;
  if (product === undefined) throw productNotFound();
  return product;
}

/** Returns the requested statuses that a key with these scopes may see; undefined means all. */
export function visibleStatuses(
  scopes: ReadonlySet<string>,
  requested?: readonly ProductStatus[],
): readonly ProductStatus[] | undefined {
  if (scopes.has("products:read")) return requested;
  return requested === undefined || requested.includes("active") ? ["active"] : [];
}

/**
 * Reads the variants of a new product in either form. Without any, the product gets one without a price.
 * Adds the faults of all variants.
 */
export function readVariants(input: NewProduct, { currency, faults }: Reading): VariantDraft[] {
  const options = input.fields.options ?? [];
  checkOptions(options, faults);
  const drafts = input.variants?.map((variant, index) =>
    readVariant(variant, `/variants/${index}`, { faults, currency }),
  ) ?? [readShortForm(input.short, { faults, currency })];
  if (input.variants !== undefined) {
    const placed = drafts.map((draft, index) => ({ ...draft, pointer: `/variants/${index}` }));
    checkVariants(placed, { options, others: [] }, faults);
    for (const name of Object.keys(defined(input.short))) {
      faults.add(
        `/${name}`,
        "mixed_forms",
        "Where there are variants, set it on each of them instead.",
      );
    }
  }
  return drafts;
}

function readShortForm(short: ShortForm, reading: Reading): VariantDraft {
  const { price, currency = reading.currency, sku = null, stock = 0 } = short;
  const amountMinor =
    price === undefined
      ? null
      : readAmount(price, currency, { faults: reading.faults, pointer: "/price" });
  const prices = amountMinor === null ? [] : [{ currency, amountMinor, compareAtMinor: null }];
  return { ...plainVariant, sku, prices, stock: { onHand: stock } };
}

/**
 * Returns the slug of a name: lower-case ASCII letters and digits, joined by hyphens. Letters of any script
 * are transliterated; punctuation and emoji separate words. A name without either has the slug `wordless`.
 */
export function slugOf(name: string, wordless = DEFAULT_SLUG): string {
  const words = name
    .normalize("NFKC")
    .replaceAll(/['’]/g, "")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    // Ga and Ewe names are commonly spelled with n; any-ascii writes ng.
    .replaceAll(/ŋ/giu, "n");
  const slug = anyAscii(words)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, "")
    .replaceAll(/-+/g, "-")
    .slice(0, SLUG_LENGTH_MAX)
    .replaceAll(/^-|-$/g, "");
  return slug === "" ? wordless : slug;
}

/** The part of a product by whose words it is found. */
export type SearchedProduct = Pick<
  Product,
  "name" | "description" | "category" | "brand" | "tags"
> & {
  readonly variants: readonly Pick<Variant, "title" | "sku" | "barcode">[];
};

/** The text that full-text search indexes. */
export function searchText(product: SearchedProduct): string {
  return [
    product.name,
    product.description,
    product.category,
    product.brand,
    ...product.tags,
    ...product.variants.flatMap((one) => [
      one.title === DEFAULT_TITLE ? null : one.title,
      one.sku,
      one.barcode,
    ]),
  ]
    .filter((text) => text !== null && text !== "")
    .join("\n");
}

/** The texts whose words correct those of a search: what customers read in lists and filters. */
export function spelledText({
  name,
  category,
  brand,
  tags,
  variants,
}: Omit<SearchedProduct, "description" | "variants"> & {
  readonly variants: readonly Pick<Variant, "title">[];
}): string {
  const titles = variants.map(({ title }) => title).filter((title) => title !== DEFAULT_TITLE);
  return [name, category ?? "", brand ?? "", ...tags, ...titles].join("\n");
}

const productFaults = defineFaults({
  mixed_forms: "The field belongs to each variant, since the product is given with variants.",
  option_in_use: "A variant uses the option or value that would be removed.",
  related_to_itself: "A product is not related to itself.",
  unknown_product: "There is no such product.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof productFaults> {}
}
