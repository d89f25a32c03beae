// Stock shared by two programs on one database is never sold twice.

import { expect, test } from "bun:test";

import { auditStock } from "#catalog/inventory/audit-stock.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { cancel, of, place } from "../../sales/orders/counter.ts";
import { atOnce, statuses } from "../../support/at-once.ts";
import { kanga, mug } from "../../support/cast.ts";
import { openPrograms } from "../../support/programs.ts";

test("two programs sell each unit once", async () => {
  await using programs = await openPrograms(2);
  const shop = programs.of(0);
  const [cup, cloth] = [await mug(shop, { stock: 20 }), await kanga(shop, { stock: 30 })];
  await shop.announced();

  const answers = await atOnce(60, (index) => {
    const lines = [of(cup), of(cloth)];
    return programs
      .of(index)
      .post("/v2/orders", { line_items: index % 4 < 2 ? lines : lines.toReversed() });
  });

  expect(statuses(answers)).toEqual([
    ...Array.from({ length: 20 }, () => 201),
    ...Array.from({ length: 40 }, () => 409),
  ]);
  const names = await shop.announcedNames();
  expect(names.filter((name) => name === "order.placed")).toHaveLength(20);
  expect(names.filter((name) => name === "inventory.low")).toHaveLength(1);
  expect(await Array.fromAsync(auditStock(shop.test.database.read))).toEqual([]);
  expect(await Array.fromAsync(auditOrders(shop.test.database.read))).toEqual([]);
});

test("counts, sales and cancellations at two programs leave a level that the ledger explains", async () => {
  await using programs = await openPrograms(2);
  const shop = programs.of(0);
  const cup = await mug(shop, { stock: 100 });
  const orders = await atOnce(10, () => place(shop, [of(cup)]));

  const answers = await Promise.all([
    ...orders.map((order, index) => cancel(programs.of(index), order)),
    atOnce(10, (index) => place(programs.of(index), [of(cup, 2)])),
    atOnce(10, (index) =>
      programs.of(index).put(`/v2/inventory/${cup.variantId}`, { adjust: index }),
    ),
  ]);

  expect(answers).toHaveLength(12);
  const level = await shop.get(`/v2/inventory/${cup.variantId}`);
  expect(level.body).toMatchObject({ on_hand: 145, reserved: 20 });
  expect(await Array.fromAsync(auditStock(shop.test.database.read))).toEqual([]);
  expect(await Array.fromAsync(auditOrders(shop.test.database.read))).toEqual([]);
});
