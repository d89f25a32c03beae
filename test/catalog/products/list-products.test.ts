// Lists of products: filters, pages, and what a storefront key sees.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { openTestShop, type TestShop } from "../../support/shop.ts";

/** Five products, an hour apart. */
async function openFullShop(): Promise<TestShop> {
  const shop = await openTestShop();
  const bodies = [
    { name: "Enamel Mug", sku: "MUG-1", category: "kitchen", tags: ["blue"] },
    { name: "Clay Cup", category: "kitchen", tags: ["red", "blue"], status: "draft" },
    { name: "Shirt", category: "tops", description: "Goes with every mug" },
    { name: "Café Pot", category: "kitchen", status: "archived" },
    { name: "Belt", variants: [{ title: "Brown", barcode: "6001000000024", sku: "BELT-9" }] },
  ];
  for (const body of bodies) {
    await shop.post("/v2/products", body);
    shop.clock.advance(3_600_000);
  }
  return shop;
}

async function names(shop: TestShop, query: string, key = shop.key): Promise<unknown[]> {
  const page = await shop.get(`/v2/products?${query}`, { key });
  return page.list("/data").map((_, index) => page.at(`/data/${index}/name`));
}

describe("the list of products", () => {
  let shop: TestShop;

  // One shop for all: a read changes nothing of it.
  beforeAll(async () => {
    shop = await openFullShop();
  });

  afterAll(() => shop[Symbol.asyncDispose]());

  test("is newest first", async () => {
    expect(await names(shop, "")).toEqual(["Belt", "Café Pot", "Shirt", "Clay Cup", "Enamel Mug"]);
  });

  test.each([
    ["status=draft", ["Clay Cup"]],
    ["status=draft,archived", ["Café Pot", "Clay Cup"]],
    ["status=archived,active,draft", ["Belt", "Café Pot", "Shirt", "Clay Cup", "Enamel Mug"]],
    ["category=kitchen", ["Café Pot", "Clay Cup", "Enamel Mug"]],
    ["category=kitchen&status=active", ["Enamel Mug"]],
    ["tag=blue", ["Clay Cup", "Enamel Mug"]],
    ["tag=red&category=kitchen", ["Clay Cup"]],
    ["tag=red,blue", ["Clay Cup", "Enamel Mug"]],
    ["category=tops,,none,kitchen&tag=none,blue", ["Clay Cup", "Enamel Mug"]],
    ["slug=enamel-mug", ["Enamel Mug"]],
    ["slug=enamel", []],
    ["slug=clay-cup&status=active", []],
    ["sku=MUG-1", ["Enamel Mug"]],
    ["sku=mug-1", []],
    ["q=mug", ["Shirt", "Enamel Mug"]],
    ["q=ENAM+kitchen", ["Enamel Mug"]],
    ["q=cafe", ["Café Pot"]],
    ["q=brown", ["Belt"]],
    ["q=6001000000024", ["Belt"]],
    ["q=belt-9", ["Belt"]],
    ["q=default", []],
    ["q=%22%29+OR", []],
    ["q=mug&status=active&sku=MUG-1", ["Enamel Mug"]],
    ["created_at[gte]=2026-01-05T11:00:00.000Z", ["Belt", "Café Pot"]],
    ["created_at[gt]=2026-01-05T11:00:00.000Z", ["Belt"]],
    ["created_at[lte]=2026-01-05T09:00:00Z", ["Clay Cup", "Enamel Mug"]],
    ["created_at[lt]=2026-01-05T10:00:00%2B01:00", ["Enamel Mug"]],
  ])("filtered by %s", async (query, expected) => {
    expect(await names(shop, query)).toEqual(expected);
  });

  test("has only the products that are named by their ids", async () => {
    const all = await shop.get("/v2/products");
    const [belt, pot, , , mug] = all.list("/data").map((_, row) => all.string(`/data/${row}/id`));
    const storefront = await shop.createKey({ scopes: ["storefront"] });

    expect(await names(shop, `id=${mug},${belt},${pot},${mug}`)).toEqual([
      "Belt",
      "Café Pot",
      "Enamel Mug",
    ]);
    expect(await names(shop, `id=${mug},${pot}`, storefront)).toEqual(["Enamel Mug"]);
    expect(await names(shop, "id=mug")).toEqual([]);
  });

  test("pages with a cursor that belongs to its filters", async () => {
    const first = await shop.get("/v2/products?category=kitchen&limit=2");
    const cursor = first.string("/next_cursor");

    const second = await shop.get(`/v2/products?category=kitchen&limit=2&cursor=${cursor}`);
    const foreign = await shop.get(`/v2/products?category=tops&cursor=${cursor}`);

    expect(first.at("/has_more")).toBe(true);
    expect(second.at("/data/0/name")).toBe("Enamel Mug");
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null });
    expect(foreign.code).toBe("invalid_cursor");
  });

  test("pages through the products of several categories, each once", async () => {
    const first = await shop.get("/v2/products?category=tops,kitchen&limit=3");

    const second = await names(
      shop,
      `category=tops,kitchen&limit=3&cursor=${first.string("/next_cursor")}`,
    );

    expect(first.list("/data").map((one) => Object(one).name)).toEqual([
      "Café Pot",
      "Shirt",
      "Clay Cup",
    ]);
    expect(second).toEqual(["Enamel Mug"]);
  });

  test("pages within a span of time", async () => {
    const span =
      "created_at[gte]=2026-01-05T09:00:00Z&created_at[lte]=2026-01-05T11:00:00Z&limit=2";
    const first = await shop.get(`/v2/products?${span}`);

    const second = await names(shop, `${span}&cursor=${first.string("/next_cursor")}`);

    expect(first.at("/data/0/name")).toBe("Café Pot");
    expect(second).toEqual(["Clay Cup"]);
  });

  test.each([
    ["status=gone", "status invalid_choice"],
    ["status=", "status invalid_choice"],
    ["colour=red", "colour unknown_parameter"],
    ["created_at[gte]=today", "created_at[gte] invalid_format"],
    ["limit=101", "limit too_large"],
    [`tag=${"a,".repeat(20)}b`, "tag too_many"],
  ])("refuses %s", async (query, fault) => {
    const refused = await shop.get(`/v2/products?${query}`);

    expect(refused.status).toBe(400);
    expect(refused.faults).toEqual([fault]);
  });
});

