// Collections over HTTP: what is announced of them, who sees them, and what is refused.

import { describe, expect, test } from "bun:test";

import { auditCollections } from "#catalog/collections/audit-collections.ts";

import { tamper } from "../../support/behind-the-shop.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";

const shop = sharedShop();

const make = (shop: TestShop, body: object) => shop.post("/v2/collections", body);
const titles = (page: Answered) => page.list("/data").map((one) => Object(one).title);

describe("a collection", () => {
  test("is created, changed and deleted, each with an event", async () => {
    const made = await make(shop, { title: "Café cups" });
    const changed = await shop.put(`/v2/collections/${made.id}`, {
      image: { url: "https://example.com/cups.jpg" },
      seo: { title: "Cups" },
    });
    await shop.put(`/v2/collections/${made.id}`, { seo: { title: "Cups" } });
    const gone = await shop.delete(`/v2/collections/${made.id}`);

    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      slug: "cafe-cups",
      rule: null,
      sort: "position",
      published: true,
      version: 1,
    });
    expect(changed.body).toMatchObject({
      image: { url: "https://example.com/cups.jpg", alt: "" },
      seo: { title: "Cups", description: null },
      version: 2,
    });
    expect(gone.status).toBe(204);
    expect(await shop.announced()).toEqual([
      { event: "collection.created", data: made.body },
      { event: "collection.updated", data: changed.body },
      { event: "collection.deleted", data: changed.body },
    ]);
  });

  test("has a slug of its own, and is found by its former ones", async () => {
    const { id } = await make(shop, { title: "Sale" });
    const second = await make(shop, { title: "Sale" });
    const taken = await make(shop, { title: "Sale", slug: "sale" });

    await shop.put(`/v2/collections/${id}`, { slug: "summer-sale" });
    const former = await shop.get("/v2/collections?slug=sale");
    const renamed = await shop.put(`/v2/collections/${second.id}`, { slug: "summer-sale" });

    expect(second.at("/slug")).toBe("sale-2");
    expect([taken.code, renamed.code]).toEqual(["collection_slug_taken", "collection_slug_taken"]);
    expect(former.at("/data/0/slug")).toBe("summer-sale");
  });

  test("is refused with all its faults", async () => {
    const parent_id = "col_00000000000000000000000000";

    const empty = await make(shop, { title: "All", rule: {}, sort: "position", parent_id });
    const { id } = await make(shop, { title: "Cups" });
    const turned = await shop.put(`/v2/collections/${id}`, { rule: { brand: "Jiko" } });
    const below = await shop.put(`/v2/collections/${id}`, { parent_id: id });
    const stale = await shop.put(
      `/v2/collections/${id}`,
      { title: "Mugs" },
      { headers: { "If-Match": '"7"' } },
    );

    expect(empty.faults).toEqual([
      "#/rule rule_empty",
      "#/sort conflicting_fields",
      "#/parent_id unknown_collection",
    ]);
    expect(turned.faults).toEqual(["#/rule rule_kept"]);
    expect(below.faults).toEqual(["#/parent_id collection_levels"]);
    expect(stale.code).toBe("stale_version");
  });

  test("stands in three levels at most, and moves up when the one above it is deleted", async () => {
    const ids: string[] = [];
    for (const title of ["Home", "Kitchen", "Cups"]) {
      const above = ids.at(-1);
      ids.push((await make(shop, { title, ...(above && { parent_id: above }) })).id);
    }
    const [home = "", kitchen = "", cups = ""] = ids;

    const fourth = await make(shop, { title: "Mugs", parent_id: cups });
    const circle = await shop.put(`/v2/collections/${home}`, { parent_id: cups });
    const lower = await make(shop, { title: "House" });
    const pushed = await shop.put(`/v2/collections/${home}`, { parent_id: lower.id });
    await shop.delete(`/v2/collections/${kitchen}`);

    expect([fourth, circle, pushed].map(({ faults }) => faults)).toEqual([
      ["#/parent_id collection_levels"],
      ["#/parent_id collection_levels"],
      ["#/parent_id collection_levels"],
    ]);
    expect(titles(await shop.get(`/v2/collections?parent_id=${home}`))).toEqual(["Cups"]);
    expect(
      await shop.test.database.readTogether((db) => Array.fromAsync(auditCollections(db))),
    ).toEqual([]);
  });
});

