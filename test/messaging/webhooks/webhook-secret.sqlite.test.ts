// On SQLite, no file of the data directory contains a secret.

import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";

import { openTestShop } from "../../support/shop.ts";
import { openEndpoint } from "./endpoints.ts";

test("no file contains a secret, although the endpoint's URL is in one", async () => {
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
