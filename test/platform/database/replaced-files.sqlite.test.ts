// A running server notices that its files were taken away, and acknowledges nothing that would be lost.

import { expect, test } from "bun:test";
import { copyFileSync, renameSync, rmSync } from "node:fs";

import { openScratchFolder } from "../../support/scratch.ts";
import { openTestShop } from "../../support/shop.ts";

const mug = { name: "Mug", price: 12.5 };

test("a shop whose data directory was deleted is not ready and takes no order", async () => {
  await using shop = await openTestShop();

  rmSync(shop.folder.path, { recursive: true });

  const refused = await shop.post("/v2/products", mug);
  const readiness = await fetch(`${shop.url}/readyz`);
  expect([refused.status, refused.code]).toEqual([503, "storage_unavailable"]);
  expect(readiness.status).toBe(503);
  expect((await shop.get("/v2/products")).list("/data")).toEqual([]);
});

test("a shop whose live database was deleted is not ready", async () => {
  await using shop = await openTestShop();

  rmSync(shop.folder.file("live.sqlite"));

  expect((await fetch(`${shop.url}/readyz`)).status).toBe(503);
});

test("a shop whose log was deleted takes no order", async () => {
  await using shop = await openTestShop();

  rmSync(shop.folder.file("test.sqlite-wal"));

  expect((await shop.post("/v2/products", mug)).code).toBe("storage_unavailable");
});

test.each(["test.sqlite", "test.sqlite-wal"])(
  "a shop in which a copy stands in place of %s takes no order",
  async (name) => {
    await using shop = await openTestShop();
    const file = shop.folder.file(name);
    copyFileSync(file, `${file}-copy`);

    renameSync(`${file}-copy`, file);

    expect((await shop.post("/v2/products", mug)).code).toBe("storage_unavailable");
  },
);

test("a shop whose directory was moved and moved back takes orders again", async () => {
  using home = openScratchFolder();
  await using shop = await openTestShop({ folder: home });
  const away = `${home.path}-away`;
  renameSync(home.path, away);
  const refused = await shop.post("/v2/products", mug);

  renameSync(away, home.path);

  expect(refused.status).toBe(503);
  expect((await shop.post("/v2/products", mug)).status).toBe(201);
  expect((await fetch(`${shop.url}/readyz`)).status).toBe(200);
});
