// What merchants give up of amounts due: counted when it happens, apart from sales.

import { describe, expect, test } from "bun:test";

import { rebuildAnalytics } from "#analytics/projection/project-events.ts";
import { auditAnalytics } from "#analytics/summary/audit-analytics.ts";

import { fulfill } from "../sales/orders/counter.ts";
import { mug } from "../support/cast.ts";
import { type Answered, openTestShop, type TestShop } from "../support/shop.ts";
import { moneyOf, order, summary, takeCash } from "./counter.ts";

const HOUR_MS = 3_600_000;

/** A mug at 12.50 that was sent to be paid in cash, with 3.00 for its way. */
async function sent(shop: TestShop): Promise<Answered> {
  const { variantId } = await mug(shop);
  const placed = await order(shop, variantId, { shipping: { label: "Motorbike", amount: 3 } });
  await fulfill(shop, placed);
  return placed;
}

function writeOff(shop: TestShop, { id }: Answered, amount: number): Promise<Answered> {
  return shop.post(`/v2/orders/${id}/write-off`, { amount });
}

async function writtenOff(shop: TestShop, query = ""): Promise<unknown> {
  return (await summary(shop, query)).at("/currencies/0/revenue/written_off_minor");
}

/** The amounts that the events of orders wrote off. */
async function announced(shop: TestShop): Promise<unknown[]> {
  return (await shop.announced())
    .filter(({ event }) => event === "order.updated")
    .map(({ data }) => Object(data).written_off)
    .filter((amount) => amount !== 0);
}

describe("a write-off", () => {
  test("is a figure of its own: the sale is what was sold", async () => {
    await using shop = await openTestShop();
    const placed = await sent(shop);
    await writeOff(shop, placed, 5);

    await takeCash(shop, placed, 10.5);

    const answer = await summary(shop);
    expect(moneyOf(answer)).toMatchObject({
      gross: 1_250,
      net: 1_250,
      shipping: 300,
      total: 1_550,
    });
    expect(answer.at("/currencies/0/revenue/written_off")).toBe(5);
    expect(await announced(shop)).toEqual([5]);
  });

  test("is taken back by late money at the time when that arrives", async () => {
    await using shop = await openTestShop();
    const placed = await sent(shop);
    const cash = { order_id: placed.id, method: "cash_on_delivery" };
    const attempt = await shop.post("/v2/payments/initialize", cash);
    await writeOff(shop, placed, 15.5);
    shop.clock.advance(HOUR_MS);

    const confirmed = { amount: 12, currency: "USD" };
    await shop.post(`/v2/payments/${attempt.id}/confirm`, confirmed);

    expect(await announced(shop)).toEqual([15.5, -12]);
    const [before, after] = ["from=2026-01-05T08:00:00Z&to=2026-01-05T09:00:00Z", ""];
    expect([await writtenOff(shop, before), await writtenOff(shop, after)]).toEqual([1_550, 350]);
  });

  test("of a parcel that was refused at the door is counted, shipping included", async () => {
    await using shop = await openTestShop();
    const placed = await sent(shop);

    await shop.post(`/v2/orders/${placed.id}/returns`, {
      line_items: [{ line_item_id: placed.string("/line_items/0/id"), quantity: 1 }],
      restock: true,
    });

    expect(await announced(shop)).toEqual([3]);
    expect(await writtenOff(shop)).toBe(300);
  });

  test("is taken back by goods that come back", async () => {
    await using shop = await openTestShop();
    const placed = await sent(shop);
    await writeOff(shop, placed, 15.5);

    await shop.post(`/v2/orders/${placed.id}/returns`, {
      line_items: [{ line_item_id: placed.string("/line_items/0/id"), quantity: 1 }],
      restock: true,
    });

    expect(await announced(shop)).toEqual([15.5, -12.5]);
    expect(await writtenOff(shop)).toBe(300);
  });

  test("is the same figure after analytics are rebuilt", async () => {
    await using shop = await openTestShop();
    await writeOff(shop, await sent(shop), 5);
    const before = await writtenOff(shop);

    await rebuildAnalytics(shop.test.database);

    expect([before, await writtenOff(shop)]).toEqual([500, 500]);
    expect(await Array.fromAsync(auditAnalytics(shop.test.database.read))).toEqual([]);
  });
});
