// Products over HTTP: creating, changing and deleting them, and the events of each.

import { describe, expect, test } from "bun:test";

import { markSold } from "#catalog/products/save-product.ts";
import { isId } from "#kernel/id.ts";

import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";

const shop = sharedShop();

const shirt = {
  name: "Wax Print Shirt",
  description: "Cut in Kumasi.",
  category: "tops",
  brand: "Kente & Co",
  seo: { title: "Wax print shirts from Kumasi" },
  tags: ["cotton", "new"],
  images: [{ url: "https://cdn.example/shirt.jpg" }],
  options: [{ name: "size", values: ["S", "M"] }],
  variants: [
    {
      sku: "SHIRT-S",
      barcode: "6001000000017",
      options: { size: "S" },
      prices: [
        { currency: "GHS", amount: 249.5, compare_at: "300" },
        { currency: "UGX", amount: 49500 },
      ],
      weight_grams: 180,
      stock: 10,
    },
    {
      options: { size: "M" },
      title: "Medium",
      tracked: false,
      requires_shipping: false,
      metadata: { bin: 7 },
    },
  ],
  metadata: { season: "rain" },
};

/** The shirt with a SKU of its own in a shared shop. */
function shirtOf(shop: TestShop) {
  const number = shop.nextNumber();
  const [small, medium] = shirt.variants;
  const sku = number === null ? "SHIRT-S" : `SHIRT-S-${number}`;
  return { ...shirt, variants: [{ ...small, sku }, medium] };
}

async function markAllSold(shop: TestShop, product: { list(pointer: string): readonly unknown[] }) {
  const ids = product.list("/variants").map((one) => String(Reflect.get(Object(one), "id")));
  await shop.test.database.write((tx) =>
    markSold(
      tx,
      ids.filter((id) => isId("variant", id)),
    ),
  );
}

