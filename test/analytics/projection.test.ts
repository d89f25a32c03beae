// The projection: each event counts once, even across crashes, and it can be rebuilt.

import { describe, expect, setDefaultTimeout, test } from "bun:test";

import fc from "fast-check";

import {
  projectEvents,
  rebuildAnalytics,
  salesProjection,
} from "#analytics/projection/project-events.ts";
import { medianSeconds, stepOf } from "#analytics/seconds.ts";
import { auditAnalytics } from "#analytics/summary/audit-analytics.ts";
import { openBlocks } from "#analytics/summary/blocks.ts";
import type { Shop } from "#platform/database/shop.ts";
import { CatchUp, type CaughtUp } from "#platform/event-log/catch-up.ts";

import { tamper } from "../support/behind-the-shop.ts";
import { mug } from "../support/cast.ts";
import { errorOf } from "../support/database.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { sale, summary } from "./counter.ts";

setDefaultTimeout(60_000);

/** This many sales of a new variant. */
async function sales(shop: TestShop, count: number): Promise<void> {
  const { variantId } = await mug(shop, { sku: null, stock: 1_000 });
  await Promise.all(Array.from({ length: count }, () => sale(shop, variantId)));
}

/** How far the figures are behind the log; without time nothing is counted. */
function backlogOf({ database }: Shop): Promise<CaughtUp> {
  return new CatchUp(database, async () => salesProjection).run(0);
}

/** Resolves when the background has counted every event. */
async function counted(shop: TestShop): Promise<void> {
  await until(
    async () => (await backlogOf(shop.test)).behind === 0,
    "The background did not count every event.",
  );
}

describe("counting", () => {
  test("runs in the background", async () => {
    await using shop = await openTestShop();

    await sales(shop, 3);

    await counted(shop);
    expect(await Array.fromAsync(auditAnalytics(shop.test.database.read))).toEqual([]);
  });

  test("that fails before its commit changes neither sums nor cursor", async () => {
    await using shop = await openTestShop();
    await sales(shop, 3);
    const { database } = shop.test;
    await counted(shop);
    await rebuildAnalytics(database);
    const before = await summary(shop);
    const { sequence } = await backlogOf(shop.test);
    await shop.post("/v2/orders", {
      line_items: [{ variant_id: (await mug(shop, { sku: "M2" })).variantId, quantity: 1 }],
    });

    const failed = database.write(async (tx) => {
      await projectEvents(tx);
      throw new Error("The power went.");
    });

    expect((await errorOf(failed))?.message).toBe("The power went.");
    expect((await backlogOf(shop.test)).sequence).toBe(sequence);
    const after = await summary(shop);
    const placed = before.number("/currencies/0/orders/placed");
    expect(after.at("/currencies/0/orders/placed")).toBe(placed + 1);
  });

  test("by several callers at once counts nothing twice", async () => {
    await using shop = await openTestShop();
    await sales(shop, 5);
    const { database } = shop.test;
    await rebuildAnalytics(database);
    await sales(shop, 5);

    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => summary(shop)),
      rebuildAnalytics(database),
    ]);

    expect(answers).toHaveLength(5);
    expect((await summary(shop)).at("/currencies/0/orders/paid")).toBe(10);
    expect(await Array.fromAsync(auditAnalytics(database.read))).toEqual([]);
  });

  test("without time returns the number of events left", async () => {
    await using shop = await openTestShop();
    await sales(shop, 2);
    await counted(shop);
    await tamper(
      shop.folder.path,
      "UPDATE log_cursors SET sequence = 1 WHERE consumer = 'analytics'",
    );

    const hurried = await backlogOf(shop.test);

    expect(hurried).toMatchObject({ sequence: 1, isWritable: true });
    expect(hurried.behind).toBeGreaterThan(5);
  });

  test("that is behind is refused with the day up to which sums are", async () => {
    await using shop = await openTestShop({ now: Date.parse("2026-03-12T09:00:00Z") });
    await sales(shop, 1);
    await counted(shop);
    await tamper(
      shop.folder.path,
      "UPDATE log_cursors SET sequence = 1 WHERE consumer = 'analytics'",
    );
    const catchUp = new (class extends CatchUp {
      override run(): Promise<CaughtUp> {
        return super.run(0);
      }
    })(shop.test.database, async () => salesProjection);

    const refused = await errorOf(openBlocks({ ...shop.test, catchUp }, {}));

    expect(refused?.message).toEndWith(" events are not counted yet. Counted up to 12 March 2026.");
  });

  test("again has the same result", async () => {
    await using shop = await openTestShop();
    await sales(shop, 5);
    const before = await summary(shop, "compare=previous_period");

    const sequence = await rebuildAnalytics(shop.test.database);

    const after = await summary(shop, "compare=previous_period");
    expect(after.body).toEqual(before.body);
    expect(sequence).toBe(before.number("/as_of/sequence"));
  });
});

describe("the median of seconds to pay", () => {
  test("is exact below 64 seconds and otherwise within 1.6 %", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40_000_000 }), (seconds) => {
        const median = medianSeconds(new Map([[stepOf(seconds * 1_000 + 999), 3]])) ?? NaN;

        expect(Math.abs(median - seconds)).toBeLessThanOrEqual(seconds < 64 ? 0 : seconds * 0.016);
      }),
    );
  });

  test("is the middle value, the lower of two, and null without values", () => {
    const of = (...seconds: number[]) => {
      const counts = new Map<number, number>();
      for (const one of seconds) counts.set(one, (counts.get(one) ?? 0) + 1);
      return medianSeconds(counts);
    };

    expect([of(), of(9), of(9, 2), of(30, 2, 9), of(5, 5, 5, 60)]).toEqual([null, 9, 2, 9, 5]);
  });
});
