// A file of products that WooCommerce exports: a variation names its parent, and may stand before it.

import { slugOf } from "#catalog/rows/product.ts";
import type { Columns, Layout, Row } from "#imports/tables/columns.ts";
import { FOREIGN_ROWS_MAX } from "#imports/tables/draft.ts";
import { plainText } from "#imports/tables/plain-text.ts";
import { readFlag } from "#imports/tables/repair.ts";
import { splitList } from "#sheets/sheet.ts";

import {
  type Backorder,
  PICTURES,
  picturesIn,
  ProductDraft,
  type ReadingTerms,
  type VariantBody,
} from "./product-draft.ts";
import {
  type Attribute,
  attributesOf,
  choiceOf,
  chosenOf,
  valuesOf,
} from "./woocommerce-attributes.ts";
import { readSalePrice } from "./woocommerce-price.ts";
import { gramsPerUnit } from "./written-number.ts";

export const wooLayout: Layout = {
  columns: {
    id: ["ID"],
    type: ["Type"],
    sku: ["SKU"],
    barcode: ["GTIN, UPC, EAN, or ISBN"],
    name: ["Name"],
    published: ["Published"],
    short_description: ["Short description"],
    description: ["Description"],
    sale_from: ["Date sale price starts"],
    sale_to: ["Date sale price ends"],
    tax_status: ["Tax status"],
    tax_class: ["Tax class"],
    in_stock: ["In stock?"],
    stock: ["Stock"],
    low_stock: ["Low stock amount"],
    backorders: ["Backorders allowed?"],
    weight_kg: ["Weight (kg)"],
    weight_g: ["Weight (g)"],
    weight_lbs: ["Weight (lbs)"],
    weight_oz: ["Weight (oz)"],
    sale_price: ["Sale price"],
    regular_price: ["Regular price"],
    categories: ["Categories"],
    brands: ["Brands"],
    tags: ["Tags"],
    images: ["Images"],
    parent: ["Parent"],
    grouped: ["Grouped products"],
    external_url: ["External URL"],
    duka_slug: ["duka_slug"],
  },
  numbered: /^attribute \d+ (?:name|value\(s\))$/,
  dropped:
    /^(?:is featured\?|visibility in catalog|sold individually\?|(?:length|width|height) \(|allow customer reviews\?|purchase note|shipping class|download|upsells|cross-sells|button text|position|attribute \d+ (?:visible|global|default)|meta:)/i,
};

/** Options of a product, and values of one. */
/** WooCommerce also sells beyond the stock and tells the customer so. */
const policies = new Map<string, Backorder>([["notify", "allow"]]);
const OPTIONS_MAX = 5;
const VALUES_MAX = 100;

const unitByColumn = {
  weight_kg: gramsPerUnit.kg,
  weight_g: gramsPerUnit.g,
  weight_lbs: gramsPerUnit.lb,
  weight_oz: gramsPerUnit.oz,
};

/** The products of the rows. Their slugs are made of their names, since the file has none. */
export function* readWoo(columns: Columns, terms: ReadingTerms): Generator<ProductDraft> {
  const parents = columns.rows.filter((row) => !typesOf(row).has("variation"));
  const bySku = new Map(parents.map((row) => [row.get("sku"), row]));
  const byId = new Map(parents.map((row) => [`id:${row.get("id")}`, row]));
  const parentOf = (row: Row) => {
    const parent = row.get("parent");
    // Products without a SKU are the parents of none.
    return parent === "" ? undefined : (bySku.get(parent) ?? byId.get(parent));
  };
  const variations = columns.rows.filter((row) => typesOf(row).has("variation"));
  const children = Map.groupBy(variations, parentOf);
  const slugs = new Set<string>();
  for (const row of parents) {
    const draft = readProduct({ row, variations: children.get(row) ?? [], columns }, terms);
    giveSlug(draft, row, slugs);
    yield draft;
  }
  for (const row of children.get(undefined) ?? []) yield orphaned(row, terms);
}

/** The slug is that of the name; of several products with one name, the others have their SKU or id behind it. */
function giveSlug(draft: ProductDraft, row: Row, slugs: Set<string>): void {
  const { body } = draft;
  const slug = slugOf(row.get("name") || (body.name ?? ""));
  const own = slugs.has(slug) ? slugOf(`${slug} ${row.get("sku") || row.get("id")}`) : slug;
  draft.keepsSlug = true;
  draft.at({ row, column: "name", pointer: "/slug" });
  body.slug = row.get("duka_slug") || own;
  if (body.slug !== slug) draft.setCellOfReport(row.number, "duka_slug", body.slug);
  slugs.add(body.slug);
}

/** Plugins add others, such as subscriptions, which would be sold once here. */
const ownTypes: ReadonlySet<string> = new Set([
  "",
  "simple",
  "variable",
  "virtual",
  "downloadable",
]);

/** Such as `simple` and `virtual`. */
function typesOf(row: Row): ReadonlySet<string> {
  return new Set(splitList(row.get("type").toLowerCase(), ","));
}

/** A variation without its product has nothing to belong to. */
function orphaned(row: Row, terms: ReadingTerms): ProductDraft {
  const draft = new ProductDraft(row, terms, { isForeign: true, rows: [row] });
  draft.fault(
    { row, column: "parent" },
    "unknown_product",
    "The file has no product with this SKU or id.",
  );
  draft.isLeftOut = true;
  return draft;
}

interface Family {
  readonly row: Row;
  readonly variations: readonly Row[];
  readonly columns: Columns;
}

function readProduct(family: Family, terms: ReadingTerms): ProductDraft {
  const { row } = family;
  const draft = new ProductDraft(row, terms, {
    isForeign: true,
    rows: [row, ...family.variations],
  });
  const { body } = draft;
  if (draft.leaveOutIfTooLong(family.variations, FOREIGN_ROWS_MAX)) return draft;
  const at = (column: string, pointer: string) => draft.text({ row, column, pointer });
  const types = typesOf(row);
  const reason = reasonAgainst(types, family);
  if (reason !== null) {
    draft.warn(row, reason);
    draft.isLeftOut = true;
    return draft;
  }
  body.name =
    draft.mended({ row, column: "name", pointer: "/name" }, "name") ?? nameless(draft, row);
  const description = at("description", "/description") ?? at("short_description", "/description");
  // The exporter writes the end of a line as two characters.
  const text = plainText((description ?? "").replaceAll(String.raw`\n`, "\n"));
  body.description = draft.mend(text, "description", row);
  body.status = statusOf(draft, row);
  readPlaces(draft, row);
  body.images = imagesOf(draft, [row, ...family.variations]);
  draft.at({ row, column: "type", pointer: "/variants" });
  if (types.has("variable")) readVariations(draft, family);
  else body.variants = [readVariant(draft, { row, at: "/variants/0" })];
  body.metadata = factsOf(draft, family);
  return draft;
}

/** The status by a column with 1 for a product that is published, and another number for one that is not. */
function statusOf(draft: ProductDraft, row: Row): string | undefined {
  if (/^-?\d+$/.test(row.get("published")))
    return row.get("published") === "1" ? "active" : "draft";
  const isShown = draft.flag({ row, column: "published", pointer: "/status" });
  return isShown === undefined ? undefined : isShown ? "active" : "draft";
}

/** WooCommerce takes a product without a name. */
function nameless(draft: ProductDraft, row: Row): string {
  const name = row.get("sku") || `Product ${row.get("id")}`.trim();
  draft.noteMended(row, `A product without a name is taken over as ${name}.`);
  return name;
}

/** The reason for which a product is left out; null for one that is taken over. */
function reasonAgainst(types: ReadonlySet<string>, { variations, columns }: Family): string | null {
  const foreign = [...types].find((type) => !ownTypes.has(type));
  if (foreign !== undefined) {
    return `A product of the type ${foreign} has no place here and is left out.`;
  }
  if (!types.has("variable")) return null;
  if (!variations.some(isPublished)) return "A variable product without variations is left out.";
  const names = new Set(
    variations.flatMap((row) => chosenOf(row, columns).map(({ name }) => name)),
  );
  return names.size > OPTIONS_MAX
    ? `A product has at most ${OPTIONS_MAX} options here: one with ${names.size} is left out.`
    : null;
}

/** Its category, brand, tags and tax class. */
function readPlaces(draft: ProductDraft, row: Row): void {
  const { body } = draft;
  const paths = valuesOf(draft.text({ row, column: "categories", pointer: "/category" }));
  body.category = draft.mend(splitList(paths[0] ?? "", ">").at(-1), "category", row);
  if (paths.length > 1) draft.warn(row, "Only the first of its categories is taken over.");
  const brands = valuesOf(draft.text({ row, column: "brands", pointer: "/brand" }));
  body.brand = draft.mend(brands[0], "brand", row);
  if (brands.length > 1) draft.warn(row, "Only the first of its brands is taken over.");
  body.tags = draft.tags({ row, column: "tags", pointer: "/tags" });
  const taxClass = draft.text({ row, column: "tax_class", pointer: "/tax_class" })?.toLowerCase();
  body.tax_class = taxClass === "parent" ? undefined : taxClass;
  if (row.get("tax_status").toLowerCase() === "none") {
    draft.warn(row, "Not taxable in WooCommerce: give the product a tax class without tax.");
  }
}

function isPublished(variation: Row): boolean {
  return readFlag(variation.get("published")) !== false;
}

/** The attributes that variations have are options. A variation weighs what its product does, unless it says more. */
function readVariations(draft: ProductDraft, { row, variations, columns }: Family): void {
  const { body } = draft;
  const published = variations.filter((one) => {
    if (!isPublished(one)) draft.warn(one, "A variation that is not published is left out.");
    return isPublished(one);
  });
  const shown = draft.variantRows(published, (one) => choiceOf(one, columns));
  const chosen = shown.map((one) => chosenOf(one, columns));
  const used = new Set(chosen.flat().map(({ name }) => name));
  const attributes = attributesOf(row, columns);
  const names = [
    ...new Set([...attributes.map(({ name }) => name).filter((name) => used.has(name)), ...used]),
  ];
  body.options = names.map((name) => {
    const of = (all: readonly Attribute[]) =>
      all.filter((one) => one.name === name).flatMap(({ values }) => values);
    const values = new Set([...of(attributes), ...of(chosen.flat())]);
    // Those that no variation has need no place.
    return {
      name,
      values: values.size > VALUES_MAX ? [...new Set(of(chosen.flat()))] : [...values],
    };
  });
  body.variants = shown.map((one, index) => {
    const options = (chosen[index] ?? []).map(({ name, values }) => [name, values[0] ?? ""]);
    if (options.length < names.length) {
      draft.warn(one, "A variation for any value of an attribute is one without that option here.");
    }
    const at = `/variants/${index}`;
    const column = chosen[index]?.[0]?.column ?? "name";
    draft.at({ row: one, column, pointer: `${at}/options` });
    const variant = readVariant(draft, { row: one, at });
    const weight = variant.weight_grams ?? weightOf(draft, { row, at });
    const image = pictureOf(draft, { row: one, at });
    return { ...variant, weight_grams: weight, image, options: Object.fromEntries(options) };
  });
}

/** Attributes that are no option, such as a material, in the metadata of the product. */
function factsOf(draft: ProductDraft, { row, columns }: Family): object | undefined {
  const options = new Set(draft.body.options?.map(({ name }) => name));
  const facts = attributesOf(row, columns)
    .filter(({ name, values }) => !options.has(name) && values.length > 0)
    .map(({ name, values }) => [name, draft.mend(values.join(", "), "fact", row) ?? ""]);
  return facts.length === 0 ? undefined : Object.fromEntries(facts);
}

interface VariantPlace {
  readonly row: Row;
  readonly at: string;
}

function readVariant(draft: ProductDraft, { row, at }: VariantPlace): VariantBody {
  const from = (column: string, name: string) => ({ row, column, pointer: `${at}/${name}` });
  draft.at({ row, column: "sku", pointer: at });
  const types = typesOf(row);
  const isVirtual = types.has("virtual") || types.has("downloadable");
  const price = readSalePrice(draft, { row, at });
  return {
    sku: draft.code(from("sku", "sku")),
    barcode: draft.code(from("barcode", "barcode"), "barcode"),
    prices: price === undefined ? undefined : [price],
    weight_grams: weightOf(draft, { row, at }),
    requires_shipping: isVirtual ? false : undefined,
    ...stockOf(draft, { row, at }),
    low_stock_threshold: draft.whole(from("low_stock", "low_stock_threshold")),
  };
}

/** A file has one column of weights, in the unit of the shop. */
function weightOf(draft: ProductDraft, { row, at }: VariantPlace): number | undefined {
  return Object.entries(unitByColumn)
    .map(([column, grams]) => draft.grams({ row, column, pointer: `${at}/weight_grams` }, grams))
    .find((weight) => weight !== undefined);
}

/** Stock that WooCommerce does not manage is not counted here either, unless there is none. */
function stockOf(draft: ProductDraft, { row, at }: VariantPlace) {
  const from = (column: string, name: string) => ({ row, column, pointer: `${at}/${name}` });
  const backorder = draft.backorder(from("backorders", "backorder"), policies);
  if (row.columnOf("stock") === null) return { backorder };
  if (row.get("stock").toLowerCase() === "parent") {
    draft.warn(row, "The stock is counted for all variations together: count this one by itself.");
    return { backorder };
  }
  const stock = draft.stock(from("stock", "stock"));
  const isGone = readFlag(row.get("in_stock")) === false;
  if (stock === undefined && isGone) return { stock: 0, tracked: true, backorder };
  return { stock, tracked: row.get("stock") !== "", backorder };
}

/** An address may have a comma, but no space behind it. */
function addressesOf(row: Row): string[] {
  return picturesIn(row.get("images"))
    .flatMap((text) => text.split(/,\s+/))
    .filter((url) => url !== "");
}

/** The first picture of a variation. */
function pictureOf(draft: ProductDraft, { row, at }: VariantPlace): object | undefined {
  const [url] = addressesOf(row);
  if (url === undefined) return undefined;
  draft.at({ row, column: "images", pointer: `${at}/image` });
  return { url };
}

function imagesOf(draft: ProductDraft, rows: readonly Row[]): object[] | undefined {
  const images = new Set<string>();
  for (const row of rows) {
    for (const url of addressesOf(row)) {
      if (images.has(url)) continue;
      draft.at({ row, column: "images", pointer: `/images/${images.size}` });
      images.add(url);
    }
  }
  return images.size === 0 ? undefined : draft.first([...images], PICTURES).map((url) => ({ url }));
}
