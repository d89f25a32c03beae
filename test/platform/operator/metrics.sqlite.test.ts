// What is measured of the files of the embedded engine.

import { expect, test } from "bun:test";

import { openTestShop } from "../../support/shop.ts";

test("the metrics have the size of the write-ahead log", async () => {
  await using shop = await openTestShop();
  await shop.post("/v2/customers", { email: "ada@example.com" });

  const told = await (await fetch(`${shop.url}/metrics`)).text();

  expect(told).toMatch(/^duka_wal_bytes\{mode="test"\} [1-9]\d*$/m);
});
