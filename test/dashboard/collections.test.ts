// Collections at the dashboard: made, arranged and deleted through forms, without a script.

import { expect, test } from "bun:test";

import { kanga, mug } from "../support/cast.ts";
import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";

const HOME = "/dashboard/test/products/collections";

async function names({ shop }: DashboardShop, id: string): Promise<unknown[]> {
  const page = await shop.get(`/v2/collections/${id}/products`);
  return page.list("/data").map((one) => Object(one).name);
}

test("a collection is made, filled, arranged and deleted", async () => {
  await using dashboard = await openDashboard();
  const { shop, owner } = dashboard;
  const [{ productId: cup }, { productId: cloth }] = [await mug(shop), await kanga(shop)];
  expect((await owner.get(HOME)).text).toContain("No collections yet");
  const form = (await owner.get(`${HOME}/new`)).field("form");

  const made = await owner.sendAndFollow(`${HOME}/new/make`, {
    form,
    "/title": "Gifts",
    "/kind": "picked",
    "/rule/category": "",
  });
  const [id = ""] = (await shop.get("/v2/collections")).list("/data").map((one) => Object(one).id);
  const page = `${HOME}/${id}`;
  expect(made.text).toContain("No product was picked yet");
  for (const product of [cup, cloth]) await owner.send(`${page}/add`, { "@product_id": product });
  const moved = await owner.send(`${page}/move?q=ka`, { product: cloth, to: "up" });
  const arranged = await names(dashboard, id);
  await owner.send(`${page}/take`, { "@product_id": cup });

  expect(moved.location).toBe(`${page}?q=ka&done=changed`);
  expect(arranged).toEqual(["Kanga", "Mug"]);
  expect(await names(dashboard, id)).toEqual(["Kanga"]);
  const product = await owner.get(`/dashboard/test/products/${cloth}`);
  expect(product.text).toContain("In collections Gifts");
  const sure = await owner.get(`${page}/delete`);
  const gone = await owner.sendAndFollow(`${page}/delete/go`, { version: sure.field("version") });
  expect(gone.text).toContain("No collections yet");
});

test("a rule is changed and undone, and one that names nothing is refused", async () => {
  await using dashboard = await openDashboard();
  const { shop, owner } = dashboard;
  await mug(shop, { brand: "Jiko" });
  const rule = { brand: "Jiko" };
  const { id } = await shop.post("/v2/collections", { title: "Jiko", rule });
  const fields = { version: "1", "/title": "Jiko", "/rule/tags/": "[]" };

  const refused = await owner.send(`${HOME}/${id}/save`, { ...fields, "/rule/brand": "" });
  const saved = await owner.sendAndFollow(`${HOME}/${id}/save`, {
    ...fields,
    "/rule/brand": "Jiko",
    "/rule/q": "pot",
  });

  expect(refused.text).toContain("Name a category, a tag, a brand or words");
  expect(saved.text).toContain("No product fits the rule yet.");
  expect(saved.text).toContain("Undo");
});

test("a discount is made for some collections", async () => {
  await using dashboard = await openDashboard();
  const { shop, owner } = dashboard;
  const { id } = await shop.post("/v2/collections", { title: "Gifts" });
  const path = "/dashboard/test/settings/discounts/new";
  const form = (await owner.get(path)).field("form");

  const made = await owner.sendAndFollow(`${path}/make`, {
    form,
    "/title": "Gift week",
    "/target": "lines",
    "/percent": "10",
    "/scope/collection_ids/0": id,
  });

  expect(made.text).toContain("Only for: Gifts");
  const discounts = await shop.get("/v2/discounts");
  expect(discounts.at("/data/0/scope/collection_ids")).toEqual([id]);
});
