// What the shop exports, it imports: unchanged into the same shop, and whole into another one.

import { expect, test } from "bun:test";

import { openTestShop, type TestShop } from "../../support/shop.ts";
import { exported, importText, product } from "./import-shop.ts";

async function fill(shop: TestShop): Promise<void> {
  await shop.post("/v2/products", {
    name: 'Basket, "big"',
    slug: "basket",
    description: " Two lines,\r\nand spaces. ",
    category: "Home | Kitchen",
    brand: "Bolga, Ltd.",
    seo: { title: "=Baskets", description: "Woven in Bolgatanga." },
    tags: ["a | b", "=cmd()"],
    images: [
      { url: "https://shop.example/a,b.jpg", alt: "-1 of 2" },
      { url: "https://shop.example/c.jpg" },
    ],
    options: [{ name: "Size", values: ["S", "M", "L | XL"] }],
    metadata: { shelf: "B4", public_weave: { tight: true } },
    variants: [
      {
        sku: "'=1+1",
        options: { Size: "L | XL" },
        title: "Largest",
        prices: [
          { amount: 12.5, compare_at: 15 },
          { currency: "GHS", amount: "150.00" },
        ],
        stock: 7,
        backorder: "allow",
        image: { url: "https://shop.example/c.jpg", alt: "=Largest" },
      },
      {
        sku: "-5",
        barcode: "@home",
        options: { Size: "S" },
        prices: [{ currency: "JPY", amount: 900 }],
        tracked: false,
      },
    ],
  });
  await shop.post("/v2/products", { name: "Coffee", status: "archived", price: 0 });
}

test("into the same shop, everything is unchanged", async () => {
  await using shop = await openTestShop();
  await fill(shop);

  const report = await importText(shop, [await exported(shop)]);

  expect(report).toMatchObject({ source: "duka", faults: [], warnings: [] });
  expect(report.products).toMatchObject({ create: 0, update: 0, unchanged: 2 });
});

test("into another shop, the products are the same", async () => {
  await using shop = await openTestShop();
  await using other = await openTestShop();
  await fill(shop);

  const report = await importText(other, [await exported(shop)]);

  expect(report.products).toMatchObject({ create: 2 });
  expect(shown(await product(other, "basket"))).toEqual(shown(await product(shop, "basket")));
  expect(sorted(await exported(other))).toEqual(sorted(await exported(shop)));
});

test("no cell of the file is a formula", async () => {
  await using shop = await openTestShop();
  await fill(shop);

  const text = await exported(shop);

  expect(text).toContain(",''=1+1,");
  expect(text).toContain(",'@home,");
  expect(text).not.toMatch(/(?:^|,)"?[=+@]/m);
});

test("more products than a page has are in the file once", async () => {
  await using shop = await openTestShop();
  const names = Array.from({ length: 45 }, (_, index) => `Product ${index}`);
  await Promise.all(names.map((name) => shop.post("/v2/products", { name, price: 1 })));

  const lines = (await exported(shop)).trim().split("\r\n");

  expect(new Set(lines).size).toBe(46);
});

/** Without what every product has for itself. */
function shown(value: unknown): unknown {
  const own = new Set(["id", "product_id", "created_at", "updated_at", "version"]);
  return JSON.parse(JSON.stringify(value), (key, inner: unknown) =>
    own.has(key) ? undefined : inner,
  );
}

function sorted(text: string): string[] {
  return text.split("\r\n").toSorted();
}
