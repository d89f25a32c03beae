// The products of a shop as Duka's own file, which `duka import products` takes: one row for each variant, with the
// product's own columns on the first. Two passes over pages of products, since the currencies and options of all of
// them decide on the columns.

import { listInventory } from "#catalog/inventory/lookups.ts";
import { findProducts } from "#catalog/products/lookups.ts";
import { shownImage } from "#catalog/rows/image.ts";
import type { Backorder, StockLevel } from "#catalog/rows/inventory.ts";
import type { Product } from "#catalog/rows/product.ts";
import { titleOf, type Variant, VARIANTS_MAX } from "#catalog/rows/variant.ts";
import { formatAmount } from "#kernel/money.ts";
import type { Reader } from "#platform/database/database.ts";
import { getStore } from "#shop/store/lookups.ts";

import {
  type CellsByColumn,
  joinList,
  pagesOf,
  type ReadPage,
  sheetOf,
  type SheetPage,
} from "./sheet.ts";

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
function rowsOf(product: Product, levels: readonly VariantLevel[]): CellsByColumn[] {
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
function priceColumn(currency: string): string {
  return `price_${currency.toLowerCase()}`;
}

/** The column of the price before a reduction. */
function compareAtColumn(currency: string): string {
  return `compare_at_${currency.toLowerCase()}`;
}

function jsonOf(metadata: Readonly<Record<string, unknown>>): string {
  return Object.keys(metadata).length === 0 ? "" : JSON.stringify(metadata);
}

interface ProductPage extends SheetPage {
  /** The currency of the shop. */
  readonly currency: string;
}

/** Small enough to be answered soon; each product may have a hundred variants. */
const PAGE_PRODUCTS = 20;

/** The file, with a row for each variant. */
export async function* productSheet(read: ReadPage<ProductPage>): AsyncGenerator<string> {
  yield* sheetOf(await columnsOf(read), read);
}

/** Reads the products after this id. */
export async function readProductPage(db: Reader, after: string | null): Promise<ProductPage> {
  const { rows, hasMore } = await findProducts(db, {
    before: after ?? undefined,
    limit: PAGE_PRODUCTS,
  });
  const levels = await listInventory(
    db,
    { productIds: rows.map(({ id }) => id) },
    { limit: PAGE_PRODUCTS * VARIANTS_MAX, after: null },
  );
  const { currency } = await getStore(db);
  return {
    rows: rows.flatMap((product) => rowsOf(product, levels.rows)),
    currency,
    after: hasMore ? (rows.at(-1)?.id ?? null) : null,
  };
}

/** The columns of every file, and those of the options and currencies that the products have. */
async function columnsOf(read: ReadPage<ProductPage>): Promise<string[]> {
  const used = new Set<string>();
  for await (const { rows, currency } of pagesOf(read)) {
    used.add(priceColumn(currency)).add(compareAtColumn(currency));
    for (const row of rows) for (const column of Object.keys(row)) used.add(column);
  }
  const { product, more, variant, stock } = columnOrder;
  const priced = [...used].filter((column) => column.startsWith("price_"));
  const prices = priced.flatMap((column) => [column, column.replace("price", "compare_at")]);
  const options = [...used].filter((column) => column.startsWith("option_"));
  return [...product, ...options, ...variant, ...prices, ...stock, ...more];
}
