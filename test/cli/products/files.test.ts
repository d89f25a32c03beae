// Files as spreadsheets write them, and what is a fault in any of them. Nothing is imported while one has a fault.

import { expect, test } from "bun:test";

import { sharedShop } from "../../support/shop.ts";
import { faultsOf, importText, product, stockOf, warningsOf } from "./import-shop.ts";

/** Products that one test imports have names that no other one has. */
const shop = sharedShop();

const head = "slug,name,sku,barcode,price";

test("a file is tried first, and imported only with --apply", async () => {
  const report = await importText(shop, [head, "mug,Mug,MUG,,10"], { isTrial: true });

  expect(report).toMatchObject({ applied: false, products: { create: 1 }, currency: "USD" });
  expect(await product(shop, "mug")).toBeUndefined();
  expect(await shop.announcedNames()).toEqual([]);
});

test("a fault names its row, column and value, and nothing is imported", async () => {
  const report = await importText(shop, [head, "mug,Mug,MUG,,10", "cup,Cup,CUP,,ten"]);

  expect(report.applied).toBe(false);
  expect(report.faults).toMatchObject([{ row: 3, column: "price", value: "ten" }]);
  expect(await product(shop, "mug")).toBeUndefined();
});

test("run twice, nothing changes; interrupted, the rest is created", async () => {
  await importText(shop, [head, "pot,Pot,POT,,10"]);
  await shop.announced();
  const rows = [head, "pot,Pot,POT,,10", "lid,Lid,LID,,5"];

  expect((await importText(shop, rows)).products).toMatchObject({ create: 1, unchanged: 1 });
  expect((await importText(shop, rows)).products).toMatchObject({ create: 0, unchanged: 2 });
  expect(await shop.announcedNames()).toEqual(["product.created"]);
});

test("each change is in the audit log, under the name of the user and with its prices", async () => {
  await importText(shop, [head, "jug,Jug,JUG,,10"]);

  await importText(shop, [head, "jug,Big Jug,JUG,,12"]);

  const log = await shop.get("/v2/audit?limit=2");
  const entry = { action: "import products", actor: { type: "operator", name: "ada" } };
  expect(log.at("/data")).toMatchObject([
    {
      ...entry,
      changed_fields: ["name", "variants"],
      before: { variants: [{ prices: [{ amount: 10 }] }] },
      after: { variants: [{ prices: [{ amount: 12 }] }] },
    },
    entry,
  ]);
});

test("products that the shop has can be left as they are, or refused", async () => {
  await importText(shop, [head, "vase,Vase,VASE,,10"]);
  const rows = [head, "vase,Big Vase,VASE,,10"];

  expect((await importText(shop, rows, { existing: "skip" })).products).toMatchObject({ skip: 1 });
  expect(faultsOf(await importText(shop, rows, { existing: "refuse" }))).toEqual([
    "2 slug slug_taken",
  ]);
});

test.each([
  ["UTF-8 with a mark", (text: string) => new TextEncoder().encode(`\u{feff}${text}`)],
  ["UTF-16", (text: string) => new Uint8Array(Buffer.from(`\u{feff}${text}`, "utf16le"))],
  ["Windows-1252", (text: string) => new Uint8Array(Buffer.from(text, "latin1"))],
  ["semicolons", (text: string) => new TextEncoder().encode(text.replaceAll(",", ";"))],
  [
    "tabs",
    (text: string) =>
      new TextEncoder().encode(`${text}\n`.replaceAll(",", "\t").replaceAll("\n", "\r\n")),
  ],
])("a file in %s is read", async (encoding, encode) => {
  const number = shop.nextNumber();
  const sku = `CAFE-${number}`;

  const report = await importText(shop, encode(`${head}\ncafe-${number},Café,${sku},,10`));

  expect(await product(shop, `cafe-${number}`)).toMatchObject({
    name: "Café",
    variants: [{ sku }],
  });
  expect(warningsOf(report)).toHaveLength(encoding === "Windows-1252" ? 1 : 0);
});

test("a cell may have lines, carriage returns and smart quotes, and rows are counted as in a spreadsheet", async () => {
  const text = "A “big”\rbasket,\n12 inch";
  const columns = "slug,name,sku,price,description";

  await importText(shop, [columns, `basket,Basket,B,10,"${text}"`, ""]);
  const report = await importText(shop, [
    columns,
    `basket,Basket,B,10,"${text}"`,
    "",
    "cup,Cup,C,-1,",
  ]);

  expect(await product(shop, "basket")).toMatchObject({
    description: text.replace("\r", "\n"),
  });
  expect(faultsOf(report)).toEqual(["4 price invalid_format"]);
});

test("a spreadsheet may write words in capitals", async () => {
  const columns = "slug,name,status,tracked,backorder";

  await importText(shop, [columns, "urn,Urn,Draft,TRUE,ALLOW"]);

  expect(await product(shop, "urn")).toMatchObject({ status: "draft" });
  expect(await stockOf(shop, "urn")).toMatchObject([{ tracked: true, backorder: "allow" }]);
});

