// Concurrent changes of the catalog: no update is lost, and a unique value
// goes to one request.

import { describe, expect, test } from "bun:test";

import { auditStock } from "#catalog/inventory/audit-stock.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { of } from "../../sales/orders/counter.ts";
import { atOnce, statuses } from "../../support/at-once.ts";
import { type Goods, kanga, mug } from "../../support/cast.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";

const shop = sharedShop();

function change(shop: TestShop, goods: Goods, body: object): Promise<Answered> {
  return shop.put(`/v2/products/${goods.productId}`, body);
}

function add(shop: TestShop, goods: Goods, body: object): Promise<Answered> {
  return shop.post(`/v2/products/${goods.productId}/variants`, body);
}

function readProduct(shop: TestShop, goods: Goods): Promise<Answered> {
  return shop.get(`/v2/products/${goods.productId}`);
}

describe("products created at the same moment", () => {
  test("under one name each get their own slug", async () => {
    const made = await atOnce(8, () => shop.post("/v2/products", { name: "Mug" }));

    expect(statuses(made)).toEqual(Array.from({ length: 8 }, () => 201));
    expect(made.map((answer) => answer.string("/slug")).toSorted()).toEqual([
      "mug",
      "mug-2",
      "mug-3",
      "mug-4",
      "mug-5",
      "mug-6",
      "mug-7",
      "mug-8",
    ]);
  });

  test("share no requested slug", async () => {
    await using shop = await openTestShop();

    const made = await atOnce(5, () => shop.post("/v2/products", { name: "Mug", slug: "the-mug" }));

    expect(statuses(made)).toEqual([201, 409, 409, 409, 409]);
    expect(made.find((answer) => answer.status === 409)?.code).toBe("slug_taken");
    expect((await shop.get("/v2/products")).list("/data")).toHaveLength(1);
  });

  test("share no SKU, and a refused one leaves no rows", async () => {
    await using shop = await openTestShop();

    const made = await atOnce(6, () => shop.post("/v2/products", { name: "Mug", sku: "MUG" }));

    const winner = made.find((answer) => answer.status === 201);
    expect(statuses(made)).toEqual([201, 409, 409, 409, 409, 409]);
    expect(made.find((answer) => answer.status === 409)?.body).toMatchObject({
      code: "sku_taken",
      existing_id: winner?.at("/variants/0/id"),
    });
    expect((await shop.get("/v2/products")).list("/data")).toHaveLength(1);
    expect((await shop.get("/v2/inventory")).list("/data")).toHaveLength(1);
  });

  test("with the same SKUs in different order do not deadlock, and one succeeds", async () => {
    await using shop = await openTestShop();
    const variants = ["S", "M", "L"].map((sku) => ({ sku, options: { Size: sku } }));
    const options = [{ name: "Size", values: ["S", "M", "L"] }];

    const made = await atOnce(4, (index) =>
      shop.post("/v2/products", {
        name: "Shirt",
        options,
        variants: index % 2 === 0 ? variants : variants.toReversed(),
      }),
    );

    expect(statuses(made)).toEqual([201, 409, 409, 409]);
    expect((await shop.get("/v2/inventory")).list("/data")).toHaveLength(3);
  });
});

