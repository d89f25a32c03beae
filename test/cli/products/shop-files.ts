// Files as the documents of Shopify and WooCommerce allow them: lengths, options, empty cells, order of rows.

import fc from "fast-check";

/** Rows of a file, by the names of its columns. */
export type FileRow = Readonly<Record<string, string>>;

/** The text of a file with each cell in quotes, as the exporters of both may write it. */
export function fileOf(rows: readonly FileRow[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ""))];
  return cells
    .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","))
    .join("\n");
}

/** A text of one to `length` characters that begins with a letter, so that it is seen. */
function words(length: number): fc.Arbitrary<string> {
  const bySize = fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: "grapheme", maxLength: 20 }) },
    fc.string({ unit: "grapheme-composite", maxLength: Math.min(length - 1, 300) }),
    fc.constantFrom("ab ", "é", "日本 ").map((part) => part.repeat(length)),
  );
  const first = fc.constantFrom("T", "é", "Ж", "漢", "9");
  return fc
    .tuple(first, bySize)
    .map(([letter, rest]) => [...`${letter}${rest}`].slice(0, length).join(""));
}

/** Values without the character that separates them in a cell. */
function values(length: number, most: number): fc.Arbitrary<string[]> {
  const value = words(length).map((text) => text.replaceAll(/[,>|\\]/g, ""));
  return fc.uniqueArray(value, { maxLength: most });
}

function blankOr(cell: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.option(cell, { nil: "", freq: 3 });
}

const cents = fc.integer({ min: 0, max: 9_999_999 }).map((all) => (all / 100).toFixed(2));
const url = fc
  .tuple(fc.nat(), fc.constantFrom("mug", "Фото 1", "a b", "é", "%20", "ü(1)"))
  .map(([id, name]) => `https://cdn.shop.example/${name}-${id}.jpg?v=${id}`);
const yesOrNo = fc.constantFrom("TRUE", "FALSE", "true", "false");

const shopifyProduct = fc.record({
  Title: words(255),
  "Body (HTML)": blankOr(words(12_000).map((text) => `<p>${text}</p>`)),
  Vendor: blankOr(words(255)),
  "Product Category": blankOr(values(255, 3).map((path) => path.join(" > "))),
  Type: blankOr(words(255)),
  Tags: values(255, 60).map((tags) => tags.join(", ")),
  Published: yesOrNo,
  Status: fc.constantFrom("active", "draft", "archived", "unlisted"),
  "Gift Card": blankOr(yesOrNo),
  "SEO Title": blankOr(words(255)),
  "SEO Description": blankOr(words(600)),
});

const shopifyVariant = fc.record({
  "Variant SKU": blankOr(words(255)),
  "Variant Grams": blankOr(fc.constantFrom("0", "250", "1500.0", "12.5")),
  "Variant Inventory Tracker": fc.constantFrom("", "shopify", "a-service"),
  "Variant Inventory Qty": blankOr(fc.integer({ min: -50, max: 1_000_000 }).map(String)),
  "Variant Inventory Policy": fc.constantFrom("deny", "continue"),
  "Variant Price": blankOr(cents),
  "Variant Compare At Price": blankOr(cents),
  "Variant Requires Shipping": yesOrNo,
  "Variant Taxable": yesOrNo,
  "Variant Barcode": blankOr(words(255)),
  "Variant Image": blankOr(url),
  "Cost per item": blankOr(cents),
});

const shopifyPicture = fc.record({
  "Image Src": url,
  "Image Position": blankOr(fc.integer({ min: 1, max: 250 }).map(String)),
  "Image Alt Text": blankOr(words(512)),
});

/** The options of a product: names, and the values of each. */
const shopifyOptions = fc
  .uniqueArray(words(255), { minLength: 1, maxLength: 3, selector: startOf })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc
          .uniqueArray(words(255), { minLength: 1, maxLength: 3, selector: startOf })
          .map((all) => ({ name, values: all })),
      ),
    ),
  );