test("a number that a spreadsheet shortened is a fault", async () => {
  const report = await importText(shop, [head, "mug,Mug,MUG,1.23E+12,10"]);

  expect(faultsOf(report)).toEqual(["2 barcode invalid_format"]);
});

test("zeros that a spreadsheet dropped are a fault, not another SKU or barcode", async () => {
  await importText(shop, [head, "dish,Dish,00123,0501234123457,10"]);

  const report = await importText(shop, [head, "dish,Dish,123,501234123457,10"]);

  expect(faultsOf(report)).toEqual(["2 sku invalid_format", "2 barcode invalid_format"]);
});

test("a comma in a price is decimal only where that is said", async () => {
  const rows = [head, 'pan,Pan,PAN,,"1.234,50"'];

  expect(faultsOf(await importText(shop, rows))).toEqual(["2 price amount_invalid"]);
  await importText(shop, rows, { decimalComma: true });
  expect(await product(shop, "pan")).toMatchObject({
    variants: [{ prices: [{ currency: "USD", amount: 1234.5 }] }],
  });
});

test("three digits behind a point are a fault where they may be thousands", async () => {
  const columns = "slug,name,price_usd,price_ugx,price_kwd,stock,weight_grams";

  const report = await importText(shop, [
    columns,
    "mug,Mug,12.500,49500.00,12.500,5.0,1.5",
    "cup,Cup,12.50,49.000,12.5,5.000,2",
  ]);
  const withComma = await importText(
    shop,
    [columns, 'mug,Mug,"1.250,00","49.500","12,500",1.000,"1.000,5"'],
    { decimalComma: true },
  );

  expect(faultsOf(report)).toEqual([
    "2 price_usd amount_precision",
    "3 price_ugx amount_precision",
    "3 stock wrong_type",
  ]);
  expect(faultsOf(withComma)).toEqual(["2 stock wrong_type"]);
});

test("faults of a slug, a former price and an image say how they are mended", async () => {
  const report = await importText(shop, [
    "slug,name,price,compare_at,images",
    "Straw Hat,Hat,10,,",
    "cup,Cup,,12,",
    "bowl,Bowl,5,,my bowl.jpg",
  ]);

  expect(report.faults).toMatchObject([
    { column: "slug", detail: "A slug has small letters, digits and hyphens, such as straw-hat." },
    { column: "compare_at", detail: "It is a former price: price must have the price." },
    { column: "images", detail: "An image is an address such as https://shop.example/mug.jpg." },
  ]);
});

test("the currency of prices can be named, and others stay", async () => {
  await importText(shop, [head, "plate,Plate,PLATE,,10"]);

  await importText(shop, [head, "plate,Plate,PLATE,,150"], { currency: "ghs" });

  expect(await product(shop, "plate")).toMatchObject({
    variants: [
      {
        prices: [
          { currency: "USD", amount: 10 },
          { currency: "GHS", amount: 150 },
        ],
      },
    ],
  });
});

test("a SKU on two rows, and one of another product, are faults", async () => {
  await shop.post("/v2/products", { name: "Other", sku: "TAKEN" });
  await shop.post("/v2/products", { name: "Bowl" });

  const report = await importText(shop, [
    head,
    "mug,Mug,SAME,,10",
    "cup,Cup,SAME,,5",
    "bowl,Bowl,TAKEN,,5",
  ]);

  expect(faultsOf(report)).toEqual(["3 sku duplicate", "4 sku duplicate"]);
});

test("two products of one address are a fault, also where it was made of their names", async () => {
  const report = await importText(shop, [
    head,
    ",Straw hat,HAT-1,,10",
    "straw-hat,Straw Hat (new),HAT-2,,5",
  ]);

  expect(faultsOf(report)).toEqual(["3 slug duplicate"]);
});

test("two products that the shop has as one are a fault, not one that overwrites the other", async () => {
  await importText(shop, [
    `${head},option_1_name,option_1_value`,
    "sock,Sock,SOCK-S,,10,Size,S",
    "sock,,SOCK-L,,10,,L",
  ]);

  const report = await importText(shop, [
    head,
    "small,Small sock,SOCK-S,,10",
    "large,Large sock,SOCK-L,,12",
  ]);

  expect(faultsOf(report)).toEqual(["3 slug duplicate"]);
});

test("rows that share a slug and are two products are a fault", async () => {
  const report = await importText(shop, [
    head,
    "tee,Tee,T,,10",
    "cup,Cup,,,5",
    "tee,Trousers,TR,,90",
    "cup,,,,6",
  ]);

  expect(faultsOf(report)).toEqual(["4 name conflicting_fields", "5 sku required"]);
  expect(report.products).toMatchObject({ create: 0, refuse: 2 });
});

