// The migration 0072: products and customers of before are found in the words of the shop once they are indexed anew.

import { expect, test } from "bun:test";

import { engine } from "#platform/database/engine.ts";
import { statementsOf } from "#platform/database/migrations.ts";
import { postgresMigrations } from "#platform/database/postgres/migrate.ts";
import { sqliteMigrations } from "#platform/database/sqlite/migrate.ts";
import { openLog } from "#platform/log/log.ts";
import { rebuildSearchJob } from "#rebuild-search.ts";

import { rowsBehind, tamper } from "../support/behind-the-shop.ts";
import { indexAsBefore } from "../support/former-search.ts";
import { openTestShop } from "../support/shop.ts";

const migrations = engine === "postgres" ? postgresMigrations : sqliteMigrations;
const statements = migrations
  .filter(({ name }) => name === "0075_search_words")
  .flatMap(statementsOf);

test("all that has a text is indexed anew, with the words by which searches are corrected", async () => {
  await using shop = await openTestShop();
  const coffee = await shop.post("/v2/products", {
    name: "Καφές",
    variants: [{ title: "Tall", sku: "KT-INS114-DRE" }],
  });
  const cup = await shop.post("/v2/products", { name: "Кружка Ёлка", status: "draft" });
  const ada = await shop.post("/v2/customers", { name: "Ада", email: "ada@bücher.example" });
  const erased = await shop.post("/v2/customers", { name: "Gone", email: "gone@shop.example" });
  await shop.post(`/v2/customers/${erased.id}/erase`);
  await shop.duka.stop();
  await tamper(shop.folder.path, "DROP TABLE search_rebuilds", ...statements);
  await indexAsBefore(shop.folder.path, "products", {
    [coffee.id]: "Καφές KT-INS114-DRE",
    [cup.id]: "Кружка Ёлка",
  });
  await indexAsBefore(shop.folder.path, "customers", {
    [ada.id]: "Ада ada@xn--bcher-kva.example",
  });

  const begun = await rowsBehind(
    shop.folder.path,
    "SELECT kind, done, total FROM search_rebuilds ORDER BY kind",
  );
  await using again = await openTestShop({ folder: shop.folder });
  await rebuildSearchJob([again.test], openLog({ level: "error" })).run();

  expect(begun).toEqual([
    { kind: "customers", done: 0, total: 1 },
    { kind: "products", done: 0, total: 2 },
  ]);
  const idsFor = async (path: string) =>
    (await again.get(path)).list("/data").map((one) => Object(one).id);
  const found = [
    await idsFor("/v2/products?q=ΚΑΦΕΣ"),
    await idsFor("/v2/products?q=ktins114dre"),
    await idsFor("/v2/products?q=елка"),
    await idsFor("/v2/customers?q=bücher"),
    await idsFor("/v2/customers?q=gone"),
  ];
  expect(found).toEqual([[coffee.id], [coffee.id], [cup.id], [ada.id], []]);
  expect((await again.get("/v2/products?q=кружкаа")).at("/corrected_q")).toBe("кружка");
});

test("a shop without products and customers has nothing to index", async () => {
  await using shop = await openTestShop();
  await shop.duka.stop();
  await tamper(shop.folder.path, "DROP TABLE search_rebuilds", ...statements);

  expect(await rowsBehind(shop.folder.path, "SELECT * FROM search_rebuilds")).toEqual([]);
});
