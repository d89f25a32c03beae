// What people pasted into a shop leaves it in a file, and comes back as what it was.

import { describe, expect, test } from "bun:test";

import { exportSheet } from "#cli/exports/export-sheet.ts";
import { importCustomers } from "#cli/imports/import-file.ts";
import { importProducts } from "#cli/imports/import-products.ts";

import { wayTo } from "../cli/way-to-shop.ts";
import { hostileTexts } from "../contract/hostile-texts.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

const terms = { mode: "test", existing: "update", apply: true } as const;

/** A product with the text at both ends and within of each of its own. */
function productWith(text: string, at: number) {
  const around = `${text}a${text}${at}${text}`;
  return {
    name: around,
    description: around,
    category: around,
    brand: around,
    tags: [around],
    seo: { title: around, description: around },
    images: [{ url: `https://shop.example/${at}.jpg`, alt: around }],
    options: [{ name: around, values: [around] }],
    metadata: { note: around.replaceAll(/\p{Cc}/gu, "") },
    variants: [
      {
        sku: `SKU ${at}`,
        title: around,
        options: { [around]: around },
        prices: [{ amount: 5 }],
        image: { url: `https://shop.example/${at}.jpg`, alt: around },
      },
    ],
  };
}

function customerWith(text: string, at: number) {
  const around = `${text}a${text}${at}${text}`;
  const address = { name: around, line1: around, city: around, region: around, country: "GH" };
  return {
    email: `ada${at}@example.com`,
    name: around,
    first_name: around,
    last_name: around,
    tags: [around],
    addresses: [address],
    metadata: { note: around.replaceAll(/\p{Cc}/gu, "") },
  };
}

/** Writes what the shop exports into a file, and imports that. */
async function importOwn(shop: TestShop, noun: "products" | "customers") {
  using folder = openScratchFolder();
  const path = folder.file(`${noun}.csv`);
  const way = wayTo(shop);
  const parts = await Array.fromAsync(exportSheet(way, noun, { mode: "test" }));
  await Bun.write(path, parts.join(""));
  return noun === "products"
    ? await importProducts(way, path, terms)
    : await importCustomers(way, path, terms);
}

describe("a shop of hostile texts that is exported is unchanged by the import of its file", () => {
  test("its products", async () => {
    await using shop = await openTestShop();
    for (const [at, text] of hostileTexts.entries()) {
      const made = await shop.post("/v2/products", productWith(text, at));
      expect([made.status, made.text]).toEqual([201, made.text]);
    }

    const report = await importOwn(shop, "products");

    expect(report).toMatchObject({ source: "duka", faults: [], warnings: [] });
    expect(report).toMatchObject({
      products: { create: 0, update: 0, unchanged: hostileTexts.length },
    });
  });

  test("its customers", async () => {
    await using shop = await openTestShop();
    for (const [at, text] of hostileTexts.entries()) {
      const made = await shop.post("/v2/customers", customerWith(text, at));
      expect([made.status, made.text]).toEqual([201, made.text]);
    }

    const report = await importOwn(shop, "customers");

    expect(report).toMatchObject({ source: "duka", faults: [], warnings: [] });
    expect(report).toMatchObject({
      customers: { create: 0, update: 0, unchanged: hostileTexts.length },
    });
  });
});
