// The rows that lists sort and filter by are proven from the variants, and written for products of older versions.

import { expect, test } from "bun:test";

import { auditOptions } from "#catalog/listing/replace-options.ts";
import { auditPrices } from "#catalog/listing/replace-prices.ts";
import { foldNamesJob } from "#catalog/routes/jobs.ts";

import { tamper } from "../../support/behind-the-shop.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";

/** What the audit finds after the statements ran behind the shop's back. */
async function differencesAfter(
  shop: TestShop,
  statements: readonly string[],
  audit = auditPrices,
) {
  await shop.duka.stop();
  await tamper(shop.folder.path, ...statements);
  await using again = await openTestShop({ folder: shop.folder });
  return await again.test.database.readTogether((db) => Array.fromAsync(audit(db)));
}

test("a product that is listed by another price than its lowest is a difference", async () => {
  await using shop = await openTestShop();
  const { id: subject } = await shop.post("/v2/products", { name: "Mug", price: 5 });
  await shop.post("/v2/products", { name: "Idea" });

  const found = await differencesAfter(shop, [
    "UPDATE product_prices SET amount_minor = 400",
    `INSERT INTO product_prices (product_id, currency, amount_minor) VALUES ('${subject}', 'KES', 1)`,
  ]);

  expect(found).toEqual([
    { subject, what: "lowest price in USD", expected: 500, found: 400 },
    { subject, what: "lowest price in KES", expected: "none", found: 1 },
  ]);
});

test("a product that is not listed by its price is a difference", async () => {
  await using shop = await openTestShop();
  const { id: subject } = await shop.post("/v2/products", { name: "Mug", price: 5 });

  const found = await differencesAfter(shop, ["DELETE FROM product_prices"]);

  expect(found).toEqual([{ subject, what: "lowest price in USD", expected: 500, found: "none" }]);
});

test("a variant that is found by another option than its own is a difference", async () => {
  await using shop = await openTestShop();
  const made = await shop.post("/v2/products", {
    name: "Shirt",
    options: [{ name: "Size", values: ["M", "L"] }],
    variants: [{ options: { Size: "M" } }, { options: { Size: "L" } }],
  });
  const [medium, large] = [made.string("/variants/0/id"), made.string("/variants/1/id")];

  const found = await differencesAfter(
    shop,
    [
      `UPDATE variant_options SET value = 'S', value_key = 's' WHERE variant_id = '${medium}'`,
      `DELETE FROM variant_options WHERE variant_id = '${large}'`,
    ],
    auditOptions,
  );

  const what = "option Size of the index";
  expect(found).toEqual([
    { subject: medium, what, expected: "M", found: "none" },
    { subject: large, what, expected: "L", found: "none" },
    { subject: medium, what, expected: "none", found: "S" },
  ]);
});

test("products of an older version are sorted by their names once these are folded", async () => {
  await using shop = await openTestShop();
  for (const name of ["Zebra", "Ábc", "Mug"]) await shop.post("/v2/products", { name });
  await shop.duka.stop();
  await tamper(shop.folder.path, "UPDATE products SET name_key = ''");
  await using again = await openTestShop({ folder: shop.folder });

  await foldNamesJob([again.test]).run();

  const page = await again.get("/v2/products?sort=name");
  expect(page.list("/data").map((one) => Object(one).name)).toEqual(["Ábc", "Mug", "Zebra"]);
});
