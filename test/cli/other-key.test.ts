// A start with another key than the one that the shop was opened with.

import { expect, test } from "bun:test";

import { OtherKey } from "#platform/vault/other-key.ts";

import { abandonedCart, tokenOf } from "../sales/carts/basket.ts";
import { of } from "../sales/orders/counter.ts";
import { mug } from "../support/cast.ts";
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
