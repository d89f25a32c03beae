// Words of a search that no product has are replaced by the nearest ones that a product has, and the answer tells them.

import { beforeAll, describe, expect, test } from "bun:test";

import { keysOf, nearestWords } from "#catalog/listing/spellings.ts";
import { indexProductsJob } from "#catalog/routes/jobs.ts";

import { rowsBehind, tamper } from "../../support/behind-the-shop.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";

const shop = sharedShop();

const goods = [
  { name: "Coffee, dark roast", category: "Hot drinks", brand: "Kintampo" },
  { name: "Crème brûlée", tags: ["desserts", "GRÜNKOHL"] },
  { name: "Lantern", variants: [{ title: "Galvanized" }] },
  { name: "Lanterns of glass" },
  { name: "Κούπα καφές" },
  { name: "Model X200" },
  { name: "Parchment", status: "draft" },
];

beforeAll(async () => {
  for (const one of goods) await shop.post("/v2/products", one);
});

interface Found {
  readonly names: readonly unknown[];
  readonly corrected: unknown;
}

async function find(
  query: Record<string, string>,
  key = shop.key,
  of: TestShop = shop,
): Promise<Found> {
  const page = await of.get(`/v2/products?${new URLSearchParams(query).toString()}`, { key });
  expect(page.status).toBe(200);
  const names = page.list("/data").map((one) => Object(one).name);
  return { names, corrected: page.at("/corrected_q") };
}

describe("a search", () => {
  test.each([
    ["cofee", "coffee", "Coffee, dark roast"],
    ["Cofffee", "coffee", "Coffee, dark roast"],
    ["ocffee ROAST", "coffee ROAST", "Coffee, dark roast"],
    ["dark, cofee!", "dark, coffee!", "Coffee, dark roast"],
    ["cofee raost", "coffee roast", "Coffee, dark roast"],
    ["drimks", "drinks", "Coffee, dark roast"],
    ["kintanpo", "kintampo", "Coffee, dark roast"],
    ["creeme", "creme", "Crème brûlée"],
    ["brulè brulée cremme", "brulè brulée creme", "Crème brûlée"],
    ["grunkhol", "grunkohl", "Crème brûlée"],
    ["galvnaised", "galvanized", "Lantern"],
    ["κουπτα", "κουπα", "Κούπα καφές"],
  ])("for %s finds %s", async (q, corrected, name) => {
    expect(await find({ q })).toEqual({ names: [name], corrected });
  });

  test.each([
    ["coffee", 1],
    ["coff", 1],
    ["cof", 1],
    ["dar", 1],
    ["drk", 0],
    ["coffee lantern", 0],
    ["coffee lanterm drk", 0],
    ["x220", 0],
    ["zzzzzzzz", 0],
    ["!!", 0],
  ])("for %s is taken as it is", async (q, count) => {
    const { names, corrected } = await find({ q });

    expect([names.length, corrected]).toEqual([count, null]);
  });

  test("is corrected alike in pages, in facets and in a collection, whatever else is asked", async () => {
    const { id } = await shop.post("/v2/collections", { title: "Light", rule: { q: "lantern" } });
    const first = await shop.get("/v2/products?q=lamtern&limit=1");
    const cursor = first.string("/next_cursor");

    const second = await shop.get(`/v2/products?q=lamtern&limit=1&cursor=${cursor}`);
    const filtered = await find({ q: "lamtern", category: "none" });
    const empty = await find({ q: "lantern", category: "none" });
    const facets = await shop.get("/v2/products/facets?q=lamtern");
    const without = await shop.get("/v2/products/facets?q=lantern&brand=none");
    const member = await shop.get(`/v2/collections/${id}/products?q=glas+lamtern`);
    const ofMembers = await shop.get(`/v2/collections/${id}/facets?q=galss`);

    expect([first, second].map((page) => page.at("/data/0/name"))).toEqual([
      "Lanterns of glass",
      "Lantern",
    ]);
    expect([first, second, facets].map((one) => one.at("/corrected_q"))).toEqual(
      Array(3).fill("lantern"),
    );
    expect([filtered, empty]).toEqual([
      { names: [], corrected: "lantern" },
      { names: [], corrected: null },
    ]);
    expect([facets.at("/total"), without.at("/corrected_q")]).toEqual([2, null]);
    expect([member.list("/data").length, member.at("/corrected_q")]).toEqual([1, "glas lantern"]);
    expect([ofMembers.at("/total"), ofMembers.at("/corrected_q")]).toEqual([1, "glass"]);
  });

  test("that is exact is not corrected", async () => {
    const facets = await shop.get("/v2/products/facets?q=cofee&exact=true");

    expect(await find({ q: "cofee", exact: "true" })).toEqual({ names: [], corrected: null });
    expect((await find({ q: "cofee", exact: "false" })).corrected).toBe("coffee");
    expect([facets.at("/total"), facets.at("/corrected_q")]).toEqual([0, null]);
  });

  test("is never corrected to a word that only drafts have", async () => {
    const key = await shop.createKey({ scopes: ["storefront"] });

    expect(await find({ q: "parchmemt" }, key)).toEqual({ names: [], corrected: null });
    expect(await find({ q: "parchmemt", status: "draft" }, key)).toEqual({
      names: [],
      corrected: null,
    });
    expect(await find({ q: "parchmemt" })).toEqual({
      names: ["Parchment"],
      corrected: "parchment",
    });
    expect((await find({ q: "cofee" }, key)).corrected).toBe("coffee");
  });

  test("follows names that change", async () => {
    const { id } = await shop.post("/v2/products", { name: "Hammock" });
    await shop.put(`/v2/products/${id}`, { name: "Whistle" });

    expect((await find({ q: "hamock" })).corrected).toBeNull();
    expect((await find({ q: "wistle" })).corrected).toBe("whistle");
  });
});

