// The products of a collection: those that a rule finds, and those that were picked by hand, in their order.

import { describe, expect, test } from "bun:test";

import { findMemberships } from "#catalog/collections/lookups.ts";
import type { Id } from "#kernel/id.ts";

import { type Answered, openTestShop, type TestShop } from "../../support/shop.ts";
import { withoutMemory } from "../../support/without-memory.ts";

const names = (page: Answered) => page.list("/data").map((one) => Object(one).name);

async function namesIn(shop: TestShop, id: string, query = ""): Promise<unknown[]> {
  return names(await shop.get(`/v2/collections/${id}/products${query}`));
}

const goods = [
  { name: "Mug", category: "cups", tags: ["clay"], brand: "Jiko", price: 5 },
  { name: "Tin mug", category: "cups", tags: ["tin", "new"], price: 2 },
  { name: "Pot", category: "pots", tags: ["clay", "new"], brand: "Jiko", price: 9 },
  { name: "Kanga", tags: ["cloth"], price: 7 },
];

async function openStocked() {
  const shop = await openTestShop();
  const ids = new Map<string, Id<"product">>();
  for (const one of goods) {
    const { id } = await shop.post("/v2/products", one);
    ids.set(one.name, id as Id<"product">);
  }
  return {
    shop,
    ids,
    idsOf: (...of: readonly string[]) => of.map((name) => ids.get(name) ?? ""),
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  };
}

const rules: readonly (readonly [object, readonly string[]])[] = [
  [{ category: "cups" }, ["Tin mug", "Mug"]],
  [{ tags: ["new", "cloth"] }, ["Kanga", "Pot", "Tin mug"]],
  [{ brand: "Jiko", tags: ["new"] }, ["Pot"]],
  [{ q: "mug" }, ["Tin mug", "Mug"]],
  [{ q: "mug", tags: ["clay"] }, ["Mug"]],
  [{ q: "!" }, []],
];

describe("a rule", () => {
  test("finds the same products as a list, as a question about each of them", async () => {
    await using stocked = await openStocked();
    const { shop, ids } = stocked;
    for (const [rule, found] of rules) {
      const { id } = await shop.post("/v2/collections", { title: "Rule", rule });

      const listed = await namesIn(shop, id);
      const sorted = await namesIn(shop, id, "?sort=name&limit=1");
      const asked = { collectionIds: [id as Id<"collection">], productIds: [...ids.values()] };
      const known = await findMemberships(withoutMemory(shop.test.database.read), asked);

      expect(listed).toEqual([...found]);
      expect(sorted).toEqual([...found].toSorted().slice(0, 1));
      const members = [...ids].filter(([, one]) => known.has(one)).map(([name]) => name);
      expect(members.toSorted()).toEqual([...found].toSorted());
    }
  });

  test("is one more filter beside those of the caller", async () => {
    await using stocked = await openStocked();
    const { shop } = stocked;
    const rule = { brand: "Jiko", q: "clay" };
    const { id } = await shop.post("/v2/collections", { title: "Jiko", rule, sort: "-price" });

    expect(await namesIn(shop, id)).toEqual(["Pot", "Mug"]);
    expect(await namesIn(shop, id, "?category=cups")).toEqual(["Mug"]);
    expect(await namesIn(shop, id, "?q=pot&price[gte]=9")).toEqual(["Pot"]);
    expect(await namesIn(shop, id, "?brand=Jiko&tag=new&sort=newest")).toEqual(["Pot"]);
    expect(await namesIn(shop, id, "?brand=Other")).toEqual([]);
    expect(await namesIn(shop, id, "?brand=Other,Jiko&category=none,cups")).toEqual(["Mug"]);
    const placed = await shop.get(`/v2/collections/${id}/products?sort=position`);
    expect(placed.faults).toEqual(["sort invalid_choice"]);
  });

  test("meets a product from its change on", async () => {
    await using stocked = await openStocked();
    const { shop, idsOf } = stocked;
    const { id } = await shop.post("/v2/collections", {
      title: "Cups",
      rule: { category: "cups" },
    });
    await namesIn(shop, id);
    await shop.announced();

    await shop.put(`/v2/products/${idsOf("Pot")[0]}`, { category: "cups" });

    expect(await namesIn(shop, id)).toEqual(["Pot", "Tin mug", "Mug"]);
    expect(await shop.announcedNames()).toEqual(["product.updated"]);
  });
});

