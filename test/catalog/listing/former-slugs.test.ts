// A product is found by the slugs that it had before, so that a storefront can lead on to its address.

import { expect, test } from "bun:test";

import { rowsBehind } from "../../support/behind-the-shop.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";

const shop = sharedShop();

/** The slugs of the products that are found by one. */
async function foundBy(shop: TestShop, slug: string, key = shop.key): Promise<unknown[]> {
  const page = await shop.get(`/v2/products?slug=${slug}`, { key });
  return page.list("/data").map((one) => Object(one).slug);
}

/** These slugs with a number that no other test has. */
function slugsOf<const Words extends readonly string[]>(...words: Words) {
  const number = shop.nextNumber();
  return words.map((word) => `${word}-${number}`) as { readonly [Place in keyof Words]: string };
}

async function renamed(shop: TestShop, ...slugs: readonly string[]): Promise<string> {
  const [first, ...later] = slugs;
  const { id } = await shop.post("/v2/products", { name: "Mug", slug: first });
  for (const slug of later) await shop.put(`/v2/products/${id}`, { slug });
  return id;
}

test("every former slug leads to the current one", async () => {
  const [mug, cup, beaker] = slugsOf("mug", "cup", "beaker");
  await renamed(shop, mug, cup, beaker);

  expect(await foundBy(shop, mug)).toEqual([beaker]);
  expect(await foundBy(shop, cup)).toEqual([beaker]);
  expect(await foundBy(shop, beaker)).toEqual([beaker]);
});

test("a product that has the slug now comes before one that had it", async () => {
  const [mug, cup] = slugsOf("mug", "cup");
  await renamed(shop, mug, cup);
  await renamed(shop, mug);

  expect(await foundBy(shop, mug)).toEqual([mug]);
  expect(await foundBy(shop, cup)).toEqual([cup]);
});

test("a slug that two products had leads to the one that had it last", async () => {
  const [mug, cup, beaker] = slugsOf("mug", "cup", "beaker");
  await renamed(shop, mug, cup);
  await renamed(shop, mug, beaker);

  expect(await foundBy(shop, mug)).toEqual([beaker]);
});

test("a product that takes back its slug is found by both", async () => {
  const [mug, cup] = slugsOf("mug", "cup");
  await renamed(shop, mug, cup, mug);

  expect(await foundBy(shop, mug)).toEqual([mug]);
  expect(await foundBy(shop, cup)).toEqual([mug]);
});

test("a storefront is not led to a draft", async () => {
  const [mug, cup] = slugsOf("mug", "cup");
  const key = await shop.createKey({ scopes: ["storefront"] });
  const id = await renamed(shop, mug, cup);

  expect(await foundBy(shop, mug, key)).toEqual([cup]);
  await shop.put(`/v2/products/${id}`, { status: "draft" });
  expect(await foundBy(shop, mug, key)).toEqual([]);
});

test("the former slugs of a deleted product are gone with it", async () => {
  await using shop = await openTestShop();
  const id = await renamed(shop, "mug", "cup");

  await shop.delete(`/v2/products/${id}`);

  expect(await foundBy(shop, "mug")).toEqual([]);
  await shop.duka.stop();
  expect(await rowsBehind(shop.folder.path, "SELECT slug FROM product_slugs")).toEqual([]);
});