describe("creating a product", () => {
  test("returns the record and its location", async () => {
    await using shop = await openTestShop();
    const made = await shop.post("/v2/products", shirtOf(shop));

    expect(made.status).toBe(201);
    expect(made.headers.get("location")).toBe(`/v2/products/${made.id}`);
    expect(made.headers.get("etag")).toStartWith('"1.');
    expect(made.text).toContain('"amount":249.50,"amount_minor":24950,"compare_at":300.00');
    expect(made.body).toEqual({
      id: made.id,
      name: "Wax Print Shirt",
      slug: "wax-print-shirt",
      description: "Cut in Kumasi.",
      status: "active",
      category: "tops",
      tags: ["cotton", "new"],
      images: [
        {
          url: "https://cdn.example/shirt.jpg",
          alt: "",
          media_id: null,
          width: null,
          height: null,
          placeholder: null,
          sizes: [],
        },
      ],
      options: [{ name: "size", values: ["S", "M"] }],
      variants: [
        {
          id: made.string("/variants/0/id"),
          product_id: made.id,
          sku: "SHIRT-S",
          barcode: "6001000000017",
          title: "S",
          options: { size: "S" },
          prices: [
            {
              currency: "GHS",
              amount: 249.5,
              amount_minor: 24950,
              compare_at: 300,
              compare_at_minor: 30000,
            },
            {
              currency: "UGX",
              amount: 49500,
              amount_minor: 49500,
              compare_at: null,
              compare_at_minor: null,
            },
          ],
          weight_grams: 180,
          requires_shipping: true,
          image: null,
          available: 10,
          in_stock: true,
          metadata: {},
        },
        {
          id: made.string("/variants/1/id"),
          product_id: made.id,
          sku: null,
          barcode: null,
          title: "Medium",
          options: { size: "M" },
          prices: [],
          weight_grams: null,
          requires_shipping: false,
          image: null,
          available: null,
          in_stock: true,
          metadata: { bin: 7 },
        },
      ],
      metadata: { season: "rain" },
      tax_class: "standard",
      brand: "Kente & Co",
      seo: { title: "Wax print shirts from Kumasi", description: null },
      related_product_ids: [],
      version: 1,
      created_at: "2026-01-05T08:00:00.000Z",
      updated_at: "2026-01-05T08:00:00.000Z",
    });
  });

  test("emits product.created with the product as returned", async () => {
    await using shop = await openTestShop();

    const made = await shop.post("/v2/products", shirt);

    expect((await shop.announced()).at(-1)).toEqual({ event: "product.created", data: made.body });
    expect((await shop.events()).at(-1)?.data).toContain('"amount":249.50');
  });

  test("accepts the short form, in the shop's currency", async () => {
    await using shop = await openTestShop();
    await shop.put("/v2/store", { currency: "KES" });

    const made = await shop.post("/v2/products", {
      name: "Mug",
      price: "12",
      sku: "MUG",
      stock: 5,
    });

    expect(made.list("/variants")).toHaveLength(1);
    expect(made.at("/variants/0/prices")).toEqual([
      { currency: "KES", amount: 12, amount_minor: 1200, compare_at: null, compare_at_minor: null },
    ]);
    expect(made.at("/variants/0/sku")).toBe("MUG");
    expect(made.at("/variants/0/title")).toBe("Default");
    expect(made.at("/variants/0/available")).toBe(5);
  });

  test("validates a price in the shop's currency", async () => {
    const refused = await shop.post("/v2/products", { name: "Mug", price: 12.505 });

    expect(refused.status).toBe(422);
    expect(refused.faults).toEqual(["#/price amount_precision"]);
    expect(await shop.announcedNames()).toEqual([]);
  });

  test("opens the stock of each variant", async () => {
    const made = await shop.post("/v2/products", shirtOf(shop));

    const level = await shop.get(`/v2/inventory/${made.string("/variants/0/id")}`);

    expect(level.body).toMatchObject({
      product_id: made.id,
      sku: made.at("/variants/0/sku"),
      on_hand: 10,
    });
  });

  test("numbers the slugs of equal names, and refuses a requested slug that is taken", async () => {
    await using shop = await openTestShop();
    const slug = async () => (await shop.post("/v2/products", { name: "Mug" })).at("/slug");
    const slugs = [await slug(), await slug(), await slug(), await slug(), await slug()];

    const refused = await shop.post("/v2/products", { name: "Cup", slug: "mug-3" });

    expect(slugs).toEqual(["mug", "mug-2", "mug-3", "mug-4", "mug-5"]);
    expect(refused.status).toBe(409);
    expect(refused.code).toBe("slug_taken");
  });

  test("with the SKU of another variant is refused with its id and writes nothing", async () => {
    await using shop = await openTestShop();
    const made = await shop.post("/v2/products", shirt);
    await shop.announced();

    const refused = await shop.post("/v2/products", {
      name: "Mug",
      variants: [{ sku: "MUG" }, { sku: "SHIRT-S" }],
    });

    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      code: "sku_taken",
      sku: "SHIRT-S",
      existing_id: made.at("/variants/0/id"),
    });
    expect((await shop.get("/v2/products?sku=MUG")).list("/data")).toEqual([]);
    expect(await shop.announcedNames()).toEqual([]);
  });

  test("is refused with all faults of the body at once", async () => {
    const refused = await shop.post("/v2/products", {
      name: " ",
      slug: "Not A Slug",
      stock: -1,
      colour: "red",
      tags: ["a", "a"],
      variants: [{ options: { size: 5 }, prices: [{ currency: "UGX", amount: 0.5 }] }],
    });

    expect(refused.status).toBe(422);
    expect(refused.faults.toSorted()).toEqual([
      "#/colour unknown_field",
      "#/name too_short",
      "#/slug invalid_format",
      "#/stock too_small",
      "#/tags duplicate",
      "#/variants/0/options/size wrong_type",
      "#/variants/0/prices/0/amount amount_precision",
    ]);
  });

  test("is refused for faults between its parts", async () => {
    const refused = await shop.post("/v2/products", {
      name: "Shirt",
      sku: "SHIRT",
      options: [{ name: "size", values: ["S"] }],
      variants: [{ options: { size: "XL" }, sku: "A" }, { sku: "A" }],
    });

    expect(refused.faults.toSorted()).toEqual([
      "#/sku mixed_forms",
      "#/variants/0/options/size invalid_choice",
      "#/variants/1/sku duplicate",
    ]);
  });
});

