// Two hundred people want the last one. One of them gets it, the others are told so, and nothing
// else happened.

import { expect, test } from "bun:test";

import { auditStock } from "#catalog/inventory/audit-stock.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { kanga, mug } from "../support/cast.ts";
import { openTestShop } from "../support/shop.ts";

const BUYERS = 200;

test("the last unit is sold to one of two hundred buyers", async () => {
  await using shop = await openTestShop();
  const last = await mug(shop, { stock: 1 });
  await shop.announced();

  const answers = await Promise.all(
    Array.from({ length: BUYERS }, (_, buyer) =>
      shop.post(
        "/v2/orders",
        { line_items: [{ variant_id: last.variantId, quantity: 1 }] },
        { headers: { "Idempotency-Key": `buyer-${buyer}` } },
      ),
    ),
  );

  const sold = answers.filter((answer) => answer.status === 201);
  const told = answers.filter((answer) => answer.status === 409);
  expect([sold.length, told.length]).toEqual([1, BUYERS - 1]);
  expect(new Set(told.map((answer) => answer.code))).toEqual(new Set(["insufficient_stock"]));
  expect(told[0]?.at("/items")).toEqual([
    { variant_id: last.variantId, requested: 1, available: 0 },
  ]);
  expect(sold[0]?.at("/number")).toBe(1001);
  const level = await shop.get(`/v2/inventory/${last.variantId}`);
  expect(level.body).toMatchObject({ on_hand: 1, reserved: 1, available: 0 });
  expect((await shop.get("/v2/orders")).list("/data")).toHaveLength(1);
  const events = await shop.announcedNames();
  expect(events.filter((name) => name === "order.placed")).toHaveLength(1);
});

test("buyers who want two things in turn take exactly what there is of both", async () => {
  await using shop = await openTestShop();
  const [cup, cloth] = [await mug(shop, { stock: 20 }), await kanga(shop, { stock: 30 })];

  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, buyer) => {
      const lines = [
        { variant_id: cup.variantId, quantity: 1 },
        { variant_id: cloth.variantId, quantity: 1 },
      ];
      return shop.post("/v2/orders", {
        line_items: buyer % 3 === 0 ? lines.slice(1) : buyer % 3 === 1 ? lines : lines.toReversed(),
      });
    }),
  );

  const sold = answers.filter((answer) => answer.status === 201);
  const units = sold.flatMap((answer) =>
    answer.list("/line_items").map((line) => Object(line).sku),
  );
  const levels = (await shop.get("/v2/inventory")).list("/data").map((level) => Object(level));
  expect(levels.every((level) => level.available >= 0)).toBe(true);
  expect(Object.fromEntries(levels.map((level) => [level.sku, level.reserved]))).toEqual({
    MUG: units.filter((sku) => sku === "MUG").length,
    KANGA: units.filter((sku) => sku === "KANGA").length,
  });
  expect(levels.find((level) => level.sku === "KANGA")?.available).toBe(0);
  expect(await Array.fromAsync(auditStock(shop.test.database.read))).toEqual([]);
  expect(await Array.fromAsync(auditOrders(shop.test.database.read))).toEqual([]);
});