test("a category, a brand and a tag with commas are found as they are, and beside others", async () => {
  await using shop = await openTestShop();
  const crate = { category: "Jars, lids", brand: "Mensah, Sons, Co.", tags: ["salt,pepper"] };
  await shop.post("/v2/products", { name: "Crate", ...crate });
  await shop.post("/v2/products", { name: "Lid", category: " lids", tags: ["pepper"] });
  const find = (query: Record<string, string>) => names(shop, String(new URLSearchParams(query)));

  expect(await find({ brand: crate.brand })).toEqual(["Crate"]);
  expect(await find({ category: crate.category })).toEqual(["Lid", "Crate"]);
  expect(await find({ tag: "salt,pepper", category: crate.category })).toEqual(["Lid", "Crate"]);
  expect(await find({ tag: "salt" })).toEqual([]);
});

describe("a storefront", () => {
  test("sees only active products", async () => {
    await using shop = await openFullShop();
    const key = await shop.createKey({ scopes: ["storefront"] });

    expect(await names(shop, "", key)).toEqual(["Belt", "Shirt", "Enamel Mug"]);
    expect(await names(shop, "status=draft", key)).toEqual([]);
    expect(await names(shop, "status=draft,active", key)).toEqual(["Belt", "Shirt", "Enamel Mug"]);
    expect(await names(shop, "q=cafe", key)).toEqual([]);
    expect(await names(shop, "slug=shirt", key)).toEqual(["Shirt"]);
    expect(await names(shop, "slug=clay-cup", key)).toEqual([]);
  });

  test("finds neither a draft by its id nor its variant", async () => {
    await using shop = await openTestShop();
    const key = await shop.createKey({ scopes: ["storefront"] });
    const draft = await shop.post("/v2/products", { name: "Plan", status: "draft" });
    const variant = `/v2/products/${draft.id}/variants/${draft.string("/variants/0/id")}`;

    expect((await shop.get(`/v2/products/${draft.id}`, { key })).code).toBe("product_not_found");
    expect((await shop.get(variant, { key })).status).toBe(404);
    expect((await shop.get(variant)).status).toBe(200);
  });

  test("finds an active product", async () => {
    await using shop = await openTestShop();
    const key = await shop.createKey({ scopes: ["storefront"] });
    const mug = await shop.post("/v2/products", { name: "Mug", price: 5 });

    expect((await shop.get(`/v2/products/${mug.id}`, { key })).body).toEqual(mug.body);
  });

  test("changes nothing", async () => {
    await using shop = await openTestShop();
    const key = await shop.createKey({ scopes: ["storefront"] });

    expect((await shop.post("/v2/products", { name: "Mug" }, { key })).status).toBe(403);
  });
});
