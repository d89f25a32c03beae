// A start with another key than the one that the shop was opened with.

import { expect, test } from "bun:test";

import { requireOwnKey } from "#open-shops.ts";
import { openSnapshot } from "#platform/database/open-database.ts";
import { openVault, OtherKey, type Vault, vaultWith } from "#platform/vault/vault.ts";

import { abandonedCart, tokenOf } from "../sales/carts/basket.ts";
import { of } from "../sales/orders/counter.ts";
import { tamper } from "../support/behind-the-shop.ts";
import { mug } from "../support/cast.ts";
import { databasePlace } from "../support/postgres-databases.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { openTestShop } from "../support/shop.ts";

test("is refused, and earlier links are valid once the key is back", async () => {
  using folder = openScratchFolder();
  const [own, other] = [1, 2].map((byte) => ({
    DUKA_SECRET_KEY: Buffer.alloc(32, byte).toString("base64"),
  }));
  const before = await openTestShop({ folder, settings: { ...own } });
  const cart = await abandonedCart(before, [of(await mug(before))]);
  const token = tokenOf(cart.string("/recovery_url"));
  await before[Symbol.asyncDispose]();

  const refused = await openTestShop({ folder, settings: { ...other } }).catch(
    (error: unknown) => error,
  );

  await using shop = await openTestShop({ folder, settings: { ...own } });
  const recovered = await shop.post("/v2/carts/recover", { token }, { key: before.key });
  expect(refused).toBeInstanceOf(OtherKey);
  expect(recovered.status).toBe(200);
});

test("is told by the secrets of webhooks where an earlier version saved that of links in the clear", async () => {
  using folder = openScratchFolder();
  await using shop = await openTestShop({ folder });
  await shop.post("/v2/webhooks", { url: "https://shop.example/hooks", events: ["*"] });
  await tamper(folder.path, "UPDATE cart_recovery SET secret = 'in the clear'");
  const place = await databasePlace(folder.path);
  const ask = async (vault: Vault) => {
    await using snapshot = await openSnapshot("test", place, vault);
    await requireOwnKey(snapshot.reader);
  };

  const refused = await ask(vaultWith([Buffer.alloc(32, 1)], [])).catch((error: unknown) => error);

  expect(refused).toBeInstanceOf(OtherKey);
  await ask(openVault(folder.path, null));
});
