// Files that another shop wrote are taken, with a note for what was mended.

import { describe, expect, test } from "bun:test";

import { sharedShop } from "../../support/shop.ts";
import { faultsOf, importText, product, warningsOf } from "./import-shop.ts";

const shop = sharedShop();

const head =
  "Handle,Title,Vendor,Tags,Variant SKU,Variant Price,Variant Grams,Variant Inventory Qty";

describe("a file of Shopify", () => {
  test("has its long texts cut at a word, and its first tags", async () => {
    const title = `${"Wax print ".repeat(19)}dress for every day`;
    const tags = Array.from({ length: 60 }, (_, nth) => `tag ${nth}`).join(", ");

    const report = await importText(shop, [
      head,
      `long,${title},${"Mensah ".repeat(20)},"${tags}",LONG,5,1,1`,
    ]);

    const taken = Object(await product(shop, "long"));
    expect(faultsOf(report)).toEqual([]);
    expect(taken.name).toBe(`${"Wax print ".repeat(19)}dress for`);
    expect(taken.brand).toBe("Mensah ".repeat(14).trim());
    expect(taken.tags).toHaveLength(50);
    expect(warningsOf(report)).toEqual([
      expect.stringMatching(/The name is cut to 199 characters/),
      expect.stringMatching(/Of 60 tags, the first 50 are taken over/),
      expect.stringMatching(/The brand is cut to 97 characters/),
    ]);
  });

  test("has a SKU twice, of which the second variant is taken without it", async () => {
    const report = await importText(shop, [
      head,
      "twin-a,Twin A,,,TWIN,5,1,1",
      "twin-b,Twin B,,,TWIN,5,1,1",
    ]);

    expect(faultsOf(report)).toEqual([]);
    expect(Object(await product(shop, "twin-b")).variants).toMatchObject([{ sku: null }]);
    expect(warningsOf(report)).toEqual([expect.stringMatching(/The SKU TWIN is that of row 2/)]);
  });

  test.each([
    [".99", 0.99],
    ["12.", 12],
    ["0.50", 0.5],
  ])("may write a price as %s", async (price, amount) => {
    const handle = `price-${String(amount).replace(".", "-")}`;

    await importText(shop, [head, `${handle},Priced,,,,${price},.5,1`]);

    expect(Object(await product(shop, handle)).variants).toMatchObject([
      { prices: [{ amount }], weight_grams: 1 },
    ]);
  });

  test.each([
    ["12,5", 12.5],
    ["12.3456", 12.35],
    ["1,234.5", 1234.5],
    ["1,234,567", 1_234_567],
  ])("may have the price %s, which is read in one way", async (price, amount) => {
    const handle = `one-way-${String(amount).replace(".", "-")}`;

    const report = await importText(shop, [head, `${handle},Priced,,,,"${price}",,1`]);

    expect(report).toMatchObject({ faults: [], mended: price === "12.3456" ? 1 : 0 });
    expect(Object(await product(shop, handle)).variants).toMatchObject([{ prices: [{ amount }] }]);
  });

  test("has handles that are one slug here, of which each product gets its own", async () => {
    const report = await importText(shop, [head, "thé,Tea,,,,5,,1", "the,Thee,,,,6,,1"]);

    expect(faultsOf(report)).toEqual([]);
    expect(await product(shop, "the")).toMatchObject({ name: "Tea" });
    expect(await product(shop, "the-2")).toMatchObject({ name: "Thee" });
  });

  test("has codes that no shop could hold, and is taken without them", async () => {
    const report = await importText(shop, [head, `coded,Coded,,,${"X".repeat(101)},5,,1`]);

    expect(report).toMatchObject({ faults: [], mended: 1 });
    expect(Object(await product(shop, "coded")).variants).toMatchObject([{ sku: null }]);
  });

  test("is refused where a comma may part thousands or decimals, with both readings", async () => {
    const report = await importText(shop, [head, 'heavy,Heavy,,,,5,"1,250","2,000"']);

    const sentence = (read: string, other: string) =>
      `This may be ${read} or ${other}: add --thousands-comma for ${read}, or add --decimal-comma for ${other}.`;
    expect(new Set(report.faults.map(({ column, detail }) => `${column}: ${detail}`))).toEqual(
      new Set([
        `Variant Grams: ${sentence("1250", "1.250")}`,
        `Variant Inventory Qty: ${sentence("2000", "2.000")}`,
      ]),
    );
  });
});

test("a comma is read as a person says, in stock, weights and prices", async () => {
  const rows = [head, 'heavy,Heavy,,,,"1,250","1,250","2,000"'];

  const asThousands = await importText(shop, rows, { thousandsComma: true });
  const heavy = Object(await product(shop, "heavy"));
  const asDecimals = await importText(shop, rows, { decimalComma: true, isTrial: true });

  expect(asThousands.faults).toEqual([]);
  expect(heavy.variants).toMatchObject([{ prices: [{ amount: 1250 }], weight_grams: 1250 }]);
  expect(faultsOf(asDecimals)).toEqual(["2 Variant Price amount_precision"]);
});

test("a product of WooCommerce without a name, and variations that are alike, are taken", async () => {
  const report = await importText(shop, [
    "ID,Type,SKU,Name,Published,Parent,Attribute 1 name,Attribute 1 value(s),Regular price",
    "1,simple,NAMELESS,,1,,,,5",
    '2,variable,TWINS,Twins,1,,Size,"S, M",',
    "3,variation,TWIN-1,,1,TWINS,Size,S,5",
    "4,variation,TWIN-2,,1,TWINS,Size,S,6",
  ]);

  expect(faultsOf(report)).toEqual([]);
  expect(await product(shop, "nameless")).toMatchObject({ name: "NAMELESS" });
  expect(Object(await product(shop, "twins")).variants).toMatchObject([{ sku: "TWIN-1" }]);
});

test("a variable product of WooCommerce without variations is left out", async () => {
  const report = await importText(shop, [
    "Type,SKU,Name,Regular price",
    "variable,HULL,Hull,",
    "simple,BOAT,Boat,5",
  ]);

  expect(faultsOf(report)).toEqual([]);
  expect(warningsOf(report)).toEqual([
    expect.stringMatching(/A variable product without variations is left out/),
  ]);
});

describe("a spreadsheet", () => {
  test("may begin with the line by which Excel is told the delimiter", async () => {
    const report = await importText(shop, [
      "sep=;",
      "slug;name;sku;price",
      "semi;Semi, colon;SEMI;-1",
      "semi-two;Semi two;SEMI-2;2",
    ]);

    expect(faultsOf(report)).toEqual(["3 price invalid_format"]);
  });

  test("may keep the zeros of a code by a formula", async () => {
    await importText(shop, ["slug,name,sku,barcode", 'zeros,Zeros,="00123",="0601"']);

    expect(Object(await product(shop, "zeros")).variants).toMatchObject([
      { sku: "00123", barcode: "0601" },
    ]);
  });
});
