// What idempotency keys were answered is forgotten in time, and not before.

import { expect, test } from "bun:test";

import { pruneAnswersJob } from "#platform/http/calls/prune-answers.ts";

import { openTestShop } from "../../support/shop.ts";

const HOUR_MS = 3_600_000;
const once = { headers: { "Idempotency-Key": "once" } };

test("an answer is given again while it is kept", async () => {
  await using shop = await openTestShop();
  await shop.post("/v2/customers", { email: "ada@example.com" }, once);
  const soon = { now: () => Date.now() + 95 * HOUR_MS };

  await pruneAnswersJob({
    databases: [shop.test.database],
    clock: soon,
    keptMs: 96 * HOUR_MS,
  }).run();

  const again = await shop.post("/v2/customers", { email: "ada@example.com" }, once);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
});

test("a key that is forgotten stands for a new request", async () => {
  await using shop = await openTestShop();
  await shop.post("/v2/customers", { email: "ada@example.com" }, once);
  const later = { now: () => Date.now() + 97 * HOUR_MS };

  await pruneAnswersJob({
    databases: [shop.test.database],
    clock: later,
    keptMs: 96 * HOUR_MS,
  }).run();

  const again = await shop.post("/v2/customers", { email: "ada@example.com" }, once);
  expect(again.code).toBe("customer_exists");
});

test("an answer to a publishable key is kept for a day at most", async () => {
  await using shop = await openTestShop();
  const customer = { email: "ada@example.com" };
  const asked = { ...once, key: await shop.createKey({ scopes: ["storefront"] }) };
  const mine = await shop.post("/v2/customers", { email: "efua@example.com" }, once);
  await shop.post("/v2/customers", customer, asked);
  const replayed = async () =>
    (await shop.post("/v2/customers", customer, asked)).headers.get("idempotent-replayed");
  const pruneAfter = (hours: number) =>
    pruneAnswersJob({
      databases: [shop.test.database],
      clock: { now: () => Date.now() + hours * HOUR_MS },
      keptMs: 96 * HOUR_MS,
    }).run();

  await pruneAfter(23);
  expect(await replayed()).toBe("true");
  await pruneAfter(25);
  expect(await replayed()).toBeNull();
  const again = await shop.post("/v2/customers", { email: "efua@example.com" }, once);
  expect(again.text).toBe(mine.text);
});

test("more answers than one batch holds are all forgotten", async () => {
  await using shop = await openTestShop();
  const keys = Array.from({ length: 501 }, (_, index) => `key-${index}`);
  await Promise.all(
    keys.map((key) => shop.put("/v2/store", {}, { headers: { "Idempotency-Key": key } })),
  );
  const later = { now: () => Date.now() + HOUR_MS };

  await pruneAnswersJob({ databases: [shop.test.database], clock: later, keptMs: 0 }).run();

  const first = await shop.put("/v2/store", {}, { headers: { "Idempotency-Key": "key-0" } });
  expect(first.headers.has("idempotent-replayed")).toBe(false);
});
