// Products: types, rules and refusals. A product always has at least one variant, and it is
// variants that are priced, stocked and sold.

import anyAscii from "any-ascii";

import {
  checkOptions,
  checkVariants,
  DEFAULT_TITLE,
  type NewVariant,
  plainVariant,
  type ProductOption,
  type Reading,
  readVariant,
  type Variant,
  type VariantDraft,
} from "#catalog/variants/variant.ts";
import { type Change, defined } from "#kernel/change.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import { readAmount } from "#kernel/money.ts";
import type { Page } from "#kernel/page.ts";
import { defineRefusal, Faults } from "#kernel/refusal.ts";

/** Only an active product is sold; a draft is not shown yet, an archived one no longer. */
export const productStatuses = ["draft", "active", "archived"] as const;
export type ProductStatus = (typeof productStatuses)[number];

/** Leaves room for a number behind it: the column of a spreadsheet still shows it. */
const SLUG_LENGTH_MAX = 180;
/** For a name without a single letter or digit that an address can carry. */
const SLUG_OF_NO_LETTERS = "product";

export interface Image {
  readonly url: string;
  readonly alt: string;
}

/** What a merchant says of a product. */
export interface ProductFields {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly status: ProductStatus;
  readonly category: string | null;
  readonly tags: readonly string[];
  readonly images: readonly Image[];
  readonly options: readonly ProductOption[];
  readonly metadata: Metadata;
}

/** A product with the variants it is offered in, in their order. */
export interface Product extends ProductFields {
  readonly id: Id<"product">;
  readonly variants: readonly Variant[];
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A product of one variant, told in a few words. */
export interface ShortForm {
  readonly price: number | string | undefined;
  readonly currency: CurrencyCode | undefined;
  readonly sku: string | null | undefined;
  readonly stock: number | undefined;
}

/** A product to be made; without a slug it gets a free one that is made of its name. */
export interface NewProduct {
  readonly fields: Change<ProductFields> & { readonly name: string };
  /** Either these, or the short form. */
  readonly variants: readonly NewVariant[] | undefined;
  readonly short: ShortForm;
}

/** What a product is of which nothing more is said than its name. */
export const plainProduct: Omit<ProductFields, "name" | "slug"> = {
  description: "",
  status: "active",
  category: null,
  tags: [],
  images: [],
  options: [],
  metadata: {},
};

export const productNotFound = defineRefusal(
  "product_not_found",
  "not_found",
  "There is no such product.",
);
export const slugTaken = defineRefusal("slug_taken", "conflict", "Another product has this slug.");

/** The one product of a page that was asked for by id. Refuses with `product_not_found`. */
export function onlyProduct(page: Page<Product>): Product {
  const [product] = page.rows;
  if (product === undefined) throw productNotFound();
  return product;
}

/** The statuses that holders of these scopes may see of those asked for; undefined for all. */
export function visibleStatuses(
  scopes: ReadonlySet<string>,
  wanted?: readonly ProductStatus[],
): readonly ProductStatus[] | undefined {
  if (scopes.has("products:read")) return wanted;
  return wanted === undefined || wanted.includes("active") ? ["active"] : [];
}

/**
 * The variants of a new product, in either form; a product of which no variant is told has one
 * without a price. Refuses with `validation_failed`, all faults at once.
 */
export function readVariants(asked: NewProduct, currency: CurrencyCode): VariantDraft[] {
  const faults = new Faults();
  const options = asked.fields.options ?? [];
  checkOptions(options, faults);
  const drafts = asked.variants?.map((variant, index) =>
    readVariant(variant, `/variants/${index}`, { faults, currency }),
  ) ?? [readShortForm(asked.short, { faults, currency })];
  if (asked.variants !== undefined) {
    const placed = drafts.map((draft, index) => ({ ...draft, pointer: `/variants/${index}` }));
    checkVariants(placed, { options, others: [] }, faults);
    for (const name of Object.keys(defined(asked.short))) {
      faults.add(`/${name}`, "mixed_forms", "Say this of each variant, or name no variants.");
    }
  }
  faults.refuseIfAny();
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
 * A name as the address of a page has it: lower-case ASCII letters and digits, joined by hyphens. Letters
 * of any script are written in Latin ones; signs and emoji separate words.
 */
export function slugOf(name: string): string {
  const words = name
    .normalize("NFKC")
    .replaceAll(/['’]/g, "")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    // A Ga or Ewe name is known by its n; any-ascii writes ng.
    .replaceAll(/ŋ/giu, "n");
  const slug = anyAscii(words)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, "")
    .replaceAll(/-+/g, "-")
    .slice(0, SLUG_LENGTH_MAX)
    .replaceAll(/^-|-$/g, "");
  return slug === "" ? SLUG_OF_NO_LETTERS : slug;
}

/** Everything one looks a product up by. */
export function searchText(product: Product): string {
  return [
    product.name,
    product.description,
    product.category,
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
