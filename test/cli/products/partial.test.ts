// With --partial those without a fault are imported. The rows of the others are a file that is mended and imported alone.

import { expect, test } from "bun:test";

import { sharedShop } from "../../support/shop.ts";
import { faultsOf, importText, product } from "./import-shop.ts";

const shop = sharedShop();

const head = "slug,name,sku,price";

test("those without a fault are imported, and a dry run shows the same figures", async () => {
  const rows = [head, "cot,Cot,COT,90", "crib,Crib,CRIB,ninety", "bed,Bed,BED,300"];

  const tried = await importText(shop, rows, { partial: true, isTrial: true });
  const done = await importText(shop, rows, { partial: true });

  expect(tried).toMatchObject({ applied: false, products: { create: 2, refuse: 1 } });
  expect(done).toMatchObject({ applied: true, products: tried.products, faults: tried.faults });
  expect(await product(shop, "cot")).toMatchObject({ name: "Cot" });
  expect(await product(shop, "crib")).toBeUndefined();
});

test("run twice, the second time changes nothing", async () => {
  const rows = [head, "door,Door,DOOR,90", "gate,Gate,GATE,ninety"];
  await importText(shop, rows, { partial: true });
  await shop.announced();

  const again = await importText(shop, rows, { partial: true });

  expect(again.products).toMatchObject({ create: 0, update: 0, unchanged: 1, refuse: 1 });
  expect(await shop.announcedNames()).toEqual([]);
});

test("without a fault it does what an import does, and with nothing else nothing", async () => {
  const right = await importText(shop, [head, "pew,Pew,PEW,90"], { partial: true });
  const wrong = await importText(shop, [head, "bin,Bin,BIN,x"], { partial: true });

  expect(right).toMatchObject({ applied: true, faults: [] });
  expect(wrong).toMatchObject({ applied: false, products: { refuse: 1 } });
});

test("a product with a fault on one of its rows is left out whole", async () => {
  const columns = `${head},option_1_name,option_1_value`;
  const rows = [columns, "sash,Sash,SASH-S,5,Size,S", "sash,,SASH-L,five,,L", "cap,Cap,CAP,5,,"];

  const { products, refusedRows } = await importText(shop, rows, { partial: true });

  expect(products).toMatchObject({ create: 1, refuse: 1 });
  expect(refusedRows.trim().split("\r\n")).toEqual([
    `${columns},fault_row,fault_column,fault_code,fault,mended`,
    "sash,Sash,SASH-S,5,Size,S,2,,,,",
    expect.stringMatching(/^sash,,SASH-L,five,,L,3,price,invalid_format,/),
  ]);
});

test("the rows that were left out are mended and imported alone, and then the whole is unchanged", async () => {
  const rows = [head, "vat,Vat,VAT,90", "tub,Tub,TUB,ninety", "keg,Keg,KEG,x"];
  const mendedRows = [head, "vat,Vat,VAT,90", "tub,Tub,TUB,91", "keg,Keg,KEG,92"];
  const first = await importText(shop, rows, { partial: true });
  const sheet = first.refusedRows.replace("ninety", "91").replace("KEG,x", "KEG,92");

  const second = await importText(shop, [sheet]);
  const whole = await importText(shop, mendedRows);

  expect(second).toMatchObject({ applied: true, products: { create: 2 }, warnings: [] });
  expect(whole.products).toMatchObject({ create: 0, update: 0, unchanged: 3 });
});

test("a row with too many cells keeps them in the rows that were left out", async () => {
  const rows = [head, "pan,Pan,PAN,5", "rice,Rice, 5,,20"];

  const { products, refusedRows } = await importText(shop, rows, { partial: true });
  const again = await importText(shop, [refusedRows]);

  expect(products).toMatchObject({ create: 1, refuse: 1 });
  expect(faultsOf(again)).toEqual(["2 null unknown_field"]);
});

test("what was mended is counted and told, and left out of the next report", async () => {
  const rows = [
    "Handle,Title,Variant SKU,Variant Price,Variant Inventory Qty",
    "owl,Owl,OWL,5,-3",
    "elk,Elk,ELK,five,-1",
  ];

  const report = await importText(shop, rows, { partial: true });
  const again = await importText(shop, [report.refusedRows], { partial: true });

  expect(report).toMatchObject({ mended: 1, products: { create: 1, refuse: 1 } });
  expect(report.refusedRows).toContain("The stock is below zero and is taken as 0.");
  expect(again.refusedRows.split("\r\n")[0]).toBe(report.refusedRows.split("\r\n")[0]);
});

test("a product that was left out beside another of its name or SKU does not become that one", async () => {
  const woo = ["Type,SKU,Name,Regular price", "simple,F1,Fern,5", "simple,F2,Fern,five"];
  const shopify = ["Handle,Title,Variant SKU,Variant Price", "moss,Moss,M,5", "turf,Turf,M,five"];

  for (const rows of [woo, shopify]) {
    const { refusedRows } = await importText(shop, rows, { partial: true });
    const rest = await importText(shop, [refusedRows.replace("five", "6")]);
    expect(rest.products).toMatchObject({ create: 1, update: 0 });
  }
  expect(await product(shop, "fern")).toMatchObject({ variants: [{ sku: "F1" }] });
  expect(await product(shop, "moss")).toMatchObject({ name: "Moss" });
});
