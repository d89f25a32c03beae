// The migrations 0069 and 0070: the products of before are indexed by their options and words, however often that is stopped.

import { expect, test } from "bun:test";

import { indexProducts } from "#catalog/listing/index-products.ts";
import { indexProductsJob } from "#catalog/routes/jobs.ts";
import { engine } from "#platform/database/engine.ts";
import { statementsOf } from "#platform/database/migrations.ts";
import { postgresMigrations } from "#platform/database/postgres/migrate.ts";
import { sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

import { rowsBehind, tamper } from "../support/behind-the-shop.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

const migrations = engine === "postgres" ? postgresMigrations : sqliteMigrations;
const statements = migrations
  .filter(({ name }) => name === "0069_variant_options" || name === "0070_search_spellings")
  .flatMap(statementsOf);

/** The shop as it is right after the migrations. */
async function migrated(shop: TestShop): Promise<TestShop> {
  await shop.duka.stop();
  const dropped = ["variant_options", "product_indexing", "search_spellings"];
  await tamper(shop.folder.path, ...dropped.map((name) => `DROP TABLE ${name}`), ...statements);
  return openTestShop({ folder: shop.folder });
}

const shirt = {
  name: "Shirt",
  options: [{ name: "Size", values: ["M"] }],
  variants: [{ options: { Size: "M" } }],
};

test("a shop without products filters by options at once", async () => {
  await using shop = await openTestShop();
  await using after = await migrated(shop);

  await after.post("/v2/products", shirt);

  const found = await after.get("/v2/products?option[Size]=m&q=shirr");
  expect([found.list("/data").length, found.at("/corrected_q")]).toEqual([1, "shirt"]);
});

test("the products of a shop are indexed once, although the program stops in between", async () => {
  await using shop = await openTestShop();
  for (let n = 0; n < 102; n += 1)
    await shop.post("/v2/products", { ...shirt, name: `Shirt ${n}` });
  await using after = await migrated(shop);
  const refused = await after.get("/v2/products?option[Size]=M");
  await after.test.database.write(indexProducts);
  await after.duka.stop();

  const [place] = await rowsBehind(after.folder.path, "SELECT after FROM product_indexing");
  await using again = await openTestShop({ folder: after.folder });
  await indexProductsJob([again.test]).run();
  const facets = await again.get("/v2/products/facets?option[Size]=M&q=shrit");

  expect([refused.code, String(place?.["after"]).startsWith("prod_")]).toEqual([
    "still_indexing",
    true,
  ]);
  expect([facets.at("/total"), facets.at("/complete"), facets.at("/corrected_q")]).toEqual([
    102,
    true,
    "shirt",
  ]);
});