test("a slug that a product had before is free for another one of the file", async () => {
  const kettle = await shop.post("/v2/products", {
    name: "Kettle",
    slug: "kettle",
    sku: "KETTLE",
    price: 10,
  });
  await shop.put(`/v2/products/${kettle.id}`, { slug: "teapot" });
  const rows = [head, "kettle,New Kettle,NEW,,12", "teapot,Kettle,KETTLE,,10"];

  expect((await importText(shop, rows)).products).toMatchObject({ create: 1, unchanged: 1 });
  expect((await importText(shop, rows)).products).toMatchObject({ create: 0, unchanged: 2 });
  expect(await product(shop, "teapot")).toMatchObject({ id: kettle.id, name: "Kettle" });
});

test("a row without a slug is a product, which the next run knows", async () => {
  const rows = [head, ",Palm hat,,,10", ",Palm mat,,,5"];

  await importText(shop, rows);

  expect((await importText(shop, rows)).products).toMatchObject({ create: 0, unchanged: 2 });
  expect(await product(shop, "palm-hat")).toMatchObject({ name: "Palm hat" });
});

const sized = "slug,name,sku,price,option_1_name,option_1_value,option_2_name,option_2_value";

test("a row that may be several variants is a fault, not another variant", async () => {
  await importText(shop, [sized, "gown,Gown,,10,Size,S,Colour,Red", "gown,,,12,,L,,Red"]);

  const report = await importText(shop, [head, "gown,Gown,,,11"]);

  expect(faultsOf(report)).toEqual(["2 sku required"]);
});

test("a variant is known by the options that the file has, and keeps the others", async () => {
  await importText(shop, [sized, "robe,Robe,ROBE-S,10,Size,S,Colour,Red", "robe,,,12,,L,,Red"]);

  await importText(shop, [
    `${head},option_1_name,option_1_value`,
    "robe,Robe,ROBE-S,,11,Size,S",
    "robe,,ROBE-L,,13,,L",
  ]);

  expect(await product(shop, "robe")).toMatchObject({
    variants: [
      { sku: "ROBE-S", options: { Size: "S", Colour: "Red" }, prices: [{ amount: 11 }] },
      { sku: "ROBE-L", options: { Size: "L", Colour: "Red" }, prices: [{ amount: 13 }] },
    ],
  });
});

test("an option in other letters is the same option", async () => {
  await importText(shop, [sized, "vest,Vest,,10,Size,S,Colour,Red", "vest,,,12,,L,,Red"]);

  const report = await importText(shop, [sized, "vest,Vest,,10,COLOUR,red,size,s"]);

  expect(report.products).toMatchObject({ update: 0, unchanged: 1 });
});

test("more than a hundred variants, and more than five options, are faults of the product", async () => {
  const options = [1, 2, 3, 4, 5, 6].map(
    (number) => `option_${number}_name,option_${number}_value`,
  );
  const names = options.map((_, index) => `Option ${index},A`).join(",");
  const many = Array.from({ length: 101 }, (_, index) => `cup,Cup,CUP-${index},,5`);

  const report = await importText(shop, [
    `${head},${options.join(",")}`,
    `mug,Mug,MUG,,10,${names}`,
    ...many,
  ]);

  expect(faultsOf(report)).toEqual(["2 null too_many", "3 null too_many"]);
});

test("an amount that no currency has is a fault at its cell", async () => {
  const report = await importText(shop, [
    head,
    "mug,Mug,MUG,,10.005",
    "cup,Cup,CUP,,99999999999999999",
  ]);

  expect(faultsOf(report)).toEqual(["2 price amount_precision", "3 price amount_too_large"]);
});

test("lines that end in different ways are rows of their own", async () => {
  const mixed = await importText(shop, [
    `${head}\r`,
    "fork,Fork,FORK,,10",
    "spoon,Spoon,SPOON,,5\r",
    "",
  ]);
  const old = await importText(shop, [`${head},description\rhat,Hat,HAT,,10,"A\nB"\rcap,Cap,,,5,`]);

  expect(mixed).toMatchObject({ rows: 2, products: { create: 2 }, faults: [] });
  expect(old).toMatchObject({ rows: 2, products: { create: 2 }, faults: [] });
});

test("a row with more cells than columns is a fault, since its cells may have moved", async () => {
  const report = await importText(shop, [`${head},,`, "rice,Rice, 5,,20,10", "cup,Cup,CUP,,5,,,,"]);

  expect(faultsOf(report)).toEqual(["2 null unknown_field"]);
});

test("a file that is no table says why", async () => {
  expect(importText(shop, [head, 'mug,"Mug,MUG,,10', "cup,Cup"])).rejects.toThrow(
    "a quote that opens a cell is never closed (row 2)",
  );
  expect(importText(shop, [head, 'mug,"Mug,,,10', 'cup,12" Cup,,,5'])).rejects.toThrow("(row 2)");
  expect(importText(shop, [head, "mug,Mug,,,10", 'tv,24" TV,,,99'])).rejects.toThrow(
    "a quote stands in a cell (row 3)",
  );
  expect(importText(shop, ["PK\u{3}\u{4}\u{14}"])).rejects.toThrow("workbook");
  expect(importText(shop, ["a,b", "1,2"])).rejects.toThrow("The columns are those of no shop");
  expect(importText(shop, [""])).rejects.toThrow("The file is empty.");
});
