// Files of Shopify: both generations of their columns, and what their rows mean.

import { beforeAll, expect, test } from "bun:test";

import type { ProductReport } from "#cli/imports/import-products.ts";

import { openTestShop, sharedShop } from "../../support/shop.ts";
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
  report = await importFile(shop, fileNamed("shopify"));
});

const head = "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price";

test("rows of one handle are one product, also where others stand between them", async () => {
  expect(report.products).toMatchObject({ create: 5, refuse: 0 });
  expect(await product(shop, "wax-print-dress")).toMatchObject({
    name: "Wax Print Dress",
    description: "Hand-sewn in Accra.\n- Cotton\n- Lined",
    category: "Dresses",
    tags: ["women", "wax print", "dress"],
    brand: "Ama & Sons",
    seo: { title: "Wax print dresses", description: "Sewn by hand, in Accra" },
    options: [
      { name: "Size", values: ["S", "M"] },
      { name: "Colour", values: ["Indigo", "Rose"] },
    ],
    variants: [
      { sku: "DR-S-IN", title: "S / Indigo", barcode: "0601234567890", weight_grams: 400 },
      { sku: "DR-M-IN", prices: [{ amount: 250, compare_at: 300 }], metadata: { cost: "120.00" } },
      { sku: "DR-M-RO", options: { Size: "M", Colour: "Rose" }, prices: [{ compare_at: null }] },
    ],
  });
});

test("a row that only adds a picture is no variant, and pictures come in their order", async () => {
  const images = ["front", "back", "detail", "indigo"].map((name) => ({
    url: `https://cdn.shop.example/dress-${name}.jpg`,
  }));
  const [, , , indigo] = images;
  expect(await product(shop, "wax-print-dress")).toMatchObject({
    images,
    variants: [{ image: indigo }, { image: indigo }, { image: null }],
  });
});

test("the title of Shopify's only variant is no option", async () => {
  expect(await product(shop, "shea-butter")).toMatchObject({
    options: [],
    variants: [{ title: "Default", options: {}, sku: "SHEA-250" }],
  });
});

test("what is counted has its stock, and the rest is untracked", async () => {
  expect(await stockOf(shop, "shea-butter")).toMatchObject([
    { on_hand: 40, tracked: true, backorder: "allow" },
  ]);
  expect(await stockOf(shop, "kente-strip")).toMatchObject([{ tracked: false }]);
});

test("stock that is counted elsewhere is said to be missing", async () => {
  const added = await importText(shop, [
    `${head},Variant Inventory Tracker`,
    "mug,Mug,Title,Default Title,MUG,10,shopify",
    "cup,Cup,Title,Default Title,CUP,10,",
  ]);

  expect(warningsOf(added)).toEqual([
    "2: The file does not say how many there are: a new variant has none on hand.",
  ]);
});

test("what is not published, and a gift card, are drafts", async () => {
  expect(await product(shop, "talking-drum")).toMatchObject({ status: "draft" });
  expect(await product(shop, "gift-card")).toMatchObject({ status: "draft" });
  expect(warningsOf(report)).toContain(
    "8: A gift card is taken over as a draft: this shop keeps no balance to pay with.",
  );
});

test("the columns of newer files are known by their new names", async () => {
  const added = await importFile(shop, fileNamed("shopify-renamed"));

  expect(warningsOf(added)).toEqual([
    "Columns that are not taken over: Option1 Linked To, Weight unit for display, Color (product.metafields.shopify.color-pattern).",
  ]);
  expect(await product(shop, "raffia-fan")).toMatchObject({
    name: "Raffia Fan",
    description: "Woven & light",
    category: "Decor",
    variants: [
      { sku: "FAN-S", weight_grams: 120, prices: [{ amount: 35, compare_at: 40 }] },
      { sku: "FAN-L", weight_grams: 200, prices: [{ amount: 55 }] },
    ],
  });
  expect(await stockOf(shop, "raffia-fan")).toMatchObject([
    { on_hand: 9, backorder: "deny" },
    { on_hand: 0, backorder: "allow" },
  ]);
});

test("columns of markets and columns that are not known are named, never passed over", async () => {
  const added = await importText(shop, [
    `${head},Included / Ghana,Price / Ghana,Wholesale`,
    "jug,Jug,Title,Default Title,JUG,10,TRUE,12,8",
  ]);

  expect(warningsOf(added)).toEqual([
    "Columns that are not known, and not taken over: Wholesale.",
    "Columns that are not taken over: Included / Ghana, Price / Ghana.",
  ]);
});

test("variants that a file lacks stay, and blank cells keep what the shop has", async () => {
  await using own = await openTestShop();
  await importFile(own, fileNamed("shopify"));

  const added = await importText(own, [
    `${head},Tags,Vendor`,
    "wax-print-dress,Wax Dress,Size,S,DR-S-IN,260,,",
  ]);

  expect(added.products).toMatchObject({ update: 1 });
  expect(await product(own, "wax-print-dress")).toMatchObject({
    name: "Wax Dress",
    tags: ["women", "wax print", "dress"],
    brand: "Ama & Sons",
    variants: [{ sku: "DR-S-IN" }, { sku: "DR-M-IN" }, { sku: "DR-M-RO" }],
  });
});

test("a variant whose SKU was changed is known by its options", async () => {
  const rows = (sku: string) => [head, `whisk,Whisk,Size,S,${sku},10`, "whisk,,,L,WHISK-L,12"];
  await importText(shop, rows("WHISK-S"));

  const added = await importText(shop, rows("WHISK-SMALL"));

  expect(added.products).toMatchObject({ update: 1 });
  expect(await product(shop, "whisk")).toMatchObject({
    variants: [{ sku: "WHISK-SMALL" }, { sku: "WHISK-L" }],
  });
});

test("an option without a name, and a row without a product, are faults", async () => {
  const added = await importText(shop, [
    head,
    "fan,Fan,,S,FAN,10",
    ",Mat,Size,S,MAT,10",
    ",Cup,Size,S,CUP,10",
  ]);

  expect(faultsOf(added)).toContain("2 Option1 Name required");
  expect(faultsOf(added)).toContain("3 Handle required");
  expect(faultsOf(added)).toContain("4 Handle required");
});

test("a handle with two titles is a fault", async () => {
  const added = await importText(shop, [head, "fan,Fan,Size,S,FAN,10", "fan,Mat,Size,L,MAT,10"]);

  expect(faultsOf(added)).toEqual(["3 Title conflicting_fields"]);
});
