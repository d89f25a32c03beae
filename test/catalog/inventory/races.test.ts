// Concurrent changes of stock: each sees the result of the one before, and the ledger
// explains every level.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { auditStock } from "#catalog/inventory/audit-stock.ts";
import type { Difference } from "#kernel/difference.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { cancel, fulfill, of, place } from "../../sales/orders/counter.ts";
import { atOnce, statuses } from "../../support/at-once.ts";
import { type Goods, kanga, mug } from "../../support/cast.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";

const shop = sharedShop();

function set(shop: TestShop, goods: Goods, body: object): Promise<Answered> {
  return shop.put(`/v2/inventory/${goods.variantId}`, body);
}

function buy(shop: TestShop, ...lines: readonly object[]): Promise<Answered> {
  return shop.post("/v2/orders", { line_items: lines });
}

function level(shop: TestShop, goods: Goods): Promise<Answered> {
  return shop.get(`/v2/inventory/${goods.variantId}`);
}

async function differences(shop: TestShop): Promise<Difference[]> {
  const { read } = shop.test.database;
  return [
    ...(await Array.fromAsync(auditStock(read))),
    ...(await Array.fromAsync(auditOrders(read))),
  ];
}

describe("a level", () => {
  test("includes all adjustments made at once", async () => {
    const cup = await mug(shop);

    const answers = await atOnce(12, (index) =>
      set(shop, cup, { adjust: index % 3 === 0 ? -1 : 1 }),
    );

    expect(statuses(answers)).toEqual(Array.from({ length: 12 }, () => 200));
    expect((await level(shop, cup)).body).toMatchObject({ on_hand: 14, version: 13 });
    expect(await differences(shop)).toEqual([]);
  });

  test("counted during sales keeps the reservations", async () => {
    const cup = await mug(shop, { stock: 50 });

    const [sold] = await Promise.all([
      atOnce(10, () => buy(shop, of(cup, 2))),
      atOnce(10, (index) => set(shop, cup, { on_hand: 40 + index })),
    ]);

    expect(statuses(sold)).toEqual(Array.from({ length: 10 }, () => 201));
    expect((await level(shop, cup)).body).toMatchObject({ reserved: 20, version: 11 });
    expect(await differences(shop)).toEqual([]);
  });

  test("is changed once by requests that expect the same count, and the others are refused", async () => {
    const cup = await mug(shop);

    const answers = await atOnce(5, () => set(shop, cup, { adjust: -3, expected: 10 }));

    expect(statuses(answers)).toEqual([200, 409, 409, 409, 409]);
    const refused = answers.find((answer) => answer.status === 409);
    expect(refused?.body).toMatchObject({ code: "stale_stock", on_hand: 7 });
    expect((await level(shop, cup)).at("/on_hand")).toBe(7);
  });

  test("is changed once by requests with the same version", async () => {
    const cup = await mug(shop);
    const path = `/v2/inventory/${cup.variantId}`;

    const answers = await atOnce(4, (index) =>
      shop.put(path, { low_stock_threshold: index }, { headers: { "If-Match": '"1"' } }),
    );

    expect(statuses(answers)).toEqual([200, 412, 412, 412]);
    expect((await level(shop, cup)).at("/version")).toBe(2);
  });

  test("never becomes negative through adjustments made at once", async () => {
    const cup = await mug(shop);

    const answers = await atOnce(8, () => set(shop, cup, { adjust: -3 }));

    expect(statuses(answers)).toEqual([200, 200, 200, 409, 409, 409, 409, 409]);
    expect((await level(shop, cup)).at("/on_hand")).toBe(1);
    expect(await differences(shop)).toEqual([]);
  });

  test("no longer tracked is still explained by the ledger while orders ship", async () => {
    const cup = await mug(shop, { stock: 20 });
    const orders = await atOnce(6, () => place(shop, [of(cup)]));

    await Promise.all([
      ...orders.map((order) => fulfill(shop, order)),
      set(shop, cup, { tracked: false }),
      set(shop, cup, { on_hand: 30 }),
    ]);

    expect((await level(shop, cup)).at("/reserved")).toBe(0);
    expect(await differences(shop)).toEqual([]);
  });
});

test("many orders at once emit inventory.low once, before the order that crossed the threshold", async () => {
  const cup = await mug(shop, { stock: 12 });
  await shop.announced();

  await atOnce(11, () => buy(shop, of(cup)));

  const events = await shop.announced();
  const names = events.map(({ event }) => event);
  const warned = names.indexOf("inventory.low");
  expect(names.filter((name) => name === "inventory.low")).toHaveLength(1);
  expect(names[warned + 1]).toBe("order.placed");
  expect(events[warned]?.data).toMatchObject({ available: 4, threshold: 5 });
  expect(names.slice(0, warned).filter((name) => name === "order.placed")).toHaveLength(7);
});

