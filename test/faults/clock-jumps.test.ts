// The machine's clock jumps, or was never right. The shop still keeps what it promised before.

import { afterEach, describe, expect, setSystemTime, test } from "bun:test";

import { auditStock } from "#catalog/inventory/audit-stock.ts";
import { auditPayments } from "#payments/reconciliation/audit-payments.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { fulfill, of, place, reread } from "../sales/orders/counter.ts";
import { pay } from "../sandbox/paying.ts";
import { each, endpoint, inbox } from "../sandbox/sending.ts";
import { mug } from "../support/cast.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { MORNING_MS, openTestShop, type TestShop } from "../support/shop.ts";
import { clockJumps, jumpWhileWaiting } from "./clock-jumps.ts";
import { briefly } from "./fault.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const jumps: readonly (readonly [string, number])[] = [
  ["an hour ahead", HOUR_MS],
  ["an hour back", -HOUR_MS],
  ["a day ahead", DAY_MS],
  ["a day back", -DAY_MS],
];

afterEach(() => {
  setSystemTime();
});

/** Sets the clock that the shop was given and the one that it reads directly. */
function jump(shop: TestShop, milliseconds: number): void {
  shop.clock.advance(milliseconds);
  setSystemTime(new Date(Date.now() + milliseconds));
}

/** The whole life of an order, until it is paid and fulfilled. */
async function sell(shop: TestShop, sku: string): Promise<unknown[]> {
  const goods = await mug(shop, { sku });
  const order = await place(shop, [of(goods)], { payment_method: "card" });
  await pay(shop, order.id, { card: "pm_card_visa" });
  await fulfill(shop, order);
  const { body } = await reread(shop, order);
  return [Object(body).status, Object(body).payment_status];
}

async function differences(shop: TestShop): Promise<unknown[]> {
  const { read } = shop.test.database;
  const found = await Promise.all(
    [auditStock, auditOrders, auditPayments].map((audit) => Array.fromAsync(audit(read))),
  );
  return found.flat();
}

test("however the clock jumps, timers and deliveries happen once and not too early", async () => {
  const { figures, broken } = await jumpWhileWaiting(briefly(clockJumps));

  expect(broken).toEqual([]);
  expect(figures).toMatchObject({ jumps: expect.any(Number), rounds: clockJumps.short.rounds });
}, 60_000);

describe("a rate window does not move with the clock", () => {
  test.each(jumps)("%s", async (_, milliseconds) => {
    await using shop = await openTestShop({ settings: { DUKA_RATE_LIMIT_PER_MINUTE: "3" } });
    await Promise.all([shop.get("/v2/store"), shop.get("/v2/store"), shop.get("/v2/store")]);

    jump(shop, milliseconds);

    expect((await shop.get("/v2/store")).status).toBe(429);
  });
});

describe("a key without expiry stays valid", () => {
  test.each(jumps)("%s", async (_, milliseconds) => {
    await using shop = await openTestShop();
    await shop.get("/v2/store");

    jump(shop, milliseconds);

    expect((await shop.get("/v2/store")).status).toBe(200);
  });
});

describe("an order can still be placed", () => {
  test.each(jumps)("%s", async (_, milliseconds) => {
    await using shop = await openTestShop();
    await sell(shop, "BEFORE");

    jump(shop, milliseconds);

    expect(await sell(shop, "AFTER")).toEqual(["completed", "paid"]);
    expect(await differences(shop)).toEqual([]);
  });
});

test("an unpaid order is cancelled once, although the clock went back and forth", async () => {
  await using shop = await openTestShop();
  const goods = await mug(shop);
  const order = await place(shop, [of(goods)], { payment_method: "gateway" });
  jump(shop, -DAY_MS);
  await shop.fireDue();
  jump(shop, DAY_MS + HOUR_MS);
  await shop.fireDue();
  const meanwhile = await reread(shop, order);

  jump(shop, DAY_MS);
  await shop.fireDue();
  jump(shop, -DAY_MS);
  await shop.fireDue();
  jump(shop, DAY_MS);
  await shop.fireDue();

  expect([meanwhile.at("/status"), (await reread(shop, order)).at("/status")]).toEqual([
    "open",
    "cancelled",
  ]);
  const cancelled = (await shop.announcedNames()).filter((name) => name === "order.cancelled");
  expect(cancelled).toHaveLength(1);
});

test("ids of the same instant, reached three times, are all different", async () => {
  await using shop = await openTestShop();
  const makeTen = () =>
    Promise.all(Array.from({ length: 10 }, async () => (await shop.post("/v2/carts")).id));

  const first = await makeTen();
  jump(shop, -DAY_MS);
  const second = await makeTen();
  jump(shop, DAY_MS);
  const third = await makeTen();

  expect(new Set([...first, ...second, ...third]).size).toBe(30);
  const sequences = (await shop.events()).map(({ sequence }) => sequence);
  expect(sequences).toEqual(sequences.map((_, at) => at + 1));
});

describe("a machine whose clock starts in 1970", () => {
  test("sells, and its figures agree after the clock is corrected", async () => {
    using folder = openScratchFolder();
    await using shop = await openTestShop({ folder });
    shop.clock.advance(-MORNING_MS);
    setSystemTime(new Date(1));
    const then = await sell(shop, "THEN");

    shop.clock.advance(MORNING_MS);
    setSystemTime();

    expect([then, await sell(shop, "NOW")]).toEqual([
      ["completed", "paid"],
      ["completed", "paid"],
    ]);
    expect(await differences(shop)).toEqual([]);
    expect((await shop.get("/v2/orders?limit=1")).at("/has_more")).toBeTrue();
  });

  test("signs deliveries that its own receiver accepts", async () => {
    await using shop = await openTestShop();
    shop.clock.advance(-MORNING_MS);
    setSystemTime(new Date(1));
    await endpoint(shop);

    await shop.post("/v2/customers", { email: "ada@example.com" });
    await shop.duka.couriers.test.settle();

    expect(each(await inbox(shop), "signature")).toEqual(["valid"]);
  });
});
