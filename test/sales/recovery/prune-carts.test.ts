// Carts that nobody comes back to are deleted; those of known customers are kept as long as they are open.

import { expect, test } from "bun:test";

import { pruneCarts } from "#sales/recovery/prune-carts.ts";

import { openTestShop, type TestShop } from "../../support/shop.ts";

const DAY_SECONDS = 86_400;

async function cart(shop: TestShop, body: object = {}): Promise<string> {
  return (await shop.post("/v2/carts", body)).id;
}

async function statuses(shop: TestShop, ids: readonly string[]): Promise<number[]> {
  const answers = await Promise.all(ids.map((id) => shop.get(`/v2/carts/${id}`)));
  return answers.map(({ status }) => status);
}

test("a cart is deleted 30 days after it expired", async () => {
  await using shop = await openTestShop();
  const id = await cart(shop, { email: "ada@example.com" });
  await shop.post("/v2/test/clock/advance", { seconds: 30 * DAY_SECONDS });
  expect((await shop.get(`/v2/carts/${id}`)).at("/status")).toBe("expired");

  await shop.post("/v2/test/clock/advance", { seconds: 30 * DAY_SECONDS - 1 });
  await pruneCarts(shop.test);
  const before = await statuses(shop, [id]);
  await shop.post("/v2/test/clock/advance", { seconds: 2 });
  await pruneCarts(shop.test);

  expect([...before, ...(await statuses(shop, [id]))]).toEqual([200, 404]);
});

test("beyond the bound the oldest open carts without a contact are deleted, with their timers", async () => {
  await using shop = await openTestShop();
  const oldest = await cart(shop);
  const known = await cart(shop, { email: "ada@example.com" });
  const older = await cart(shop);
  const newest = await cart(shop);

  await pruneCarts(shop.test, 2);

  expect(await statuses(shop, [oldest, known, older, newest])).toEqual([404, 200, 404, 200]);
  const timers = await shop.get("/v2/test/timers?limit=100");
  expect(timers.text).toContain(newest);
  expect(timers.text).not.toContain(oldest);
  expect(await shop.announced()).toEqual([]);
});

test("open carts within the bound are kept", async () => {
  await using shop = await openTestShop();
  const ids = [await cart(shop), await cart(shop)];

  await pruneCarts(shop.test, 2);

  expect(await statuses(shop, ids)).toEqual([200, 200]);
});
