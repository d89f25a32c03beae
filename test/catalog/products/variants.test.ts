// Variants over HTTP, and the lookup that orders use.

import { describe, expect, test } from "bun:test";

import { findSellableVariants } from "#catalog/products/lookups.ts";
import { markSold } from "#catalog/products/save-product.ts";
import { isId } from "#kernel/id.ts";

import { type Answered, sharedShop, type TestShop } from "../../support/shop.ts";

const shop = sharedShop();

function idOf(product: Answered, index: number) {
  const id = product.string(`/variants/${index}/id`);
  if (!isId("variant", id)) throw new Error(`${id} is no variant`);
  return id;
}

/** A shirt in two sizes, whose SKUs no other one has. */
async function makeShirt() {
  const number = shop.nextNumber();
  const skus = { small: `S-${number}`, medium: `M-${number}`, large: `L-${number}` };
  const prices = [{ currency: "GHS", amount: 20 }];
  const product = await shop.post("/v2/products", {
    name: "Shirt",
    options: [{ name: "size", values: ["S", "M", "L"] }],
    variants: [
      { sku: skus.small, options: { size: "S" }, prices, stock: 9 },
      { sku: skus.medium, options: { size: "M" } },
    ],
  });
  await shop.announced();
  return { product, path: `/v2/products/${product.id}/variants`, skus };
}

async function titles(shop: TestShop, product: Answered): Promise<unknown[]> {
  const now = await shop.get(`/v2/products/${product.id}`);
  return now.list("/variants").map((_, index) => now.at(`/variants/${index}/title`));
}

describe("a variant", () => {
  test("is appended to the others, and product.updated is emitted", async () => {
    const { product, path, skus } = await makeShirt();

    const added = await shop.post(path, { sku: skus.large, options: { size: "L" }, stock: 8 });

    expect(added.status).toBe(201);
    expect(added.headers.get("location")).toBe(`${path}/${added.id}`);
    expect(added.body).toMatchObject({ title: "L", product_id: product.id, available: 8 });
    expect(await titles(shop, product)).toEqual(["S", "M", "L"]);
    const after = await shop.get(`/v2/products/${product.id}`);
    expect(after.at("/version")).toBe(2);
    expect(await shop.announced()).toContainEqual({ event: "product.updated", data: after.body });
  });

  test("that is new tells the settings of its stock, also those that were not given", async () => {
    const { path } = await makeShirt();
    const stock = { tracked: true, backorder: "deny", low_stock_threshold: 5 };

    const plain = await shop.post(path, { options: { size: "L" } });
    const own = await shop.post(path, { backorder: "allow", low_stock_threshold: 3 });

    expect(plain.body).toMatchObject(stock);
    expect(own.body).toMatchObject({ ...stock, backorder: "allow", low_stock_threshold: 3 });
    expect((await shop.get(`/v2/inventory/${own.id}`)).body).toMatchObject({
      backorder: own.at("/backorder"),
      low_stock_threshold: own.at("/low_stock_threshold"),
      tracked: own.at("/tracked"),
    });
  });

  test("is refused with the options or SKU of another, or unknown fields", async () => {
    const { path, skus } = await makeShirt();

    const options = await shop.post(path, { options: { size: "S" } });
    const sku = await shop.post(path, { sku: skus.medium });
    const field = await shop.post(path, { stok: 5 });

    expect(options.faults).toEqual(["#/options duplicate"]);
    expect(sku.code).toBe("sku_taken");
    expect(field.faults).toEqual(["#/stok unknown_field"]);
    expect(await shop.announcedNames()).toEqual([]);
  });

  test("is not added to an outdated version of the product", async () => {
    const { path, skus } = await makeShirt();

    const refused = await shop.post(path, { sku: skus.large }, { headers: { "If-Match": '"2"' } });

    expect(refused.code).toBe("stale_version");
  });

  test("can be read", async () => {
    const { product, path } = await makeShirt();
    const other = await shop.post("/v2/products", { name: "Mug" });

    const read = await shop.get(`${path}/${idOf(product, 0)}`);
    const foreign = await shop.get(`${path}/${idOf(other, 0)}`);

    expect(read.body).toEqual(product.at("/variants/0"));
    expect(foreign.code).toBe("variant_not_found");
  });

  test("changes the given fields, and its derived title follows its options", async () => {
    const { product, path } = await makeShirt();

    const changed = await shop.put(`${path}/${idOf(product, 0)}`, {
      sku: "LARGE",
      options: { size: "L" },
      prices: [{ currency: "USD", amount: "3.5", compare_at: 4 }],
    });

    expect(changed.body).toEqual({
      ...Object(product.at("/variants/0")),
      sku: "LARGE",
      title: "L",
      options: { size: "L" },
      prices: [
        { currency: "USD", amount: 3.5, amount_minor: 350, compare_at: 4, compare_at_minor: 400 },
      ],
    });
    const level = await shop.get(`/v2/inventory/${idOf(product, 0)}`);
    expect(level.at("/sku")).toBe("LARGE");
    expect(await shop.announcedNames()).toEqual(["product.updated"]);
    expect((await shop.get("/v2/products?q=large")).list("/data")).toHaveLength(1);
  });

  test("has a derived title that follows the order of the options, and a given one that stays", async () => {
    const size = { name: "size", values: ["S", "M"] };
    const color = { name: "color", values: ["red", "blue"] };
    const product = await shop.post("/v2/products", {
      name: "Shirt",
      options: [size, color],
      variants: [
        { options: { size: "M", color: "red" } },
        { options: { size: "S", color: "red" }, title: "Small red" },
      ],
    });

    await shop.put(`/v2/products/${product.id}`, { options: [color, size] });
    const reordered = await titles(shop, product);
    const path = `/v2/products/${product.id}/variants/${idOf(product, 0)}`;
    await shop.put(path, { options: { size: "M", color: "blue" } });

    expect(reordered).toEqual(["red / M", "Small red"]);
    expect(await titles(shop, product)).toEqual(["blue / M", "Small red"]);
  });

  test("changed to the same values emits nothing", async () => {
    const { product, path, skus } = await makeShirt();

    const same = await shop.put(`${path}/${idOf(product, 0)}`, {
      sku: skus.small,
      options: { size: "S" },
    });

    expect(same.body).toEqual(product.at("/variants/0"));
    expect((await shop.get(`/v2/products/${product.id}`)).at("/version")).toBe(1);
    expect(await shop.announcedNames()).toEqual([]);
  });

  test("cannot take the SKU of another, and its stock is changed by the inventory only", async () => {
    const { product, path, skus } = await makeShirt();

    const taken = await shop.put(`${path}/${idOf(product, 0)}`, { sku: skus.medium });
    const stock = await shop.put(`${path}/${idOf(product, 0)}`, { stock: 5 });

    expect(taken.body).toMatchObject({ code: "sku_taken", existing_id: idOf(product, 1) });
    expect(stock.faults).toEqual(["#/stock unknown_field"]);
    expect(await shop.announcedNames()).toEqual([]);
  });

  test("that was never sold is removed with its stock", async () => {
    const { product, path } = await makeShirt();

    const deleted = await shop.delete(`${path}/${idOf(product, 0)}`);

    expect(deleted.body).toEqual({ id: idOf(product, 0), deleted: true, archived: false });
    expect(await titles(shop, product)).toEqual(["M"]);
    expect((await shop.get(`/v2/inventory/${idOf(product, 0)}`)).status).toBe(404);
    expect(await shop.announcedNames()).toEqual(["product.updated"]);
  });

  test("that was sold is archived, keeps its stock and frees its SKU", async () => {
    const { product, path, skus } = await makeShirt();
    await shop.test.database.write((tx) => markSold(tx, [idOf(product, 0)]));

    const deleted = await shop.delete(`${path}/${idOf(product, 0)}`);

    expect(deleted.body).toEqual({ id: idOf(product, 0), deleted: false, archived: true });
    expect((await shop.get(`${path}/${idOf(product, 0)}`)).status).toBe(404);
    expect((await shop.get(`/v2/inventory/${idOf(product, 0)}`)).at("/on_hand")).toBe(9);
    expect((await shop.post(path, { sku: skus.small, options: { size: "S" } })).status).toBe(201);
  });

  test("cannot be deleted if it is the last", async () => {
    const { product, path } = await makeShirt();
    await shop.delete(`${path}/${idOf(product, 0)}`);

    const refused = await shop.delete(`${path}/${idOf(product, 1)}`);

    expect(refused.status).toBe(409);
    expect(refused.code).toBe("last_variant");
  });
});

