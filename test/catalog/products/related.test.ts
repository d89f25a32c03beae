// Related products: what is refused, who sees which, and what becomes of those that are gone.

import { expect, test } from "bun:test";

import { type Answered, sharedShop, type TestShop } from "../../support/shop.ts";

const shop = sharedShop();

const names = (page: Answered) => page.list("/data").map((one) => Object(one).name);

async function make(shop: TestShop, name: string, fields: object = {}): Promise<string> {
  return (await shop.post("/v2/products", { name, ...fields })).id;
}

test("related products are told in their order, page by page, and kept until they are replaced", async () => {
  const [cup, pot, tray] = [
    await make(shop, "Cup"),
    await make(shop, "Pot"),
    await make(shop, "Tray"),
  ];
  const mug = await make(shop, "Mug", { related_product_ids: [pot, tray, cup] });

  const changed = await shop.put(`/v2/products/${mug}`, { brand: "Jiko" });
  const all = await shop.get(`/v2/products/${mug}/related`);
  const first = await shop.get(`/v2/products/${mug}/related?limit=2`);
  const second = await shop.get(
    `/v2/products/${mug}/related?limit=2&cursor=${first.string("/next_cursor")}`,
  );
  const replaced = await shop.put(`/v2/products/${mug}`, { related_product_ids: [cup] });

  expect(changed.at("/related_product_ids")).toEqual([pot, tray, cup]);
  expect(names(all)).toEqual(["Pot", "Tray", "Cup"]);
  expect([names(first), names(second)]).toEqual([["Pot", "Tray"], ["Cup"]]);
  expect(second.at("/has_more")).toBe(false);
  expect((await shop.announced()).at(-1)).toEqual({
    event: "product.updated",
    data: replaced.body,
  });
  expect(names(await shop.get(`/v2/products/${cup}/related`))).toEqual([]);
});

test("the product itself, unknown products, the same one twice and too many are refused", async () => {
  const mug = await make(shop, "Mug");
  const unknown = "prod_00000000000000000000000000";
  const set = (ids: readonly string[]) =>
    shop.put(`/v2/products/${mug}`, { related_product_ids: ids });

  const wrong = await set([unknown, mug]);
  const fresh = await shop.post("/v2/products", { name: "Pot", related_product_ids: [unknown] });
  const twice = await set([mug, mug]);
  const many = await set(
    Array.from({ length: 21 }, (_, index) => `${unknown.slice(0, -2)}${index + 10}`),
  );

  expect(wrong.faults).toEqual([
    "#/related_product_ids/0 unknown_product",
    "#/related_product_ids/1 related_to_itself",
  ]);
  expect(fresh.faults).toEqual(["#/related_product_ids/0 unknown_product"]);
  expect(twice.faults).toEqual(["#/related_product_ids duplicate"]);
  expect(many.faults).toEqual(["#/related_product_ids too_many"]);
});

test("a storefront sees the active ones of an active product, and no ids of others", async () => {
  const key = await shop.createKey({ scopes: ["storefront"] });
  const draft = await make(shop, "Draft", { status: "draft" });
  const [cup, pot] = [await make(shop, "Cup"), await make(shop, "Pot")];
  const mug = await make(shop, "Mug", { related_product_ids: [cup, draft, pot] });
  await shop.put(`/v2/products/${draft}`, { related_product_ids: [pot] });

  const seen = await shop.get(`/v2/products/${mug}/related`, { key });
  const product = await shop.get(`/v2/products/${mug}`, { key });
  const hidden = await shop.get(`/v2/products/${draft}/related`, { key });
  const atDraft = (await shop.get(`/v2/products/${mug}/related?limit=2`)).string("/next_cursor");
  const guessed = await shop.get(`/v2/products/${mug}/related?cursor=${atDraft}`, { key });

  expect(names(seen)).toEqual(["Cup", "Pot"]);
  expect(names(guessed)).toEqual(names(seen));
  expect(product.at("/related_product_ids")).toEqual([]);
  expect(hidden.code).toBe("product_not_found");
  expect(names(await shop.get(`/v2/products/${mug}/related`))).toEqual(["Cup", "Draft", "Pot"]);
});

test("a product that was deleted is related to none, and what was told can be sent back", async () => {
  const [cup, pot] = [await make(shop, "Cup"), await make(shop, "Pot")];
  const mug = await make(shop, "Mug", { related_product_ids: [cup, pot] });
  await shop.get("/v2/products");

  await shop.delete(`/v2/products/${cup}`);
  const told = await shop.get(`/v2/products/${mug}`);
  const ids = told.at("/related_product_ids");
  const same = await shop.put(`/v2/products/${mug}`, { related_product_ids: ids });

  expect(ids).toEqual([pot]);
  expect((await shop.get("/v2/products")).at("/data/0/related_product_ids")).toEqual([pot]);
  expect(names(await shop.get(`/v2/products/${mug}/related`))).toEqual(["Pot"]);
  expect([same.status, same.at("/version")]).toEqual([200, 1]);
});