describe("products that are picked by hand", () => {
  test("have the merchant's order, over pages and beside filters", async () => {
    await using stocked = await openStocked();
    const { shop, idsOf } = stocked;
    const { id } = await shop.post("/v2/collections", { title: "Picked" });
    const product_ids = idsOf("Pot", "Kanga", "Mug", "Tin mug");

    const set = await shop.put(`/v2/collections/${id}/products`, { product_ids });
    await shop.put(`/v2/collections/${id}/products`, { product_ids });
    const first = await shop.get(`/v2/collections/${id}/products?limit=2`);
    const cursor = first.string("/next_cursor");

    expect(set.at("/version")).toBe(2);
    expect(await shop.announcedNames()).toEqual([
      ...goods.map(() => "product.created"),
      "collection.created",
      "collection.updated",
    ]);
    expect(names(first)).toEqual(["Pot", "Kanga"]);
    expect(await namesIn(shop, id, `?limit=2&cursor=${cursor}`)).toEqual(["Mug", "Tin mug"]);
    expect(await namesIn(shop, id, "?tag=clay")).toEqual(["Pot", "Mug"]);
    expect(await namesIn(shop, id, "?price[lte]=7")).toEqual(["Kanga", "Mug", "Tin mug"]);
    expect(await namesIn(shop, id, "?sort=newest&category=cups")).toEqual(["Tin mug", "Mug"]);
    expect(await namesIn(shop, id, "?sort=price")).toEqual(["Tin mug", "Mug", "Kanga", "Pot"]);
    const elsewhere = await shop.get(`/v2/collections/${id}/products?sort=name&cursor=${cursor}`);
    expect(elsewhere.code).toBe("invalid_cursor");
  });

  test("are added at the end and removed, and deleted products leave", async () => {
    await using stocked = await openStocked();
    const { shop, idsOf } = stocked;
    const { id } = await shop.post("/v2/collections", { title: "Picked" });
    const path = `/v2/collections/${id}/products`;
    const [mug, tin, pot, kanga] = idsOf("Mug", "Tin mug", "Pot", "Kanga");

    for (const one of [mug, tin, pot, mug]) await shop.put(`${path}/${one}`);
    await shop.delete(`${path}/${tin}`);
    const again = await shop.delete(`${path}/${tin}`);
    await shop.put(`${path}/${kanga}`);
    const before = await namesIn(shop, id);
    await shop.delete(`/v2/products/${mug}`);

    expect(again.at("/version")).toBe(5);
    expect(before).toEqual(["Mug", "Pot", "Kanga"]);
    expect(await namesIn(shop, id)).toEqual(["Pot", "Kanga"]);
  });

  test("are refused where they do not exist, or where a rule decides", async () => {
    await using stocked = await openStocked();
    const { shop, idsOf } = stocked;
    const [mug] = idsOf("Mug");
    const picked = await shop.post("/v2/collections", { title: "Picked" });
    const ruled = await shop.post("/v2/collections", { title: "Rule", rule: { brand: "Jiko" } });
    const lost = "prod_00000000000000000000000000";

    const unknown = await shop.put(`/v2/collections/${picked.id}/products`, {
      product_ids: [mug, lost],
    });
    const twice = await shop.put(`/v2/collections/${picked.id}/products`, {
      product_ids: [mug, mug],
    });
    const one = await shop.put(`/v2/collections/${picked.id}/products/${lost}`);
    const automatic = [
      await shop.put(`/v2/collections/${ruled.id}/products`, { product_ids: [mug] }),
      await shop.put(`/v2/collections/${ruled.id}/products/${mug}`),
    ];

    expect(unknown.faults).toEqual(["#/product_ids/1 unknown_product"]);
    expect(twice.faults).toEqual(["#/product_ids duplicate"]);
    expect(one.code).toBe("product_not_found");
    expect(automatic.map(({ code }) => code)).toEqual(Array(2).fill("collection_is_automatic"));
    expect(await namesIn(shop, picked.id)).toEqual([]);
  });
});

test("a product tells the collections that it is in", async () => {
  await using stocked = await openStocked();
  const { shop, idsOf } = stocked;
  const [mug] = idsOf("Mug");
  const picked = await shop.post("/v2/collections", { title: "Picked" });
  await shop.put(`/v2/collections/${picked.id}/products/${mug}`);
  await shop.post("/v2/collections", { title: "Cups", rule: { category: "cups" } });
  await shop.post("/v2/collections", { title: "Pots", rule: { category: "pots" } });

  const page = await shop.get(`/v2/collections?product_id=${mug}`);

  expect(page.list("/data").map((one) => Object(one).title)).toEqual(["Cups", "Picked"]);
});
