// Products and variants on the wire: responses, requests and filters.

import Type, { type Static } from "typebox";

import { backorderChoice } from "#catalog/inventory/schema.ts";
import { imageGiven, imagesGiven, imageShape, readImage } from "#catalog/media/schema.ts";
import type { OptionValues, ProductOption, ProductStatus } from "#catalog/rows/column-types.ts";
import { shownImage } from "#catalog/rows/image.ts";
import { PUBLIC_STOCK, STOCK_MAX } from "#catalog/rows/inventory.ts";
import type { GivenFields, NewProduct, Product } from "#catalog/rows/product.ts";
import {
  type AddedVariant,
  type NewVariant,
  type Variant,
  type VariantInput,
  VARIANTS_MAX,
} from "#catalog/rows/variant.ts";
import type { Change, WholeChange } from "#kernel/change.ts";
import { PUBLIC_NAMES } from "#kernel/metadata.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import { added, at, from, list, orNull, shape, wire } from "#platform/http/contract/wire.ts";
import {
  amountGiven,
  component,
  currency,
  identifying,
  idOf,
  line,
  matching,
  metadata,
  namedChoice,
  nullable,
  object,
  optional,
  prose,
  sought,
  taxClass,
  whole,
} from "#platform/http/contract/words.ts";

import { pricesGiven, priceWire, readPrice } from "./price-schema.ts";
import { readSeo, seoGiven, seoShape } from "./seo-schema.ts";

export const NAME_LENGTH_MAX = 200;
export const WORD_LENGTH_MAX = 100;
export const TAG_LENGTH_MAX = 50;
const LIST_LENGTH_MAX = 50;
/** More than a page shows beside the product. */
const RELATED_MAX = 20;
/** A thousand tonnes. */
const WEIGHT_GRAMS_MAX = 1_000_000_000;
/** Characters that no label shows: two SKUs that look alike would be two variants. */
const INVISIBLE =
  "\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u180b-\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0";

export const status = namedChoice<ProductStatus>(
  { name: "ProductStatus", about: "Who sees a product, and whether it is sold." },
  {
    draft: "The shop alone sees it.",
    active: "It is sold.",
    archived: "It is kept for the orders that have it. The shop alone sees it.",
  },
);
const tags = Type.Array(line(TAG_LENGTH_MAX), {
  maxItems: LIST_LENGTH_MAX,
  uniqueItems: true,
});
/** A slug in requests. */
export const slugGiven = matching(
  "^[a-z0-9]+(-[a-z0-9]+)*$",
  "Small letters, digits and - between them, such as blue-mug.",
);
const sku = line(WORD_LENGTH_MAX, {
  ...identifying,
  ...sought,
  ...matching(`^(?!.*[${INVISIBLE}])\\S(.*\\S)?$`, "A SKU has no characters that are not seen."),
  description: "Unique in the shop. Composed (NFC), without invisible characters.",
});
const optionShape = shape<ProductOption>()(
  publicFields({
    name: line(WORD_LENGTH_MAX),
    values: Type.Array(line(WORD_LENGTH_MAX), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
    }),
  }),
  { name: "ProductOption" },
);
const options = list(optionShape, { maxItems: 5 });
/** The values of a variant's options. */
export const optionValues = Type.Unsafe<OptionValues>({
  type: "object",
  additionalProperties: { type: "string", maxLength: WORD_LENGTH_MAX },
  description: "The value of each option, by the option's name.",
});

const requiresShipping = Type.Boolean({
  description: "False for what is not sent, such as a gift card or a service.",
});

const variantMembers = {
  ...publicFields({
    id: idOf("variant"),
    product_id: idOf("product"),
    sku: nullable(Type.String()),
    barcode: nullable(Type.String()),
    title: Type.String(),
    options: optionValues,
    prices: list(priceWire),
    weight_grams: nullable(whole(0)),
    requires_shipping: added(requiresShipping),
    image: added(
      from(
        ({ image, mediaUrl }: Variant) => image && shownImage(image, mediaUrl),
        orNull(imageShape),
      ),
    ),
  }),
  ...publicFields({ available: nullable(whole()) }, PUBLIC_STOCK),
  ...publicFields({
    in_stock: added(
      from(
        ({ inStock }: Variant) => inStock,
        Type.Boolean({
          description: "Whether a unit can be ordered now: from stock, on backorder or untracked.",
        }),
      ),
    ),
  }),
  ...publicFields({ metadata }, { names: PUBLIC_NAMES }),
};

/** The response of a variant. */
export const variantWire = wire<Variant>()("Variant", variantMembers);

/** The response of a variant that was just made: its stock is told with its level after that. */
export const addedVariantWire = wire<AddedVariant>()("AddedVariant", {
  ...variantMembers,
  tracked: Type.Boolean(),
  backorder: backorderChoice,
  low_stock_threshold: whole(0),
});

/** The response of a product, and the payload of its events. */
export const productWire = wire<Product>()("Product", {
  ...publicFields({
    id: idOf("product"),
    name: Type.String(),
    slug: Type.String(),
    description: Type.String(),
    status,
    category: nullable(Type.String()),
    tags: Type.Array(Type.String()),
    images: from(
      ({ images, mediaUrl }: Product) => images.map((image) => shownImage(image, mediaUrl)),
      list(imageShape),
    ),
    options,
    variants: list(variantWire),
  }),
  ...publicFields({ metadata }, { names: PUBLIC_NAMES }),
  ...publicFields({
    tax_class: added(taxClass),
    brand: added(nullable(Type.String())),
    seo: added(from((row: Product) => row, seoShape)),
  }),
  related_product_ids: added(
    Type.Array(idOf("product"), {
      description: "Empty for a publishable key, which lists those that are active.",
    }),
  ),
  ...publicFields({ version: whole(1), created_at: at, updated_at: at }),
});