test("inventory.low is emitted at every crossing of the threshold", async () => {
  const cup = await mug(shop, { stock: 5 });
  await shop.announced();

  await Promise.all([
    atOnce(6, () => set(shop, cup, { adjust: -1 })),
    atOnce(6, () => set(shop, cup, { adjust: 1 })),
  ]);

  const movements = await shop.get(`/v2/inventory/${cup.variantId}/movements?limit=100`);
  const falls = movements
    .list("/data")
    .map((row) => Object(row))
    .filter((row) => row.balance.on_hand === 4 && row.delta_on_hand === -1);
  expect(await shop.announcedNames()).toEqual(falls.map(() => "inventory.low"));
  expect(await differences(shop)).toEqual([]);
});

test("batches at once with rows in different order are all applied", async () => {
  await using shop = await openTestShop();
  const goods = await Promise.all(
    Array.from({ length: 8 }, (_, index) => mug(shop, { sku: `MUG-${index}` })),
  );
  const rows = goods.map(({ variantId }) => ({ variant_id: variantId, adjust: 1 }));

  const answers = await atOnce(8, (index) =>
    shop.post("/v2/inventory/batch", { rows: index % 2 === 0 ? rows : rows.toReversed() }),
  );

  expect(statuses(answers)).toEqual(Array.from({ length: 8 }, () => 200));
  expect(answers[1]?.list("/results").map((result) => Object(result).variant_id)).toEqual(
    rows.map((row) => row.variant_id).toReversed(),
  );
  const levels = (await shop.get("/v2/inventory?limit=100")).list("/data");
  expect(levels.map((row) => Object(row).on_hand)).toEqual(goods.map(() => 18));
  expect(await differences(shop)).toEqual([]);
});

test("orders and cancellations at once leave the units of open orders reserved", async () => {
  const cup = await mug(shop, { stock: 10 });
  const placed = await atOnce(10, () => place(shop, [of(cup)]));

  const [again] = await Promise.all([
    atOnce(10, () => buy(shop, of(cup))),
    ...placed.slice(0, 5).map((order) => cancel(shop, order)),
  ]);

  const open = 5 + again.filter((answer) => answer.status === 201).length;
  expect(open).toBeLessThanOrEqual(10);
  expect((await level(shop, cup)).body).toMatchObject({ on_hand: 10, reserved: open });
  expect(await differences(shop)).toEqual([]);
});

const wishes = fc.array(
  fc.record({ cups: fc.nat({ max: 3 }), cloths: fc.nat({ max: 3 }), turned: fc.boolean() }),
  { minLength: 2, maxLength: 20 },
);

function linesOf(
  { cups, cloths, turned }: { cups: number; cloths: number; turned: boolean },
  [cup, cloth]: readonly [Goods, Goods],
): object[] {
  const lines = [of(cup, cups), of(cloth, cloths)].filter(({ quantity }) => quantity > 0);
  return turned ? lines.toReversed() : lines;
}

test("orders at once never sell more than there is, and the ledger explains every unit", async () => {
  const goods = [await mug(shop), await kanga(shop)] as const;

  await fc.assert(
    fc.asyncProperty(wishes, async (buyers) => {
      await Promise.all(goods.map((one, index) => set(shop, one, { adjust: 3 + index })));
      const before = await Promise.all(goods.map((one) => level(shop, one)));

      const answers = await Promise.all(buyers.map((buyer) => buy(shop, ...linesOf(buyer, goods))));

      const sold = answers
        .filter((answer) => answer.status === 201)
        .flatMap((answer) => answer.list("/line_items"))
        .map((line) => Object(line));
      const after = await Promise.all(goods.map((one) => level(shop, one)));
      const left = after.map((one) => one.number("/available"));
      const taken = goods.map(({ variantId }) =>
        sold
          .filter((line) => line.variant_id === variantId)
          .reduce((units, line) => units + Number(line.quantity), 0),
      );
      expect(left).toEqual(before.map((one, at) => one.number("/available") - (taken[at] ?? 0)));
      expect(Math.min(...left)).toBeGreaterThanOrEqual(0);
      expect(await differences(shop)).toEqual([]);
    }),
    { numRuns: 10 },
  );
}, 120_000);
