// What Shopify's and WooCommerce's documents allow is never a fault here: it is taken, mended with a note, or left out with
// one. 2,000 files of each: RUNS=250.

import { expect, test } from "bun:test";

import fc from "fast-check";

import { runs, seedOfRun } from "../../support/runs.ts";
import { openTestShop, sharedShop } from "../../support/shop.ts";
import { faultsOf, importText } from "./import-shop.ts";
import { fileOf, type FileRow, shopifyFile, wooFile } from "./shop-files.ts";

const shop = sharedShop();

async function expectTaken(rows: readonly FileRow[]): Promise<void> {
  const report = await importText(shop, [fileOf(rows)], { isTrial: true });
  expect(
    report.faults.map(({ row, column, value, detail }) => ({ row, column, value, detail })),
  ).toEqual([]);
  expect(report.products.refuse).toBe(0);
}

test.each([
  ["Shopify", shopifyFile],
  ["WooCommerce", wooFile],
])(
  "a file that %s may write has no fault",
  async (_, file) => {
    await fc.assert(fc.asyncProperty(file, expectTaken), { numRuns: runs(8), seed: seedOfRun() });
  },
  600_000,
);

test("a product of Shopify with 2,048 variants is taken with the first hundred", async () => {
  const rows = Array.from({ length: 2_048 }, (_, at) => ({
    Handle: "wall-paint",
    Title: at === 0 ? "Wall paint" : "",
    "Option1 Name": at === 0 ? "Colour" : "",
    "Option1 Value": `Shade ${at}`,
    "Variant Price": "25.00",
  }));

  const report = await importText(shop, [fileOf(rows)]);

  expect(faultsOf(report)).toEqual([]);
  expect(report.warnings.map(({ detail }) => detail)).toContain(
    "Of 2048 variants, the first 100 are taken over.",
  );
});

test.each([
  ["Shopify", shopifyFile],
  ["WooCommerce", wooFile],
])(
  "what was taken of a file of %s is unchanged the next time",
  async (_, file) => {
    await fc.assert(
      fc.asyncProperty(file, async (rows) => {
        await using own = await openTestShop();
        const text = [fileOf(rows)];

        const tried = await importText(own, text, { isTrial: true, partial: true });
        const first = await importText(own, text, { partial: true });
        const again = await importText(own, text, { partial: true });

        const { create } = first.products;
        expect(first).toMatchObject({ products: tried.products, mended: tried.mended });
        expect(again).toMatchObject({ faults: [], mended: first.mended });
        expect(again.products).toEqual({
          create: 0,
          update: 0,
          unchanged: create,
          skip: 0,
          refuse: 0,
        });
      }),
      { numRuns: runs(1), seed: seedOfRun() },
    );
  },
  600_000,
);
