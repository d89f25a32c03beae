// Lists of stock levels: low stock, filters by SKU and product, and pages.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { type Goods, kanga, mug } from "../../support/cast.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";

describe("levels are found by", () => {
  let shop: TestShop;
  let cup: Goods;
  let cloth: Goods;

  beforeAll(async () => {
    shop = await openTestShop();
    cup = await mug(shop);
    shop.clock.advance(1);
    cloth = await kanga(shop, { stock: 4 });
    shop.clock.advance(1);
    const beads = await mug(shop, { name: "Beads", sku: "BEADS", stock: 0 });
    await shop.put(`/v2/inventory/${beads.variantId}`, { tracked: false });
    shop.clock.advance(1);
    const large = await shop.post(`/v2/products/${cup.productId}/variants`, {
      sku: "MUG-XL",
      title: "Large",
      prices: [{ currency: "USD", amount: 15 }],
      stock: 1,
    });
    if (large.status !== 201) throw new Error(large.text);
  });

  afterAll(async () => {
    await shop[Symbol.asyncDispose]();
  });

  async function skus(query: string): Promise<unknown[]> {
    const found = await shop.get(`/v2/inventory?${query}`);
    return found.list("/data").map((level) => Object(level).sku);
  }

  test.each([
    ["nothing, newest first", "", ["MUG-XL", "BEADS", "KANGA", "MUG"]],
    ["low stock", "low=true", ["MUG-XL", "KANGA"]],
    ["enough stock", "low=false", ["BEADS", "MUG"]],
    ["SKU", "sku=KANGA", ["KANGA"]],
    ["an unknown SKU", "sku=TEAPOT", []],
    ["an unknown product", "product_id=prod_01h455vb4pex5vsknk084sn02q", []],
    ["a malformed product id", "product_id=mug", []],
    ["SKU and stock together", "sku=MUG&low=true", []],
  ])("%s", async (_, query, found) => {
    expect(await skus(query)).toEqual([...found]);
  });

  test("product", async () => {
    expect(await skus(`product_id=${cup.productId}`)).toEqual(["MUG-XL", "MUG"]);
    expect(await skus(`product_id=${cup.productId}&low=true`)).toEqual(["MUG-XL"]);
  });

  test("several products, of which those without an id are none", async () => {
    const products = `${cup.productId},mug,${cloth.productId},${cup.productId}`;

    expect(await skus(`product_id=${products}`)).toEqual(["MUG-XL", "KANGA", "MUG"]);
  });

  test.each(["", "&low=true", "&low=false"])(
    "pages of one with%s show each once",
    async (filter) => {
      const seen: unknown[] = [];
      let cursor = "";
      for (let hasMore = true; hasMore;) {
        const page = await shop.get(`/v2/inventory?limit=1${filter}${cursor}`);
        seen.push(...page.list("/data").map((level) => Object(level).sku));
        hasMore = page.at("/has_more") === true;
        cursor = `&cursor=${String(page.at("/next_cursor"))}`;
      }

      expect(seen).toEqual(await skus(filter.slice(1)));
    },
  );

  test.each([
    ["low=maybe", "low"],
    ["stock=1", "stock"],
  ])("nothing for %s, which is refused", async (query, parameter) => {
    const refused = await shop.get(`/v2/inventory?${query}`);

    expect(refused.status).toBe(400);
    expect(refused.faults[0]).toStartWith(parameter);
  });
});

test("a level is found by the current SKU of its variant", async () => {
  await using shop = await openTestShop();
  const cup = await mug(shop);

  await shop.put(`/v2/products/${cup.productId}/variants/${cup.variantId}`, { sku: "CUP" });

  expect((await shop.get("/v2/inventory?sku=MUG")).list("/data")).toEqual([]);
  expect((await shop.get("/v2/inventory?sku=CUP")).at("/data/0/variant_id")).toBe(cup.variantId);
});

test("a deleted variant is no longer listed, and its level can still be read", async () => {
  await using shop = await openTestShop();
  const variants = [
    { sku: "S", stock: 3, prices: [{ amount: 9 }] },
    { sku: "M", stock: 4 },
  ];
  const shirt = await shop.post("/v2/products", { name: "Shirt", variants });
  const sold = shirt.string("/variants/0/id");
  await shop.post("/v2/orders", { line_items: [{ variant_id: sold, quantity: 1 }] });

  await shop.delete(`/v2/products/${shirt.id}/variants/${sold}`);

  const listed = await shop.get("/v2/inventory");
  const low = await shop.get("/v2/inventory?low=true");
  expect(listed.list("/data")).toMatchObject([{ sku: "M" }]);
  expect(low.list("/data")).toMatchObject([{ sku: "M" }]);
  expect((await shop.get(`/v2/inventory/${sold}`)).body).toMatchObject({ sku: null, reserved: 1 });
});

test("the stock of an archived product is neither low nor enough", async () => {
  await using shop = await openTestShop();
  const cup = await mug(shop, { stock: 1 });
  await kanga(shop, { stock: 1 });
  await shop.put(`/v2/products/${cup.productId}`, { status: "archived" });

  const listed = async (query: string) =>
    (await shop.get(`/v2/inventory?${query}`)).list("/data").map((level) => Object(level).sku);

  expect(await listed("low=true")).toEqual(["KANGA"]);
  expect(await listed("low=false")).toEqual([]);
  expect(await listed("")).toEqual(["KANGA", "MUG"]);
});

test("a storefront key cannot read stock levels", async () => {
  await using shop = await openTestShop();
  const key = await shop.createKey({ scopes: ["storefront"] });

  const refused = await shop.get("/v2/inventory", { key });

  expect(refused.status).toBe(403);
});
