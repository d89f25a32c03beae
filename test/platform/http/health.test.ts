// What the server tells its monitoring, without a key.

import { expect, test } from "bun:test";

import { engine } from "#platform/database/engine.ts";

import { of } from "../../sales/orders/counter.ts";
import { mug } from "../../support/cast.ts";
import { openTestShop } from "../../support/shop.ts";
import { unreachable } from "../../support/unreachable.ts";

test("a server that can work says that it is ready, and on what", async () => {
  await using shop = await openTestShop();

  const answer = await fetch(`${shop.url}/readyz`);

  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    status: "ready",
    engine,
    writable: true,
    stopping: false,
  });
});

test("a server says when its timers ran, will run, and whether they fail", async () => {
  await using shop = await openTestShop();
  await shop.post("/v2/orders", { line_items: [of(await mug(shop))] });

  const answer = await fetch(`${shop.url}/readyz`);

  expect(await answer.json()).toMatchObject({
    timers: expect.arrayContaining([
      {
        mode: "test",
        name: "abandon_order",
        last_run: null,
        next_run: "2026-01-05T09:00:00.000Z",
        failing: false,
      },
    ]),
  });
});

test("strangers are told that it is ready, and nothing of the shop", async () => {
  await using shop = await openTestShop();

  const answer = await fetch(`${shop.url}/readyz`, { headers: { Host: "shop.example" } });

  expect(await answer.json()).toEqual({ status: "ready", engine });
});

test("a server whose store takes no more writes is alive and not ready", async () => {
  await using shop = await openTestShop();
  await shop.live.database.close();

  const ready = await fetch(`${shop.url}/readyz`);
  const alive = await fetch(`${shop.url}/livez`);

  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ status: "not_ready", writable: false });
  expect(alive.status).toBe(200);
});

test("a server whose database cannot be read is alive and not ready", async () => {
  await using shop = await openTestShop();

  using _ = unreachable(shop.live.database);
  const ready = await fetch(`${shop.url}/readyz`);
  const alive = await fetch(`${shop.url}/livez`);

  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ status: "not_ready", writable: false, timers: [] });
  expect(alive.status).toBe(200);
});

test("health is read and nothing else", async () => {
  await using shop = await openTestShop();

  const answer = await fetch(`${shop.url}/livez`, { method: "POST" });

  expect(answer.status).toBe(405);
  expect(answer.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
});
