// Files of WooCommerce: variations and their products, prices of sales, and stock.

import { beforeAll, expect, test } from "bun:test";

import type { ProductReport } from "#cli/imports/import-products.ts";

import { sharedShop } from "../../support/shop.ts";
import {
  faultsOf,
  fileNamed,
  importFile,
  importText,
  product,
  stockOf,
  warningsOf,
} from "./import-shop.ts";

/** Has what the file has; products that one test adds have names that no other one has. */
const shop = sharedShop();
let report: ProductReport;

beforeAll(async () => {
  report = await importFile(shop, fileNamed("woocommerce"));
});

const head =
  "ID,Type,SKU,Name,Published,Stock,Sale price,Regular price,Date sale price starts,Date sale price ends,Parent,Tax class";

test("variations find their product by its SKU or id, also before its row", async () => {
  expect(report.products).toMatchObject({ create: 3, refuse: 0 });
  expect(await product(shop, "tee")).toMatchObject({
    description: "A tee\nof cotton",
    category: "Tees",
    tags: ["tee", "cotton"],
    options: [
      { name: "Colour", values: ["Red", "Blue, dark"] },
      { name: "Size", values: ["S", "M"] },
    ],
    variants: [
      { sku: "TEE-R-S", options: { Colour: "Red", Size: "S" }, weight_grams: 200 },
      { sku: "TEE-B-M", options: { Colour: "Blue, dark", Size: "M" } },
    ],
  });
});

test("a sale is the price, with the regular one before it", async () => {
  expect(await product(shop, "tee")).toMatchObject({
    variants: [{}, { prices: [{ amount: 60, compare_at: 80 }] }],
  });
});

test("a sale that is over, or has not begun, is not taken over", async () => {
  const added = await importText(shop, [
    head,
    "1,simple,OVER,Basin,1,,8,10,,2020-01-31,,",
    "2,simple,LATER,Platter,1,,8,10,2999-01-01,,,",
  ]);

  expect(await product(shop, "basin")).toMatchObject({
    variants: [{ prices: [{ amount: 10, compare_at: null }] }],
  });
  const detail = "The sale is not on now: the regular price is taken over.";
  expect(warningsOf(added)).toEqual([`2: ${detail}`, `3: ${detail}`]);
});

test("a sale lasts through its last day, and a date that may be two is a fault", async () => {
  const today = new Date().toISOString().slice(0, 10);

  const added = await importText(shop, [
    head,
    `1,simple,A,Bowl,1,,8,10,,${today},,`,
    "2,simple,B,Plate,1,,8,10,,05/06/2020,,",
  ]);

  expect(warningsOf(added)).toEqual(["2: The sale price does not end by itself here."]);
  expect(faultsOf(added)).toEqual(["3 Date sale price ends invalid_format"]);
});

test("a variation without a product is a fault, not a variant of one without a SKU", async () => {
  const added = await importText(shop, [
    head,
    "1,simple,,Bowl,1,,,10,,,,",
    "2,variation,B-R,Bowl - Red,1,,,10,,,,",
    "3,variation,B-G,Bowl - Green,1,,,10,,,GONE,",
    "4,variable,PL,Plate,1,,,,,,,",
  ]);

  expect(faultsOf(added)).toEqual(["3 Parent unknown_product", "4 Parent unknown_product"]);
});

test("types that plugins add are left out", async () => {
  const added = await importText(shop, [
    head,
    "1,variable-subscription,BOX,Box,1,,,,,,,",
    "2,subscription_variation,BOX-1,Box - Monthly,1,,,10,,,BOX,",
    '3,"simple, virtual",CALL,Call,1,,,10,,,,',
  ]);

  expect(added.products).toMatchObject({ create: 1, refuse: 0 });
  expect(warningsOf(added)).toEqual([
    "2: A product of the type variable-subscription has no place here and is left out.",
    "3: A product of the type subscription_variation has no place here and is left out.",
  ]);
});

