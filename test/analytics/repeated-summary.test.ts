// A repeated summary reads the past from memory and must equal a summary that is read anew.

import { describe, expect, test } from "bun:test";

import { rebuildAnalytics } from "#analytics/projection/project-events.ts";

import { DAY_MS } from "../sales/carts/basket.ts";
import { kanga, mug } from "../support/cast.ts";
import { openTestShop } from "../support/shop.ts";
import { moneyOf, sale, summary } from "./counter.ts";

describe("a repeated summary", () => {
  test("counts sales from before and after the first request", async () => {
    await using shop = await openTestShop();
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    await sale(shop, cup.variantId, { quantity: 2 });
    shop.clock.advance(3 * DAY_MS);
    await summary(shop);

    await sale(shop, cup.variantId);
    await sale(shop, cloth.variantId);

    const answer = await summary(shop, "compare=previous_period");
    expect(answer.at("/currencies/0/top_variants/by_units/0")).toMatchObject({ units: 3 });
    expect(answer.at("/currencies/0/top_variants/by_units/1")).toMatchObject({ units: 1 });
    expect(answer.body).toEqual((await summary(shop, "compare=previous_period")).body);
  });

  test("counts sales of a past day after the clock moved back", async () => {
    await using shop = await openTestShop();
    const { variantId } = await mug(shop);
    await sale(shop, variantId, { quantity: 2 });
    shop.clock.advance(3 * DAY_MS);
    await summary(shop);

    shop.clock.advance(-3 * DAY_MS);
    await sale(shop, variantId);
    shop.clock.advance(3 * DAY_MS);

    const answer = await summary(shop);
    expect(answer.at("/currencies/0/top_variants/by_units/0")).toMatchObject({ units: 3 });
  });

  test("contains nothing from before a reset, even if the sales are alike", async () => {
    await using shop = await openTestShop();
    await sale(shop, (await mug(shop, { sku: "BEFORE" })).variantId);
    const before = await summary(shop);
    await shop.post("/v2/test/reset");
    await sale(shop, (await mug(shop, { sku: "AFTER" })).variantId);

    const after = await summary(shop);

    expect(moneyOf(after)).toEqual(moneyOf(before));
    expect(before.text).toContain("BEFORE");
    expect(after.text).toContain("AFTER");
    expect(after.text).not.toContain("BEFORE");
  });

  test("is the same after a rebuild", async () => {
    await using shop = await openTestShop();
    await sale(shop, (await mug(shop)).variantId, { quantity: 2 });
    const before = await summary(shop);

    await rebuildAnalytics(shop.live.database);

    expect((await summary(shop)).body).toEqual(before.body);
  });
});