describe("a product", () => {
  test("keeps changes of different fields at once", async () => {
    const cup = await mug(shop);
    await shop.announced();

    const answers = await Promise.all([
      change(shop, cup, { description: "For tea" }),
      change(shop, cup, { category: "Kitchen" }),
      change(shop, cup, { metadata: { shelf: "4" } }),
      change(shop, cup, { slug: "tea-mug" }),
      change(shop, cup, { tags: ["tea", "blue"] }),
      shop.put(`/v2/products/${cup.productId}/variants/${cup.variantId}`, { barcode: "4006381" }),
      add(shop, cup, { title: "Large" }),
      add(shop, cup, { title: "Small" }),
    ]);

    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 200, 201, 201]);
    const product = await readProduct(shop, cup);
    expect(product.body).toMatchObject({
      description: "For tea",
      category: "Kitchen",
      metadata: { shelf: "4" },
      slug: "tea-mug",
      tags: ["tea", "blue"],
      version: 9,
    });
    expect(product.at("/variants/0/barcode")).toBe("4006381");
    const places = product.list("/variants").map((variant) => Object(variant).title);
    expect(places.map(String).toSorted()).toEqual(["Default", "Large", "Small"]);
    expect(await shop.announcedNames()).toEqual(answers.map(() => "product.updated"));
  });

  test("is changed once by requests with the same version", async () => {
    const cup = await mug(shop);
    const path = `/v2/products/${cup.productId}`;

    const answers = await atOnce(5, (index) =>
      shop.put(path, { name: `Cup ${index}` }, { headers: { "If-Match": '"1"' } }),
    );

    expect(statuses(answers)).toEqual([200, 412, 412, 412, 412]);
    expect((await readProduct(shop, cup)).at("/version")).toBe(2);
  });

  test("is found by the tags and words of the last change", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);

    await atOnce(6, (index) =>
      change(shop, cup, { tags: [`tag${index}`, "all"], description: `word${index}` }),
    );

    const product = await readProduct(shop, cup);
    const [tag] = product.list("/tags");
    const found = async (query: string) =>
      (await shop.get(`/v2/products?${query}`)).list("/data").length;
    const byTag = await atOnce(6, (index) => found(`tag=tag${index}`));
    const byWord = await atOnce(6, (index) => found(`q=word${index}`));
    expect(byTag).toEqual([0, 1, 2, 3, 4, 5].map((index) => Number(tag === `tag${index}`)));
    expect(byWord).toEqual(byTag);
    expect(await found("tag=all")).toBe(1);
  });

  test("shares no SKU and no slug that two change to at once", async () => {
    await using shop = await openTestShop();
    const goods = [await mug(shop), await kanga(shop)];

    const named = await Promise.all(
      goods.map(({ productId, variantId }) =>
        shop.put(`/v2/products/${productId}/variants/${variantId}`, { sku: "BEST" }),
      ),
    );
    const placed = await Promise.all(goods.map((one) => change(shop, one, { slug: "best" })));

    expect(statuses(named)).toEqual([200, 409]);
    expect(named.find((answer) => answer.status === 409)?.code).toBe("sku_taken");
    expect(statuses(placed)).toEqual([200, 409]);
    expect(placed.find((answer) => answer.status === 409)?.code).toBe("slug_taken");
    expect((await shop.get("/v2/inventory?sku=BEST")).list("/data")).toHaveLength(1);
  });

  test("keeps one variant when all are deleted at once", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    await add(shop, cup, { title: "Large" });
    await add(shop, cup, { title: "Small" });
    const ids = (await readProduct(shop, cup))
      .list("/variants")
      .map((variant) => Object(variant).id);

    const answers = await Promise.all(
      ids.map((id) => shop.delete(`/v2/products/${cup.productId}/variants/${id}`)),
    );

    expect(statuses(answers)).toEqual([200, 200, 409]);
    expect(answers.find((answer) => answer.status === 409)?.code).toBe("last_variant");
    expect((await readProduct(shop, cup)).list("/variants")).toHaveLength(1);
    expect((await shop.get("/v2/inventory")).list("/data")).toHaveLength(1);
  });

  test("is deleted once", async () => {
    const cup = await mug(shop);
    await shop.announced();

    const answers = await atOnce(4, () => shop.delete(`/v2/products/${cup.productId}`));

    expect(statuses(answers)).toEqual([200, 404, 404, 404]);
    expect(await shop.announcedNames()).toEqual(["product.deleted"]);
  });
});

test("a product deleted during sales is archived if it was sold, and not sold if it was deleted", async () => {
  const goods = await atOnce(12, () => mug(shop));

  const [deleted, sold] = await Promise.all([
    Promise.all(goods.map((one) => shop.delete(`/v2/products/${one.productId}`))),
    Promise.all(goods.map((one) => shop.post("/v2/orders", { line_items: [of(one)] }))),
  ]);

  expect(sold.map((answer) => answer.status)).toEqual(
    deleted.map((answer) => (answer.at("/archived") === true ? 201 : 422)),
  );
  const { read } = shop.test.database;
  expect(await Array.fromAsync(auditStock(read))).toEqual([]);
  expect(await Array.fromAsync(auditOrders(read))).toEqual([]);
});

test("a variant restocked during its deletion leaves no ledger", async () => {
  await using shop = await openTestShop();
  const goods = await atOnce(6, (index) => mug(shop, { sku: `MUG-${index}` }));
  const restock = (one: Goods) => shop.put(`/v2/inventory/${one.variantId}`, { adjust: 3 });

  const answers = await Promise.all(
    goods.flatMap((one) => [
      ...Array.from({ length: 5 }, () => restock(one)),
      shop.delete(`/v2/products/${one.productId}`),
      ...Array.from({ length: 5 }, () => restock(one)),
    ]),
  );

  expect(answers.filter((answer) => answer.status >= 500)).toEqual([]);
  expect((await shop.get("/v2/inventory")).list("/data")).toEqual([]);
  expect(await Array.fromAsync(auditStock(shop.test.database.read))).toEqual([]);
});
