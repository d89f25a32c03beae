// Duka's own file of products, as `duka export products` writes it and people edit it.

import { slugOf } from "#catalog/rows/product.ts";
import type { Columns, Layout, Row } from "#imports/tables/columns.ts";
import { columnOrder } from "#sheets/product-sheet.ts";
import { splitList } from "#sheets/sheet.ts";

import { ProductDraft, type ReadingTerms, type VariantBody } from "./product-draft.ts";

const own = [
  ...columnOrder.product,
  ...columnOrder.more,
  ...columnOrder.variant,
  ...columnOrder.stock,
  "price",
  "compare_at",
];

export const dukaLayout: Layout = {
  columns: Object.fromEntries(own.map((name) => [name, [name]])),
  numbered: /^(?:option_[1-9]_(?:name|values?)|(?:price|compare_at)_[a-z]{3})$/,
  // Every column of this file is taken over.
  dropped: /^(?!)/,
};

/** The products of the rows: what a product has for itself may stand on any of its rows. */
export function* readDuka(columns: Columns, terms: ReadingTerms): Generator<ProductDraft> {
  for (const [slug, group] of Map.groupBy(columns.rows, (row) => row.get("slug"))) {
    // Without a slug each row is a product, whose slug is made of its name.
    const products = slug === "" ? group.map((row) => [row]) : [group];
    for (const rows of products) yield readProduct({ rows, columns }, terms);
  }
}

interface Group {
  readonly rows: readonly Row[];
  readonly columns: Columns;
}

function readProduct(group: Group, terms: ReadingTerms): ProductDraft {
  const [first] = group.rows;
  if (first === undefined) throw new Error("A product has a row.");
  const draft = new ProductDraft(first, terms, { isForeign: false, rows: group.rows });
  if (!draft.leaveOutIfTooLong(group.rows)) readFields(draft, first, group);
  return draft;
}

function readFields(draft: ProductDraft, first: Row, group: Group): void {
  const { rows, columns } = group;
  const { body } = draft;
  const at = (column: string, pointer = `/${column}`) => {
    const row = rows.find((one) => one.get(column) !== "") ?? first;
    return draft.text({ row, column, pointer });
  };
  draft.requireAgreement(
    { noun: "product", own: "a product" },
    rows,
    columns.names.filter(isOfProduct),
  );
  body.slug = at("slug");
  body.name = at("name");
  if (body.slug === undefined && body.name !== undefined) {
    draft.keepsSlug = true;
    draft.at({ row: first, column: "name", pointer: "/slug" });
    body.slug = slugOf(body.name);
  }
  // Its spaces are the merchant's.
  if (at("description") !== undefined) {
    body.description = rows.map((row) => row.raw("description")).find((text) => text.trim() !== "");
  }
  body.status = at("status")?.toLowerCase();
  body.category = at("category");
  body.brand = at("brand");
  body.seo = {
    title: at("seo_title", "/seo/title"),
    description: at("seo_description", "/seo/description"),
  };
  body.tags = listOf(at("tags"));
  body.tax_class = at("tax_class");
  const alts = splitList(at("image_alts", "/images") ?? "", "|");
  body.images = listOf(at("images"))?.map((url, index) => ({ url, alt: alts[index] ?? "" }));
  body.metadata = draft.json({
    row: rows.find((one) => one.get("metadata") !== "") ?? first,
    column: "metadata",
    pointer: "/metadata",
  });
  const options = optionsOf(group);
  if (options.length > 0) body.options = options.map(({ name, values }) => ({ name, values }));
  body.variants = rows.map((row, index) => readVariant(draft, { row, index, options, columns }));
}

function isOfProduct(column: string): boolean {
  const fields: readonly string[] = [...columnOrder.product, ...columnOrder.more];
  return fields.includes(column) || /^option_\d_(?:name|values)$/.test(column);
}

function listOf(text: string | undefined): string[] | undefined {
  return text === undefined ? undefined : splitList(text, "|").filter((value) => value !== "");
}

function optionsOf({ rows, columns }: Group) {
  const numbers = columns.names.flatMap((name) => /^option_(\d)_name$/.exec(name)?.[1] ?? []);
  return numbers.flatMap((number) => {
    const cell = (column: string) =>
      rows.map((row) => row.get(column)).find((text) => text !== "") ?? "";
    const name = cell(`option_${number}_name`);
    const column = `option_${number}_value`;
    const used = rows.map((row) => row.get(column)).filter((value) => value !== "");
    const values = [
      ...new Set([...(listOf(cell(`option_${number}_values`)) ?? []), ...used]),
    ].filter((value) => value !== "");
    return name === "" ? [] : [{ name, column, values }];
  });
}

interface VariantPlace {
  readonly row: Row;
  readonly index: number;
  readonly options: ReturnType<typeof optionsOf>;
  readonly columns: Columns;
}

function readVariant(draft: ProductDraft, place: VariantPlace): VariantBody {
  const { row, index, options } = place;
  const from = (column: string, name = column) => ({
    row,
    column,
    pointer: `/variants/${index}/${name}`,
  });
  draft.at({ row, column: "sku", pointer: `/variants/${index}` });
  const chosen = options.flatMap(({ name, column }) => {
    const value = draft.text(from(column, "options"));
    return value === undefined ? [] : [[name, value]];
  });
  return {
    title: draft.text(from("variant_title", "title")),
    sku: draft.sent(from("sku")),
    barcode: draft.code(from("barcode")),
    options: options.length === 0 ? undefined : Object.fromEntries(chosen),
    prices: pricesOf(draft, place),
    weight_grams: draft.grams(from("weight_grams")),
    requires_shipping: draft.flag(from("requires_shipping")),
    image: draft.image(from("variant_image", "image"), row.raw("variant_image_alt")),
    metadata: draft.json(from("variant_metadata", "metadata")),
    stock: draft.whole(from("stock")),
    tracked: draft.flag(from("tracked")),
    backorder: draft.text(from("backorder"))?.toLowerCase(),
    low_stock_threshold: draft.whole(from("low_stock_threshold")),
  };
}

/** A price in each currency that has a column, and one in the currency of the file or the shop. */
function pricesOf(draft: ProductDraft, { row, index, columns }: VariantPlace) {
  const found = columns.names.filter((name) => /^price(?:_|$)/.test(name) && row.get(name) !== "");
  for (const column of columns.names.filter((name) => name.startsWith("compare_at"))) {
    const price = column.replace("compare_at", "price");
    if (row.get(column) === "" || row.get(price) !== "") continue;
    draft.fault({ row, column }, "required", `It is a former price: ${price} must have the price.`);
  }
  const prices = found.map((column, at) => {
    const from = (name: string, field: string) => ({
      row,
      column: name,
      pointer: `/variants/${index}/prices/${at}/${field}`,
    });
    const former = column.replace("price", "compare_at");
    const currency = column.slice("price_".length).toUpperCase() || draft.terms.currency;
    draft.at(from(column, "currency"));
    return {
      currency,
      amount: draft.amount(from(column, "amount"), currency),
      compare_at: draft.amount(from(former, "compare_at"), currency),
    };
  });
  return prices.length === 0 ? undefined : prices;
}