describe("the lookup of variants for orders", () => {
  test("returns name, prices and whether each is for sale", async () => {
    const { product, skus } = await makeShirt();
    const mug = await shop.post("/v2/products", { name: "Mug", price: 5, currency: "GHS" });
    const draft = await shop.post("/v2/products", { name: "Plan", status: "draft" });
    await shop.test.database.write((tx) => markSold(tx, [idOf(mug, 0)]));

    const found = await findSellableVariants(shop.test.database.read, [
      idOf(product, 0),
      idOf(mug, 0),
      idOf(draft, 0),
    ]);

    expect(found.get(idOf(product, 0))).toMatchObject({
      sku: skus.small,
      name: "Shirt – S",
      isForSale: true,
      prices: [{ currency: "GHS", amountMinor: 2000, compareAtMinor: null }],
      wasSold: false,
      weightGrams: null,
      requiresShipping: true,
    });
    expect(found.get(idOf(mug, 0))).toMatchObject({ name: "Mug", isForSale: true, wasSold: true });
    expect(found.get(idOf(draft, 0))).toMatchObject({ isForSale: false, prices: [] });
  });

  test("returns an archived variant as not for sale", async () => {
    const { product, path } = await makeShirt();
    await shop.test.database.write((tx) => markSold(tx, [idOf(product, 0)]));
    await shop.delete(`${path}/${idOf(product, 0)}`);

    const found = await findSellableVariants(shop.test.database.read, [idOf(product, 0)]);

    expect(found.get(idOf(product, 0))?.isForSale).toBe(false);
  });

  test("omits variants that do not exist", async () => {
    const { product, path } = await makeShirt();
    await shop.delete(`${path}/${idOf(product, 0)}`);

    expect(await findSellableVariants(shop.test.database.read, [idOf(product, 0)])).toEqual(
      new Map(),
    );
    expect(await findSellableVariants(shop.test.database.read, [])).toEqual(new Map());
  });
});