test("the first brand is taken over", async () => {
  const added = await importText(shop, [
    "Type,SKU,Name,Regular price,Brands",
    'simple,KENTE,Kente bowl,10,"Kente & Co, Bolga"',
  ]);

  expect(await product(shop, "kente-bowl")).toMatchObject({ brand: "Kente & Co" });
  expect(warningsOf(added)).toContain("2: Only the first of its brands is taken over.");
});

test("a file without the column that says what is published keeps the status", async () => {
  const rows = (cells: string) => ["Type,SKU,Name,Regular price", `simple,JAR,Jar,${cells}`];
  await importText(shop, rows("10"));

  await importText(shop, rows("12"));

  expect(await product(shop, "jar")).toMatchObject({ status: "active" });
});

test("stock that is not managed is untracked, and what is sold out has none", async () => {
  expect(await stockOf(shop, "cooking-class")).toMatchObject([{ tracked: false }]);
  expect(await stockOf(shop, "pot")).toMatchObject([
    { tracked: true, on_hand: 0, backorder: "allow" },
  ]);
});

test("stock below zero, which WooCommerce writes behind an apostrophe, is none", async () => {
  const added = await importText(shop, [head, "1,simple,LADLE,Ladle,1,'-3,,10,,,,"]);

  expect(warningsOf(added)).toEqual(["2: The stock is below zero and is taken as 0."]);
  expect(await stockOf(shop, "ladle")).toMatchObject([{ on_hand: 0, tracked: true }]);
});

test("stock of all variations together is left to be counted", async () => {
  expect(await stockOf(shop, "tee")).toMatchObject([{ on_hand: 3 }, { on_hand: 0, tracked: true }]);
  expect(warningsOf(report)).toContain(
    "4: The stock is counted for all variations together: count this one by itself.",
  );
});

test("what is virtual is not shipped, and a fact that is no option is kept", async () => {
  expect(await product(shop, "cooking-class")).toMatchObject({
    metadata: { Level: "Beginner" },
    variants: [{ requires_shipping: false }],
  });
  expect(warningsOf(report)).toContain(
    "6: A product of the type grouped has no place here and is left out.",
  );
});

test("pictures that a file repeats are taken once", async () => {
  await importFile(shop, fileNamed("woocommerce"));

  const urls = ["tee", "tee-2", "tee-red"].map((name) => ({
    url: `https://woo.example/${name}.jpg`,
  }));
  const { images, variants } = Object(await product(shop, "tee"));
  expect(images).toMatchObject(urls);
  expect(variants.map(({ image }: { image: object | null }) => image)).toContainEqual(
    expect.objectContaining({ url: "https://woo.example/tee-red.jpg" }),
  );
});

test("a variation without its product is a fault", async () => {
  const added = await importText(shop, [head, "2,variation,A-S,A,1,,,10,,,id:9,"]);

  expect(faultsOf(added)).toContain("2 Parent unknown_product");
});

test("a tax class that the shop lacks is a fault, and that of the product is no class", async () => {
  const added = await importText(shop, [
    head,
    "1,simple,A,Bowl,1,,,10,,,,zero-rate",
    "2,simple,B,Plate,1,,,10,,,,parent",
  ]);

  expect(faultsOf(added)).toEqual(["2 Tax class unknown_tax_class"]);
});

test("two products of one name have slugs of their own, in every run", async () => {
  const rows = [head, "1,simple,X,Tray,1,,,10,,,,", "2,simple,Y,Tray,1,,,12,,,,"];

  await importText(shop, rows);

  expect(await product(shop, "tray-y")).toMatchObject({ name: "Tray", variants: [{ sku: "Y" }] });
  expect((await importText(shop, rows)).products).toMatchObject({ unchanged: 2 });
});

test("a product that was renamed here is known by its SKU, and keeps its slug", async () => {
  await shop.post("/v2/products", { name: "Calabash", sku: "GOURD", price: 10 });
  await shop.post("/v2/products", { name: "Bowl", sku: "OTHER", price: 10 });

  const added = await importText(shop, [head, "1,simple,GOURD,Bowl,1,,,10,,,,"]);

  expect(added.products).toMatchObject({ update: 1 });
  expect(await product(shop, "calabash")).toMatchObject({ name: "Bowl" });
});
