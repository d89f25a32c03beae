// A product as rows of Duka's own file: one row for each variant, with the product's own columns on the first.

import { shownImage } from "#catalog/rows/image.ts";
import type { Backorder, StockLevel } from "#catalog/rows/inventory.ts";
import type { Product } from "#catalog/rows/product.ts";
import { titleOf, type Variant } from "#catalog/rows/variant.ts";
import { formatAmount } from "#kernel/money.ts";

import { type CellsByColumn, joinList } from "./sheet.ts";

/** The columns of every file, in their order; those of options and prices follow `name` and `barcode`. */
export const columnOrder = {
  product: ["slug", "name"],
  more: [
    "description",
    "status",
    "category",
    "brand",
    "tags",
    "tax_class",
    "images",
    "image_alts",
    "metadata",
    "seo_title",
    "seo_description",
  ],
  variant: ["variant_title", "sku", "barcode"],
  stock: [
    "stock",
    "tracked",
    "backorder",
    "low_stock_threshold",
    "weight_grams",
    "requires_shipping",
    "variant_image",
    "variant_image_alt",
    "variant_metadata",
  ],
} as const;

interface VariantLevel extends StockLevel {
  readonly variantId: string;
  readonly backorder: Backorder;
}

/** The rows of a product; `levels` has those of its variants. */
export function rowsOf(product: Product, levels: readonly VariantLevel[]): CellsByColumn[] {
  const byVariant = new Map(levels.map((level) => [level.variantId, level]));
  return product.variants.map((variant, index) => ({
    slug: product.slug,
    ...(index === 0 ? productCells(product) : {}),
    ...optionCells(product, variant, index === 0),
    ...variantCells(product, variant),
    ...stockCells(byVariant.get(variant.id)),
  }));
}

function productCells(product: Product): CellsByColumn {
  return {
    name: product.name,
    description: product.description,
    status: product.status,
    category: product.category ?? "",
    brand: product.brand ?? "",
    tags: joinList(product.tags),
    tax_class: product.taxClass,
    images: joinList(product.images.map((image) => shownImage(image, product.mediaUrl).url)),
    image_alts: altsOf(product),
    metadata: jsonOf(product.metadata),
    seo_title: product.seoTitle ?? "",
    seo_description: product.seoDescription ?? "",
  };
}

/** Nothing where no picture has a text. */
function altsOf({ images }: Product): string {
  return images.some(({ alt }) => alt !== "") ? joinList(images.map(({ alt }) => alt)) : "";
}

function optionCells({ options }: Product, variant: Variant, isFirst: boolean): CellsByColumn {
  return Object.fromEntries(
    options.flatMap(({ name, values }, index) => [
      [`option_${index + 1}_name`, isFirst ? name : ""],
      [`option_${index + 1}_values`, isFirst ? joinList(values) : ""],
      [`option_${index + 1}_value`, variant.options[name] ?? ""],
    ]),
  );
}

function variantCells({ options }: Product, variant: Variant): CellsByColumn {
  const isTitleDerived = variant.title === titleOf(variant.options, options);
  return {
    variant_title: isTitleDerived ? "" : variant.title,
    sku: variant.sku ?? "",
    barcode: variant.barcode ?? "",
    ...Object.fromEntries(
      variant.prices.flatMap(({ currency, amountMinor, compareAtMinor }) => [
        [priceColumn(currency), formatAmount(amountMinor, currency)],
        [
          compareAtColumn(currency),
          compareAtMinor === null ? "" : formatAmount(compareAtMinor, currency),
        ],
      ]),
    ),
    weight_grams: String(variant.weightGrams ?? ""),
    requires_shipping: String(variant.requiresShipping),
    variant_image: variant.image === null ? "" : shownImage(variant.image, variant.mediaUrl).url,
    variant_image_alt: variant.image?.alt ?? "",
    variant_metadata: jsonOf(variant.metadata),
  };
}

function stockCells(level: VariantLevel | undefined): CellsByColumn {
  if (level === undefined) return {};
  return {
    stock: String(level.onHand),
    tracked: String(level.tracked),
    backorder: level.backorder,
    low_stock_threshold: String(level.lowStockThreshold),
  };
}

/** The column of a price in this currency, such as `price_ghs`. */
export function priceColumn(currency: string): string {
  return `price_${currency.toLowerCase()}`;
}

/** The column of the price before a reduction. */
export function compareAtColumn(currency: string): string {
  return `compare_at_${currency.toLowerCase()}`;
}

function jsonOf(metadata: Readonly<Record<string, unknown>>): string {
  return Object.keys(metadata).length === 0 ? "" : JSON.stringify(metadata);
}