test("of several near words the nearest is meant, then the one that begins alike, then the first", () => {
  const words = ["bread", "broad", "beard", "board", "bard", "brand"];

  expect(nearestWords("braad", words)).toEqual(["brand", "bread", "broad"]);
  expect(nearestWords("baord", words)).toEqual(["bard", "board"]);
  expect(nearestWords("lanternn", ["lantern", "lanterns"])).toEqual(["lantern", "lanterns"]);
  expect(nearestWords("xxntern", ["lantern"])).toEqual([]);
  expect(nearestWords("xxnterns", ["lanterns"])).toEqual(["lanterns"]);
  expect(nearestWords("galvanix", ["galvanized"])).toEqual(["galvanized"]);
});

test("the keys of a word are its first letters, and these less one", () => {
  expect(keysOf("noon")).toEqual(["noon", "oon", "non", "noo"]);
  expect(keysOf("lanterns")).toHaveLength(8);
  expect(keysOf("lanterns")[0]).toBe("lantern");
});

test("the words of older products are found once these are indexed, and a price writes none", async () => {
  await using old = await openTestShop();
  const made = await old.post("/v2/products", { name: "Lantern", price: 3 });
  await old.duka.stop();
  await tamper(
    old.folder.path,
    "DELETE FROM search_spellings",
    "INSERT INTO product_indexing (id, after) VALUES (1, '')",
  );
  await using again = await openTestShop({ folder: old.folder });

  await again.put(`/v2/products/${made.id}`, { price: 4, description: "Lamtren" });
  const before = await find({ q: "lamtern" }, again.key, again);
  await indexProductsJob([again.test]).run();
  const after = await find({ q: "lamtern" }, again.key, again);

  expect([before.corrected, after.corrected]).toEqual([null, "lantern"]);
  await again.duka.stop();
  const rows = await rowsBehind(again.folder.path, "SELECT DISTINCT word FROM search_spellings");
  expect(rows).toEqual([{ word: "lantern" }]);
});
