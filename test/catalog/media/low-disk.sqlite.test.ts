// The disk of a shop in files is kept for orders: it takes no picture below its reserve, in live mode neither.

import { expect, test } from "bun:test";

import { picture } from "../../support/pictures.ts";
import { openTestShop } from "../../support/shop.ts";

test("no picture is taken where the disk has only what is kept for live orders", async () => {
  await using shop = await openTestShop({ readDisk: () => ({ free: 100, total: 1_000_000_000 }) });
  const key = await shop.createKey({ mode: "live" });

  const refused = await shop.send("POST", "/v2/media", {
    text: Uint8Array.from(await picture("png")),
    headers: { "Content-Type": "image/png" },
    key,
  });

  expect([refused.status, refused.code]).toEqual([503, "storage_low"]);
});
