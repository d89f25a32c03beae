// A file of products that Shopify exports, with the names of its columns of now and of before.

import { slugOf } from "#catalog/rows/product.ts";
import type { Columns, Layout, Row } from "#imports/tables/columns.ts";
import { FOREIGN_ROWS_MAX } from "#imports/tables/draft.ts";
import { plainText } from "#imports/tables/plain-text.ts";
import { readFlag, repairs } from "#imports/tables/repair.ts";
import { splitList } from "#sheets/sheet.ts";

import {
  type Backorder,
  PICTURES,
  picturesIn,
  ProductDraft,
  type ReadingTerms,
  type VariantBody,
} from "./product-draft.ts";

/** The words of "Variant Inventory Policy". */
const policies = new Map<string, Backorder>([
  ["continue", "allow"],
  ["deny", "deny"],
]);

export const shopifyLayout: Layout = {
  columns: {
    handle: ["Handle", "URL handle"],
    title: ["Title"],
    description: ["Body (HTML)", "Description"],
    vendor: ["Vendor"],
    category: ["Product Category", "Product category"],
    type: ["Type"],
    tags: ["Tags"],
    published: ["Published", "Published on online store"],
    status: ["Status"],
    option_1_name: ["Option1 Name"],
    option_1: ["Option1 Value"],
    option_2_name: ["Option2 Name"],
    option_2: ["Option2 Value"],
    option_3_name: ["Option3 Name"],
    option_3: ["Option3 Value"],
    sku: ["Variant SKU", "SKU"],
    barcode: ["Variant Barcode", "Barcode"],
    grams: ["Variant Grams", "Weight value (grams)"],
    tracker: ["Variant Inventory Tracker", "Inventory tracker"],
    stock: ["Variant Inventory Qty", "Inventory quantity"],
    backorder: ["Variant Inventory Policy", "Continue selling when out of stock"],
    price: ["Variant Price", "Price"],
    compare_at: ["Variant Compare At Price", "Compare-at price"],
    requires_shipping: ["Variant Requires Shipping", "Requires shipping"],
    taxable: ["Variant Taxable", "Charge tax"],
    image: ["Image Src", "Product image URL"],
    image_position: ["Image Position", "Image position"],
    image_alt: ["Image Alt Text", "Image alt text"],
    variant_image: ["Variant Image", "Variant image URL"],
    cost: ["Cost per item"],
    gift_card: ["Gift Card", "Gift card"],
    seo_title: ["SEO Title", "SEO title"],
    seo_description: ["SEO Description", "SEO description"],
  },
  dropped:
    /^(?:google shopping|(?:included|price|compare[- ]at price) ?\/|option\d linked to|variant (?:fulfillment service|weight unit|tax code)|fulfillment service|weight unit|tax code|unit price )|metafields/i,
};

const optionNumbers = [1, 2, 3] as const;

/** The products of the rows, each of which names its product. */
export function* readShopify({ rows }: Columns, terms: ReadingTerms): Generator<ProductDraft> {
  for (const [handle, group] of Map.groupBy(rows, (row) => row.get("handle"))) {
    const products = handle === "" ? group.map((row) => [row]) : [group];
    for (const product of products) yield readProduct(handle, product, terms);
  }
}

function readProduct(handle: string, group: readonly Row[], terms: ReadingTerms): ProductDraft {
  const row = group.find((one) => one.get("title") !== "") ?? group[0];
  if (row === undefined) throw new Error("A product has a row.");
  const draft = new ProductDraft(row, terms, { isForeign: true, rows: group });
  if (draft.leaveOutIfTooLong(group, FOREIGN_ROWS_MAX)) return draft;
  if (handle === "") {
    draft.fault({ row, column: "handle" }, "required", "Each row names its product.");
  }
  draft.requireAgreement({ noun: "product", own: "a product" }, group, ["title"]);
  readFields(draft, row);
  draft.at({ row, column: "title", pointer: "/variants" });
  readVariants(draft, group);
  draft.body.images = imagesOf(draft, group);
  return draft;
}

function readFields(draft: ProductDraft, row: Row): void {
  const at = (column: string, pointer: string) => draft.text({ row, column, pointer });
  const mended = (column: string, pointer: string, kind: keyof typeof repairs) =>
    draft.mended({ row, column, pointer }, kind);
  const handle = at("handle", "/slug");
  const path = splitList(at("category", "/category") ?? "", ">");
  Object.assign(draft.body, {
    slug: handle && slugOf(handle),
    name: mended("title", "/name", "name"),
    description: draft.mend(plainText(at("description", "/description") ?? ""), "description", row),
    status: statusOf(draft, row),
    category: mended("type", "/category", "category") ?? draft.mend(path.at(-1), "category", row),
    tags: draft.tags({ row, column: "tags", pointer: "/tags" }),
    brand: mended("vendor", "/brand", "brand"),
    seo: {
      title: mended("seo_title", "/seo/title", "seo_title"),
      description: mended("seo_description", "/seo/description", "seo_description"),
    },
  });
}

function statusOf(draft: ProductDraft, row: Row): string | undefined {
  const status = draft.text({ row, column: "status", pointer: "/status" })?.toLowerCase();
  const isPublished = draft.flag({ row, column: "published", pointer: "/published" });
  if (status === "archived") return status;
  if (readFlag(row.get("gift_card")) === true) {
    draft.warn(
      row,
      "A gift card is taken over as a draft: this shop keeps no balance to pay with.",
    );
    return "draft";
  }
  if (status === "unlisted") {
    draft.warn(row, "An unlisted product is taken over as a draft.");
    return "draft";
  }
  return isPublished === false ? "draft" : status;
}