describe("a storefront", () => {
  test("is not told of a parent that is not published", async () => {
    await using shop = await openTestShop();
    const key = await shop.createKey({ scopes: ["storefront"] });
    const parent = await make(shop, { title: "Next year", published: false });
    const { id } = await make(shop, { title: "Cups", parent_id: parent.id });
    const parents = async (options = {}) => {
      const [one, page] = [
        await shop.get(`/v2/collections/${id}`, options),
        await shop.get("/v2/collections", options),
      ];
      return [one.at("/parent_id"), page.at("/data/0/parent_id")];
    };

    const hidden = await parents({ key });
    const ofMerchant = await parents();
    await shop.put(`/v2/collections/${parent.id}`, { published: true });

    expect(hidden).toEqual([null, null]);
    expect(ofMerchant).toEqual([parent.id, parent.id]);
    expect(await shop.get(`/v2/collections/${id}`, { key })).toMatchObject({
      body: { parent_id: parent.id },
    });
  });

  test("sees published collections and their active products alone, and no rule", async () => {
    await using shop = await openTestShop();
    const key = await shop.createKey({ scopes: ["storefront"] });
    for (const status of ["active", "draft", "archived"]) {
      await shop.post("/v2/products", { name: status, status, brand: "Jiko" });
    }
    const open = await make(shop, { title: "Jiko", rule: { brand: "Jiko" } });
    const hidden = await make(shop, { title: "Next", published: false, slug: "next" });
    await shop.put(`/v2/collections/${hidden.id}`, { slug: "next-year" });
    const get = (path: string) => shop.get(`/v2/collections${path}`, { key });

    const page = await get("");
    const refused = [await get(`/${hidden.id}`), await get(`/${hidden.id}/products`)];
    const members = await get(`/${open.id}/products`);
    const drafts = await get(`/${open.id}/products?status=draft`);

    expect(titles(page)).toEqual(["Jiko"]);
    expect(page.at("/data/0/rule")).toBeNull();
    expect(refused.map(({ code }) => code)).toEqual([
      "collection_not_found",
      "collection_not_found",
    ]);
    for (const query of ["?slug=next-year", "?slug=next", "?published=false"]) {
      expect(titles(await get(query))).not.toContain("Next");
    }
    expect(members.list("/data").map((one) => Object(one).name)).toEqual(["active"]);
    expect(drafts.list("/data")).toEqual([]);
    const written = await shop.post("/v2/collections", { title: "Mine" }, { key });
    expect(written.code).toBe("scope_missing");
  });
});

test("a collection below a missing one, and a rule with picked products, are differences", async () => {
  await using shop = await openTestShop();
  const { id: productId } = await shop.post("/v2/products", { name: "Mug" });
  const { id: subject } = await make(shop, { title: "Jiko", rule: { brand: "Jiko" } });
  const lost = "col_00000000000000000000000000";
  await shop.duka.stop();
  await tamper(
    shop.folder.path,
    `UPDATE collections SET parent_id = '${lost}'`,
    `INSERT INTO collection_products (collection_id, position, product_id) VALUES ('${subject}', 0, '${productId}')`,
  );

  await using again = await openTestShop({ folder: shop.folder });
  const found = await again.test.database.readTogether((db) =>
    Array.fromAsync(auditCollections(db)),
  );

  expect(found).toEqual([
    { subject, what: "parent", expected: "a collection", found: lost },
    { subject, what: "picked products", expected: "at most 0", found: 1 },
  ]);
});
