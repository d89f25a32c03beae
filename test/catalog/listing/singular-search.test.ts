// Where few products have the words of a search, each word may also be its singular, as a whole word.

import { beforeAll, describe, expect, test } from "bun:test";

import { sharedShop, type TestShop } from "../../support/shop.ts";

const shop = sharedShop();

const goods = [
  { name: "Mug", category: "Cups" },
  { name: "Mug, blue", price: 4 },
  { name: "Shorts" },
  { name: "Running shoe" },
  { name: "Berry jam" },
  { name: "Knife" },
  { name: "Gâteau" },
  ...[1, 2, 3, 4, 5].map((n) => ({ name: `Bowls ${n}` })),
  { name: "Bowl" },
  ...[1, 2, 3, 4].map((n) => ({ name: `Plates ${n}` })),
  { name: "Plate" },
  { name: "Ladles" },
  { name: "Ladle", status: "draft" },
  ...[1, 2, 3, 4, 5].map((n) => ({ name: `Jugs ${n}`, status: "draft" })),
  { name: "Jug" },
];

beforeAll(async () => {
  for (const one of goods) await shop.post("/v2/products", one);
});

async function find(query: Record<string, string>, { key = shop.key, of = shop } = {}) {
  const page = await of.get(`/v2/products?${new URLSearchParams(query).toString()}`, { key });
  expect(page.status).toBe(200);
  return page.list("/data").map((one) => String(Object(one).name));
}

async function countFacets(query: Record<string, string>, of: TestShop = shop) {
  return (await of.get(`/v2/products/facets?${new URLSearchParams(query).toString()}`)).at(
    "/total",
  );
}

describe("a search", () => {
  test.each<[q: string, names: string[]]>([
    ["mugs", ["Mug, blue", "Mug"]],
    ["MUGS blue", ["Mug, blue"]],
    ["shoes", ["Running shoe"]],
    ["berries", ["Berry jam"]],
    ["knives", ["Knife"]],
    ["gâteaux", ["Gâteau"]],
    ["ladles", ["Ladle", "Ladles"]],
    ["mugs spoons", []],
  ])("for %s finds singulars, in the order of the list", async (q, names) => {
    expect(await find({ q })).toEqual(names);
    expect(await countFacets({ q })).toBe(names.length);
  });

  test("that five products have finds them alone, and one that four have finds the singular, too", async () => {
    const [bowls, plates] = [await find({ q: "bowls" }), await find({ q: "plates" })];

    expect([bowls.length, bowls.includes("Bowl")]).toEqual([5, false]);
    expect([plates.length, plates.includes("Plate")]).toEqual([5, true]);
    expect([await countFacets({ q: "bowls" }), await countFacets({ q: "plates" })]).toEqual([5, 5]);
  });

  test("counts what its caller sees", async () => {
    const key = await shop.createKey({ scopes: ["storefront"] });

    expect(await find({ q: "jugs" })).not.toContain("Jug");
    expect(await find({ q: "jugs" }, { key })).toEqual(["Jug"]);
    expect(await find({ q: "ladles" }, { key })).toEqual(["Ladles"]);
  });

  test("is decided by its words alone, whatever else is asked", async () => {
    expect(await find({ q: "bowls", category: "none" })).toEqual([]);
    expect(await find({ q: "mugs", category: "Cups" })).toEqual(["Mug"]);
    expect(await countFacets({ q: "mugs", category: "Cups" })).toBe(1);
    expect((await find({ q: "mugs", sort: "name" })).length).toBe(2);
    expect(await find({ q: "mugs", "price[gte]": "1", sort: "price" })).toEqual(["Mug, blue"]);
  });

  test("that is exact takes its words as they are", async () => {
    expect(await find({ q: "mugs", exact: "true" })).toEqual([]);
    expect(await countFacets({ q: "mugs", exact: "true" })).toBe(0);
  });

  test("is corrected only where no singular is found, and then finds singulars, too", async () => {
    const singular = await shop.get("/v2/products?q=mugs");
    const corrected = await shop.get("/v2/products?q=runing+shoes");
    const facets = await shop.get("/v2/products/facets?q=runing+shoes");

    expect(singular.at("/corrected_q")).toBeNull();
    expect(corrected.at("/corrected_q")).toBe("running shoes");
    expect(corrected.list("/data").map((one) => Object(one).name)).toEqual(["Running shoe"]);
    expect([facets.at("/corrected_q"), facets.at("/total")]).toEqual(["running shoes", 1]);
  });

  test("goes on as it began: the cursor says which was asked", async () => {
    const first = await shop.get("/v2/products?q=plates&limit=2");
    const cursor = first.string("/next_cursor");
    for (const n of [5, 6]) await shop.post("/v2/products", { name: `Plates ${n}` });

    const second = await shop.get(`/v2/products?q=plates&limit=10&cursor=${cursor}`);
    const anew = await find({ q: "plates" });

    const names = [first, second].flatMap((page) => page.list("/data"));
    expect(names.map((one) => Object(one).name)).toEqual([
      "Plate",
      "Plates 4",
      "Plates 3",
      "Plates 2",
      "Plates 1",
    ]);
    expect([anew.length, anew.includes("Plate")]).toEqual([6, false]);
  });

  test("goes on so in another order, too", async () => {
    const first = await shop.get("/v2/products?q=mugs&limit=1&sort=-name");
    const cursor = first.string("/next_cursor");
    const second = await shop.get(`/v2/products?q=mugs&limit=1&sort=-name&cursor=${cursor}`);

    expect([first.at("/data/0/name"), second.at("/data/0/name")]).toEqual(["Mug, blue", "Mug"]);
    expect([first.at("/has_more"), second.at("/has_more")]).toEqual([true, false]);
  });

  test("within a collection leaves the words of its rule as they are", async () => {
    const rule = { q: "mugs" };
    const { id: none } = await shop.post("/v2/collections", { title: "Mugs", rule });
    const { id: cups } = await shop.post("/v2/collections", {
      title: "Cups",
      rule: { category: "Cups" },
    });

    const ofRule = await shop.get(`/v2/collections/${none}/products`);
    const both = await shop.get(`/v2/collections/${none}/products?q=mugs`);
    const facets = await shop.get(`/v2/collections/${none}/facets?q=mugs`);
    const within = await shop.get(`/v2/collections/${cups}/products?q=mugs`);

    expect([ofRule, both, within].map((one) => one.list("/data").length)).toEqual([0, 0, 1]);
    expect(facets.at("/total")).toBe(0);
  });
});