export function deletedSchema<K extends "product" | "variant">(kind: K, name: string) {
  return component(name, { id: idOf(kind), deleted: Type.Boolean(), archived: Type.Boolean() });
}

const variantFields = {
  sku: optional(nullable(sku)),
  barcode: optional(nullable(line(WORD_LENGTH_MAX, identifying))),
  title: optional(line(NAME_LENGTH_MAX)),
  options: optional(optionValues),
  prices: optional(pricesGiven),
  weight_grams: optional(nullable(whole(0, WEIGHT_GRAMS_MAX))),
  requires_shipping: optional(requiresShipping),
  image: optional(nullable(imageGiven)),
  metadata: optional(metadata),
};

export const variantChangeSchema = object(variantFields);

export const newVariantSchema = component("CreateVariant", {
  ...variantFields,
  stock: optional(whole(0, STOCK_MAX, { description: "Opening stock on hand." })),
  tracked: optional(Type.Boolean()),
  backorder: optional(backorderChoice),
  low_stock_threshold: optional(whole(0, STOCK_MAX)),
});

const related = Type.Array(idOf("product"), {
  maxItems: RELATED_MAX,
  uniqueItems: true,
  description: "Products that go with it, in the order in which they are shown.",
});

const productFields = {
  slug: optional(line(NAME_LENGTH_MAX, slugGiven)),
  description: optional(prose(10_000)),
  status: optional(status),
  category: optional(nullable(line(WORD_LENGTH_MAX))),
  tags: optional(tags),
  images: optional(imagesGiven),
  options: optional(options.schema),
  metadata: optional(metadata),
  tax_class: optional(taxClass),
  brand: optional(nullable(line(WORD_LENGTH_MAX))),
  seo: optional(seoGiven),
  related_product_ids: optional(related),
};

export const productChangeSchema = object(
  {
    name: optional(line(NAME_LENGTH_MAX)),
    ...productFields,
    price: optional(amountGiven),
    currency: optional(currency),
  },
  { "x-money": { price: "currency" } },
);

export const newProductSchema = object(
  {
    name: line(NAME_LENGTH_MAX),
    ...productFields,
    variants: optional(Type.Array(newVariantSchema, { minItems: 1, maxItems: VARIANTS_MAX })),
    price: optional(amountGiven),
    currency: optional(currency),
    sku: optional(nullable(sku)),
    stock: optional(whole(0, STOCK_MAX)),
  },
  { "x-money": { price: "currency" } },
);

/** The response of a deletion. */
export function presentDeleted<I extends string>(id: I, result: "deleted" | "archived") {
  return { id, deleted: result === "deleted", archived: result === "archived" };
}

/** Reads the fields of a product from a request body. */
export function readProductChange(
  body: Omit<Static<typeof productChangeSchema>, "price" | "currency">,
): WholeChange<Change<GivenFields>> {
  return {
    name: body.name,
    slug: body.slug,
    description: body.description,
    status: body.status,
    category: body.category,
    tags: body.tags,
    images: body.images?.map(readImage),
    options: body.options,
    metadata: body.metadata,
    taxClass: body.tax_class,
    brand: body.brand,
    ...readSeo(body.seo),
    relatedProductIds: body.related_product_ids,
  };
}

/** Reads a new product in either form. */
export function readNewProduct(body: Static<typeof newProductSchema>): NewProduct {
  return {
    fields: { ...readProductChange(body), name: body.name },
    variants: body.variants?.map(readNewVariant),
    short: { price: body.price, currency: body.currency, sku: body.sku, stock: body.stock },
  };
}

/** Reads the fields of a variant from a request body. */
export function readVariantChange(
  body: Static<typeof variantChangeSchema>,
): WholeChange<VariantInput> {
  return {
    sku: body.sku,
    barcode: body.barcode,
    title: body.title,
    options: body.options,
    prices: body.prices?.map(readPrice),
    weightGrams: body.weight_grams,
    requiresShipping: body.requires_shipping,
    image: body.image && readImage(body.image),
    metadata: body.metadata,
  };
}

/** Reads a new variant from a request body. */
export function readNewVariant(body: Static<typeof newVariantSchema>): NewVariant {
  const { stock: onHand = 0, tracked, backorder, low_stock_threshold: lowStockThreshold } = body;
  return { ...readVariantChange(body), stock: { onHand, tracked, backorder, lowStockThreshold } };
}

/** Reads a product of a file: what it does not say of stock is undefined. */
export function readImportedProduct(body: Static<typeof newProductSchema>) {
  const variants = (body.variants ?? []).map((variant) => ({
    fields: readVariantChange(variant),
    stock: {
      onHand: variant.stock,
      tracked: variant.tracked,
      backorder: variant.backorder,
      lowStockThreshold: variant.low_stock_threshold,
    },
  }));
  return { fields: { ...readProductChange(body), name: body.name }, variants };
}