/** Options that differ only behind what this shop keeps of them would be one here, as those that differ in blanks. */
function startOf(text: string): string {
  return text
    .slice(0, 40)
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function combinations(options: readonly { readonly values: readonly string[] }[]): string[][] {
  return options.reduce<string[][]>(
    (all, { values: some }) => all.flatMap((one) => some.map((value) => [...one, value])),
    [[]],
  );
}

const shopifyRows = fc
  .tuple(
    shopifyProduct,
    fc.option(shopifyOptions, { nil: null }),
    fc.array(shopifyVariant, { minLength: 1, maxLength: 5 }),
    fc.array(shopifyPicture, { maxLength: 4 }),
    words(255),
  )
  .map(([product, options, variants, pictures, handle]) => {
    const rows: FileRow[] =
      options === null
        ? [{ "Option1 Name": "Title", "Option1 Value": "Default Title", ...variants[0] }]
        : combinations(options).map((chosen, at) => ({
            ...Object.fromEntries(
              options.flatMap(({ name }, index) => [
                [`Option${index + 1} Name`, at === 0 ? name : ""],
                [`Option${index + 1} Value`, chosen[index] ?? ""],
              ]),
            ),
            ...variants[at % variants.length],
          }));
    const length = Math.max(rows.length, pictures.length);
    return Array.from({ length }, (_, at) => ({
      Handle: handle,
      ...(at === 0 ? product : {}),
      ...rows[at],
      ...pictures[at],
    }));
  });

/** A file of Shopify. Its rows may stand in any order, and it may lack what no product of it has. */
export const shopifyFile: fc.Arbitrary<FileRow[]> = fc
  .array(shopifyRows, { minLength: 1, maxLength: 4 })
  .map((products) =>
    products.flatMap((rows, at) => rows.map((row) => ({ ...row, Handle: `${at}${row.Handle}` }))),
  )
  .chain((rows) => fc.shuffledSubarray(rows, { minLength: rows.length }));

/** What WooCommerce calculates may have more digits than a currency; three may be thousands, and are asked for. */
const wooPrice = fc.oneof(
  cents,
  fc.integer({ min: 0, max: 99_999 }).map(String),
  fc.integer({ min: 0, max: 99_999_999 }).map((all) => (all / 10_000).toFixed(4)),
  cents.map((price) => price.replace(".", ",")),
);

const wooCommon = {
  "GTIN, UPC, EAN, or ISBN": blankOr(fc.nat({ max: 9_999_999_999_999 }).map(String)),
  Published: fc.constantFrom("1", "0", "-1", "2"),
  "Tax status": fc.constantFrom("taxable", "shipping", "none"),
  "In stock?": fc.constantFrom("1", "0", "backorder"),
  Stock: blankOr(fc.integer({ min: -20, max: 5_000 }).map(String)),
  "Low stock amount": blankOr(fc.nat({ max: 50 }).map(String)),
  "Backorders allowed?": fc.constantFrom("0", "1", "notify"),
  "Weight (kg)": blankOr(fc.constantFrom("0.5", ".25", "1", "2.1375", "0.125")),
  "Regular price": blankOr(wooPrice),
  "Sale price": blankOr(wooPrice),
  "Date sale price starts": blankOr(fc.constantFrom("2026-01-31", "2026-01-31 00:00:00")),
  "Date sale price ends": blankOr(fc.constantFrom("2036-01-31", "2026-01-31 23:59:59")),
  Images: fc.array(url, { maxLength: 60 }).map((all) => all.join(", ")),
};

const wooProduct = fc.record({
  Type: fc.constantFrom("simple", "simple, virtual", "simple, downloadable, virtual", "grouped"),
  SKU: blankOr(words(100)),
  Name: blankOr(words(400)),
  "Short description": blankOr(words(500)),
  Description: blankOr(words(12_000)),
  Categories: values(200, 4).map((all) => all.join(", ")),
  Brands: values(200, 2).map((all) => all.join(", ")),
  Tags: values(200, 60).map((all) => all.join(", ")),
  ...wooCommon,
});

const wooVariation = fc.record({ SKU: blankOr(words(100)), ...wooCommon });

/** The attributes of a product, of which its variations choose, or take any. */
const wooAttributes = fc.uniqueArray(
  fc.record({ name: words(200), values: values(200, 4).filter((all) => all.length > 0) }),
  { minLength: 1, maxLength: 7, selector: ({ name }) => startOf(name) },
);

const wooRows = fc
  .tuple(
    wooProduct,
    fc.option(
      fc.tuple(
        wooAttributes,
        fc.array(fc.tuple(wooVariation, fc.array(fc.nat())), { maxLength: 5 }),
      ),
      { nil: null },
    ),
  )
  .map(([product, variable]): ((id: number) => FileRow[]) => (id) => {
    const row = {
      ID: String(id),
      ...product,
      SKU: product.SKU && `${id}${product.SKU}`.slice(0, 100),
    };
    if (variable === null) return [row];
    const [attributes, variations] = variable;
    const parent = row.SKU || `id:${id}`;
    const cellsOf = (valuesAt: (index: number) => string) =>
      Object.fromEntries(
        attributes.flatMap(({ name }, index) => [
          [`Attribute ${index + 1} name`, name],
          [`Attribute ${index + 1} value(s)`, valuesAt(index)],
        ]),
      );
    return [
      {
        ...row,
        Type: "variable",
        ...cellsOf((index) => attributes[index]?.values.join(", ") ?? ""),
      },
      ...variations.map(([variation, choice], at) => ({
        ...variation,
        ID: String(id * 100 + at + 1),
        SKU: variation.SKU && `${id}-${at}${variation.SKU}`.slice(0, 100),
        Type: "variation",
        Parent: parent,
        ...cellsOf((index) => {
          const { values: all = [] } = attributes[index] ?? {};
          return all[(choice[index] ?? 0) % (all.length + 1)] ?? "";
        }),
      })),
    ];
  });

/** A file of WooCommerce. A variation may stand before its product. */
export const wooFile: fc.Arbitrary<FileRow[]> = fc
  .array(wooRows, { minLength: 1, maxLength: 4 })
  .map((products) => products.flatMap((rowsOf, at) => rowsOf(at + 1)))
  .chain((rows) => fc.shuffledSubarray(rows, { minLength: rows.length }));
