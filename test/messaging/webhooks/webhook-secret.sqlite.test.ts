// Where the database is files of the data directory, no file of it tells a secret.

import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";

import { openTestShop } from "../../support/shop.ts";
import { openEndpoint } from "./endpoints.ts";

test("a secret stands in no file, where the address of its endpoint stands", async () => {
  await using shop = await openTestShop();
  const { secret } = await openEndpoint(shop);
  const address = (await shop.get("/v2/webhooks")).string("/data/0/url");

  const files = readdirSync(shop.folder.path, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileSync(shop.folder.file(name)));

  const bytes = Buffer.from(secret.slice("whsec_".length), "base64");
  expect(files.some((file) => file.includes(address))).toBeTrue();
  expect(files.some((file) => file.includes(secret.slice("whsec_".length)))).toBeFalse();
  expect(files.some((file) => file.includes(bytes))).toBeFalse();
});
