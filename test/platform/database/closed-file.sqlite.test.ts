// A database file is closed for a moment, between two commits, and goes on with what stands there then.

import { expect, test } from "bun:test";
import { copyFileSync } from "node:fs";

import { replaceText } from "#platform/database/sqlite/replace-text.ts";

import { openTestShop, type TestShop } from "../../support/shop.ts";

function whileClosed({ test: { database } }: TestShop, work: (path: string) => void) {
  if (database.whileClosed === undefined) throw new Error("The shop is in no file.");
  return database.whileClosed(work);
}

async function namesOf(shop: TestShop): Promise<string[]> {
  const products = await shop.get("/v2/products");
  return products.list("/data").map((_, index) => products.string(`/data/${index}/name`));
}

function sell(shop: TestShop, name: string) {
  return shop.post("/v2/products", { name, price: 12.5 });
}

test("a copy of the closed file has everything that was answered", async () => {
  await using shop = await openTestShop();
  await sell(shop, "Mug");
  const copy = shop.folder.file("copy.sqlite");

  await whileClosed(shop, (path) => copyFileSync(path, copy));
  await sell(shop, "Bowl");
  await whileClosed(shop, (path) => copyFileSync(copy, path));

  expect(await namesOf(shop)).toEqual(["Mug"]);
});

test("writes that come together with the work are all answered and kept", async () => {
  await using shop = await openTestShop();
  const names = Array.from({ length: 10 }, (_, index) => `Mug ${index}`);

  const sold = names.map((name) => sell(shop, name));
  const worked = [1, 2, 3].map(() => whileClosed(shop, () => {}));
  const statuses = (await Promise.all(sold)).map(({ status }) => status);
  await Promise.all(worked);

  expect(statuses).toEqual(names.map(() => 201));
  expect((await namesOf(shop)).toSorted()).toEqual(names);
  expect((await shop.events()).map(({ sequence }) => sequence)).toEqual(
    names.map((_, index) => index + 1),
  );
});

test("work that fails leaves a shop that sells", async () => {
  await using shop = await openTestShop();
  await sell(shop, "Mug");

  const failed = await whileClosed(shop, () => {
    throw new Error("The disk is full.");
  }).catch((error: unknown) => error);
  const sold = await sell(shop, "Bowl");

  expect(failed).toEqual(new Error("The disk is full."));
  expect(sold.status).toBe(201);
  expect((await fetch(`${shop.url}/readyz`)).status).toBe(200);
});

test("a text is replaced wherever it stands, and nothing else", async () => {
  await using shop = await openTestShop();
  const image = "http://one.example/mug.svg";
  await shop.post("/v2/products", {
    name: "Mug",
    price: 8,
    images: [{ url: image, alt: "A mug" }],
  });
  await sell(shop, "one.example");

  await whileClosed(shop, (path) =>
    replaceText(path, "http://one.example", "http://another.example:4000"),
  );
  const products = await shop.get("/v2/products");
  const [created] = await shop.events();

  expect(products.text).toContain("http://another.example:4000/mug.svg");
  expect(products.text).not.toContain(image);
  expect(created?.data).toContain("http://another.example:4000/mug.svg");
  expect(await namesOf(shop)).toContain("one.example");
});