describe("changing a product", () => {
  test("replaces the given fields, keeps the rest and emits product.updated", async () => {
    await using shop = await openTestShop();
    const made = await shop.post("/v2/products", shirt);
    await shop.announced();
    shop.clock.advance(1000);

    const changed = await shop.put(`/v2/products/${made.id}`, { name: "Shirt", category: null });

    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({
      ...Object(made.body),
      name: "Shirt",
      category: null,
      version: 2,
      updated_at: "2026-01-05T08:00:01.000Z",
    });
    expect((await shop.get(`/v2/products/${made.id}`)).body).toEqual(changed.body);
    expect(await shop.announced()).toEqual([{ event: "product.updated", data: changed.body }]);
  });

  test("to the same values changes and emits nothing", async () => {
    const made = await shop.post("/v2/products", shirtOf(shop));
    await shop.announced();

    const { name, tags, options, metadata } = shirt;
    const same = await shop.put(`/v2/products/${made.id}`, { name, tags, options, metadata });

    expect(same.body).toEqual(made.body);
    expect(await shop.announcedNames()).toEqual([]);
  });

  test("of an outdated version is refused", async () => {
    const made = await shop.post("/v2/products", shirtOf(shop));
    const etag = made.headers.get("etag") ?? "";
    const headers = { "If-Match": etag };

    const first = await shop.put(`/v2/products/${made.id}`, { name: "One" }, { headers });
    const second = await shop.put(`/v2/products/${made.id}`, { name: "Two" }, { headers });

    expect(first.status).toBe(200);
    expect(second.status).toBe(412);
    expect(second.body).toMatchObject({ code: "stale_version", current_version: 2 });
  });

  test("of its price sets the price of the only variant and keeps those in other currencies", async () => {
    const prices = [{ amount: 12.5 }, { currency: "GHS", amount: 90, compare_at: 100 }];
    const made = await shop.post("/v2/products", { name: "Mug", variants: [{ prices }] });
    await shop.announced();

    await shop.put(`/v2/products/${made.id}`, { price: 14 });
    const changed = await shop.put(`/v2/products/${made.id}`, { price: "95.00", currency: "GHS" });

    expect(changed.at("/variants/0/prices")).toMatchObject([
      { currency: "USD", amount: 14, compare_at: null },
      { currency: "GHS", amount: 95, compare_at: 100 },
    ]);
    expect(changed.at("/version")).toBe(3);
    expect(await shop.announcedNames()).toEqual(["product.updated", "product.updated"]);
  });

  test.each<[string, object, string]>([
    ["with a currency alone", { currency: "GHS" }, "#/price required"],
    ["of a price with too many digits", { price: 1.005 }, "#/price amount_precision"],
    ["of a price above the former price", { price: 21 }, "#/price compare_at_too_low"],
  ])("%s is refused", async (_, change, fault) => {
    const variants = [{ prices: [{ amount: 15, compare_at: 20 }] }];
    const made = await shop.post("/v2/products", { name: "Mug", variants });

    const refused = await shop.put(`/v2/products/${made.id}`, change);

    expect([refused.status, refused.faults]).toEqual([422, [fault]]);
    expect((await shop.get(`/v2/products/${made.id}`)).body).toEqual(made.body);
  });

  test("of the price of several variants is refused", async () => {
    const made = await shop.post("/v2/products", shirtOf(shop));

    const refused = await shop.put(`/v2/products/${made.id}`, { price: 5 });

    expect([refused.status, refused.faults]).toEqual([422, ["#/price mixed_forms"]]);
  });

  test("to archived emits product.archived once", async () => {
    const made = await shop.post("/v2/products", shirtOf(shop));
    await shop.announced();

    await shop.put(`/v2/products/${made.id}`, { status: "archived" });
    await shop.put(`/v2/products/${made.id}`, { description: "Gone." });
    await shop.put(`/v2/products/${made.id}`, { status: "active" });

    expect(await shop.announcedNames()).toEqual([
      "product.archived",
      "product.updated",
      "product.updated",
    ]);
  });

  test("cannot take another's slug or an option a variant has", async () => {
    await using shop = await openTestShop();
    await shop.post("/v2/products", { name: "Mug" });
    const made = await shop.post("/v2/products", shirt);
    await shop.announced();

    const slug = await shop.put(`/v2/products/${made.id}`, { slug: "mug" });
    const options = await shop.put(`/v2/products/${made.id}`, { options: [] });
    const variants = await shop.put(`/v2/products/${made.id}`, { variants: [] });

    expect(slug.code).toBe("slug_taken");
    expect(options.faults).toEqual(["#/options option_in_use"]);
    expect(variants.faults).toEqual(["#/variants unknown_field"]);
    expect(await shop.announcedNames()).toEqual([]);
  });

  test("updates what it is found by", async () => {
    await using shop = await openTestShop();
    const made = await shop.post("/v2/products", shirt);

    await shop.put(`/v2/products/${made.id}`, { name: "Kente", tags: ["silk"], slug: "kente" });

    const found = async (query: string) =>
      (await shop.get(`/v2/products?${query}`)).list("/data").length;
    expect([await found("q=kente"), await found("tag=silk")]).toEqual([1, 1]);
    expect([await found("q=wax"), await found("tag=cotton")]).toEqual([0, 0]);
  });
});