/** A row with neither a value of an option nor a price nor a SKU only adds a picture. */
function isVariant(row: Row): boolean {
  return ["option_1", "price", "sku"].some((column) => row.get(column) !== "");
}

function readVariants(draft: ProductDraft, group: readonly Row[]): void {
  const described = draft.variantRows(group.filter(isVariant), choiceOf);
  const rows = described.length > 0 ? described : group.slice(0, 1);
  const names = optionNumbers.map(
    (number) =>
      group.map((row) => row.get(`option_${number}_name`)).find((name) => name !== "") ?? "",
  );
  const isPlain =
    names[0] === "Title" && rows.every((row) => row.get("option_1") === "Default Title");
  const options = isPlain ? [] : optionsOf(draft, { names, rows });
  if (options.length > 0)
    draft.body.options = options.map(({ name, values }) => ({ name, values }));
  draft.body.variants = rows.map((row, index) => {
    const at = `/variants/${index}`;
    const variant = {
      ...readVariant(draft, { row, at }),
      image: draft.image(
        { row, column: "variant_image", pointer: `${at}/image` },
        draft.mend(altOf(group, row.get("variant_image")), "picture_text", row),
      ),
    };
    const chosen = options.flatMap(({ name, column }) =>
      row.get(column) === "" ? [] : [[name, cutOption(row.get(column))]],
    );
    return isPlain ? variant : { ...variant, options: Object.fromEntries(chosen) };
  });
}

function choiceOf(row: Row): string {
  const values = optionNumbers.map((number) => row.get(`option_${number}`));
  return values.every((value) => value === "") ? "" : JSON.stringify(values);
}

function cutOption(value: string): string {
  return repairs.option(value)?.text ?? value;
}

interface OptionColumns {
  readonly names: readonly string[];
  readonly rows: readonly Row[];
}

/** Each option with its values. Its name stands on one row of the product. */
function optionsOf(draft: ProductDraft, { names, rows }: OptionColumns) {
  return names.flatMap((name, index) => {
    const column = `option_${index + 1}`;
    const used = rows.filter((row) => row.get(column) !== "");
    const [first] = used;
    if (first === undefined) return [];
    if (name === "") {
      draft.fault(
        { row: first, column: `${column}_name` },
        "required",
        "This option needs a name.",
      );
      return [];
    }
    draft.at({ row: first, column, pointer: `/options/${index}` });
    for (const [at, row] of rows.entries()) {
      draft.at({ row, column, pointer: `/variants/${at}/options` });
    }
    const values = [...new Set(used.map((row) => row.get(column)))].map(
      (value) => draft.mend(value, "option", first) ?? value,
    );
    return [{ name: draft.mend(name, "option", first) ?? name, column, values }];
  });
}

interface VariantPlace {
  readonly row: Row;
  readonly at: string;
}

function readVariant(draft: ProductDraft, { row, at }: VariantPlace): VariantBody {
  const from = (column: string, name: string) => ({ row, column, pointer: `${at}/${name}` });
  draft.at({ row, column: "sku", pointer: at });
  const amount = draft.amount(from("price", "prices/0/amount"));
  const compareAt = draft.amount(from("compare_at", "prices/0/compare_at"));
  const cost = draft.text(from("cost", "metadata/cost"));
  if (draft.flag(from("taxable", "tax")) === false) {
    draft.warn(row, "Not taxable in Shopify: give the product a tax class without tax.");
  }
  const tracker = row.get("tracker");
  const stock = draft.stock(from("stock", "stock"));
  if (tracker !== "" && stock === undefined) {
    draft.warn(row, "The file does not say how many there are: a new variant has none on hand.");
  }
  const price = {
    currency: draft.terms.currency,
    amount,
    compare_at: isReduced(amount, compareAt),
  };
  return {
    sku: draft.code(from("sku", "sku")),
    barcode: draft.code(from("barcode", "barcode"), "barcode"),
    prices: amount === undefined ? undefined : [price],
    weight_grams: draft.grams(from("grams", "weight_grams")),
    requires_shipping: draft.flag(from("requires_shipping", "requires_shipping")),
    metadata: cost === undefined ? undefined : { cost },
    stock,
    tracked: row.columnOf("tracker") === null ? undefined : tracker !== "",
    backorder: draft.backorder(from("backorder", "backorder"), policies),
  };
}

/** Shopify keeps a price before a reduction that is no higher than the price, and shows none. */
function isReduced(amount: string | undefined, compareAt: string | undefined) {
  return Number(compareAt) > Number(amount) ? compareAt : undefined;
}

/** The file's description of this picture of the product. */
function altOf(group: readonly Row[], url: string): string | undefined {
  return group.find((row) => row.get("image") === url)?.get("image_alt");
}

/** The pictures of the product by their positions, then those of variants. */
function imagesOf(draft: ProductDraft, group: readonly Row[]): object[] | undefined {
  const own = group.filter((row) => row.get("image") !== "").toSorted(byPosition);
  const found = [
    ...own.map((row) => ({ row, column: "image", alt: row.get("image_alt") })),
    ...group.map((row) => ({ row, column: "variant_image", alt: "" })),
  ];
  const images = new Map<string, { url: string; alt: string }>();
  for (const { row, column, alt } of found) {
    for (const url of picturesIn(row.get(column))) {
      if (url === "" || images.has(url)) continue;
      draft.at({ row, column, pointer: `/images/${images.size}` });
      images.set(url, { url, alt: draft.mend(alt, "picture_text", row) ?? "" });
    }
  }
  return images.size === 0 ? undefined : draft.first([...images.values()], PICTURES);
}

function byPosition(one: Row, other: Row): number {
  return Number(one.get("image_position")) - Number(other.get("image_position"));
}