describe("deleting a product", () => {
  test("that was never sold removes it with its stock", async () => {
    await using shop = await openTestShop();
    const made = await shop.post("/v2/products", shirt);
    await shop.announced();

    const deleted = await shop.delete(`/v2/products/${made.id}`);

    expect(deleted.body).toEqual({ id: made.id, deleted: true, archived: false });
    expect((await shop.get(`/v2/products/${made.id}`)).code).toBe("product_not_found");
    expect((await shop.get("/v2/inventory")).list("/data")).toEqual([]);
    expect((await shop.get("/v2/products?q=shirt")).list("/data")).toEqual([]);
    expect((await shop.get("/v2/products?tag=cotton")).list("/data")).toEqual([]);
    expect(await shop.announced()).toEqual([{ event: "product.deleted", data: made.body }]);
    expect((await shop.post("/v2/products", shirt)).at("/slug")).toBe("wax-print-shirt");
  });

  test("that was sold archives it and emits one event", async () => {
    const made = await shop.post("/v2/products", shirtOf(shop));
    await markAllSold(shop, made);
    await shop.announced();

    const first = await shop.delete(`/v2/products/${made.id}`);
    const second = await shop.delete(`/v2/products/${made.id}`);

    expect(first.body).toEqual({ id: made.id, deleted: false, archived: true });
    expect(second.body).toEqual(first.body);
    expect((await shop.get(`/v2/products/${made.id}`)).at("/status")).toBe("archived");
    expect(await shop.announcedNames()).toEqual(["product.archived"]);
  });

  test("of an outdated version is refused", async () => {
    const made = await shop.post("/v2/products", shirtOf(shop));

    const refused = await shop.delete(`/v2/products/${made.id}`, {
      headers: { "If-Match": '"9"' },
    });

    expect(refused.status).toBe(412);
    expect((await shop.get(`/v2/products/${made.id}`)).status).toBe(200);
  });
});
