// The merchant counts, receives and corrects stock, and says how a variant is counted.

import { describe, expect, test } from "bun:test";

import { type Goods, kanga, mug } from "../../support/cast.ts";
import { type Answered, openTestShop, type TestShop } from "../../support/shop.ts";

const NOTHING = "var_01h455vb4pex5vsknk084sn02q";

/** A change at a moment of its own, so that the ledger has one order. */
function set(shop: TestShop, goods: Goods, body: object): Promise<Answered> {
  shop.clock.advance(1);
  return shop.put(`/v2/inventory/${goods.variantId}`, body);
}

function reserve(shop: TestShop, goods: Goods, quantity: number): Promise<Answered> {
  shop.clock.advance(1);
  return shop.post("/v2/orders", { line_items: [{ variant_id: goods.variantId, quantity }] });
}

async function ledger(shop: TestShop, goods: Goods): Promise<unknown[][]> {
  const found = await shop.get(`/v2/inventory/${goods.variantId}/movements?limit=100`);
  return found
    .list("/data")
    .map((row) => Object(row))
    .map((row) => [
      row.reason,
      row.delta_on_hand,
      row.delta_reserved,
      ...Object.values(row.balance),
    ])
    .toReversed();
}

describe("a level", () => {
  test("of a new variant is what it came with", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);

    const level = await shop.get(`/v2/inventory/${cup.variantId}`);

    expect(level.body).toEqual({
      variant_id: cup.variantId,
      product_id: cup.productId,
      sku: "MUG",
      on_hand: 10,
      reserved: 0,
      available: 10,
      low_stock_threshold: 5,
      tracked: true,
      backorder: "deny",
      version: 1,
      updated_at: "2026-01-05T08:00:00.000Z",
    });
  });

  test("is set to what was counted", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    shop.clock.advance(60_000);

    const counted = await set(shop, cup, { on_hand: 7 });

    expect(counted.status).toBe(200);
    expect(counted.body).toMatchObject({
      on_hand: 7,
      available: 7,
      version: 2,
      updated_at: "2026-01-05T08:01:00.001Z",
    });
    expect(await ledger(shop, cup)).toEqual([
      ["received", 10, 0, 10, 0],
      ["count", -3, 0, 7, 0],
    ]);
  });

  test("is adjusted by what came and went", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    await set(shop, cup, { adjust: 5, reason: "received" });

    const adjusted = await set(shop, cup, { adjust: -2 });

    expect(adjusted.at("/on_hand")).toBe(13);
    expect((await ledger(shop, cup)).slice(1)).toEqual([
      ["received", 5, 0, 15, 0],
      ["correction", -2, 0, 13, 0],
    ]);
  });

  test.each(["received", "sale", "return", "damage", "correction", "count"])(
    "may change because of %s",
    async (reason) => {
      await using shop = await openTestShop();
      const cup = await mug(shop);

      await set(shop, cup, { adjust: -1, reason, note: "Shelf 4" });

      const moved = await shop.get(`/v2/inventory/${cup.variantId}/movements?limit=1`);
      expect([moved.at("/data/0/reason"), moved.at("/data/0/note")]).toEqual([reason, "Shelf 4"]);
    },
  );

  test("may be counted below what is sold, since a count is a fact", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    await reserve(shop, cup, 8);

    const counted = await set(shop, cup, { on_hand: 5 });

    expect(counted.body).toMatchObject({ on_hand: 5, reserved: 8, available: -3 });
    expect((await reserve(shop, cup, 1)).code).toBe("insufficient_stock");
  });

  test("takes settings without a movement", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);

    const settled = await set(shop, cup, {
      low_stock_threshold: 2,
      backorder: "allow",
      tracked: false,
    });

    expect(settled.body).toMatchObject({
      low_stock_threshold: 2,
      backorder: "allow",
      tracked: false,
      available: null,
      version: 2,
    });
    expect(await ledger(shop, cup)).toHaveLength(1);
  });

  test("set to what it is already changes nothing", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const before = await shop.get(`/v2/inventory/${cup.variantId}`);
    shop.clock.advance(60_000);
    await shop.announced();

    const same = await set(shop, cup, { on_hand: 10, low_stock_threshold: 5, tracked: true });

    expect(same.text).toBe(before.text);
    expect(await ledger(shop, cup)).toHaveLength(1);
    expect(await shop.announced()).toEqual([]);
  });

  test("is set only where as many are on hand as the caller thinks", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);

    const answers = await Promise.all([
      set(shop, cup, { on_hand: 12, expected: 10 }),
      set(shop, cup, { on_hand: 8, expected: 10 }),
    ]);

    const done = answers.find((answer) => answer.status === 200);
    const refused = answers.find((answer) => answer.status === 409);
    expect(refused?.body).toMatchObject({ code: "stale_stock", on_hand: done?.at("/on_hand") });
    expect(await ledger(shop, cup)).toHaveLength(2);
  });

  test("changed by somebody else is not overwritten", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const read = await shop.get(`/v2/inventory/${cup.variantId}`);
    await set(shop, cup, { low_stock_threshold: 1 });

    const refused = await shop.put(
      `/v2/inventory/${cup.variantId}`,
      { adjust: 1 },
      { headers: { "If-Match": read.headers.get("etag") ?? "" } },
    );

    expect([refused.status, refused.code]).toEqual([412, "stale_version"]);
  });

  test("shows another tag of the same version after a sale", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const before = await shop.get(`/v2/inventory/${cup.variantId}`);
    await reserve(shop, cup, 1);

    const after = await shop.get(`/v2/inventory/${cup.variantId}`, {
      headers: { "If-None-Match": before.headers.get("etag") ?? "" },
    });

    expect([after.status, after.at("/version"), after.at("/reserved")]).toEqual([200, 1, 1]);
  });
});

describe("a change of stock is refused", () => {
  test.each<[string, object, number, string, string[]]>([
    [
      "counted and adjusted",
      { on_hand: 1, adjust: 1 },
      422,
      "validation_failed",
      ["#/adjust conflicting_fields"],
    ],
    ["below zero", { adjust: -11 }, 409, "stock_below_zero", []],
    ["counted below zero", { on_hand: -1 }, 422, "validation_failed", ["#/on_hand too_small"]],
    ["in halves", { adjust: 1.5 }, 422, "validation_failed", ["#/adjust wrong_type"]],
    ["in words", { on_hand: "7" }, 422, "validation_failed", ["#/on_hand wrong_type"]],
    [
      "by more than any shelf",
      { on_hand: 1_000_000_001 },
      422,
      "validation_failed",
      ["#/on_hand too_large"],
    ],
    [
      "beyond any shelf",
      { adjust: 1_000_000_000 },
      422,
      "validation_failed",
      ["#/adjust too_large"],
    ],
    [
      "for a reason of ours",
      { adjust: 1, reason: "fulfillment" },
      422,
      "validation_failed",
      ["#/reason invalid_choice"],
    ],
    [
      "where it is computed",
      { reserved: 0 },
      422,
      "validation_failed",
      ["#/reserved unknown_field"],
    ],
    ["after another count", { on_hand: 1, expected: 9 }, 409, "stale_stock", []],
  ])("%s", async (...row) => {
    const [, body, status, code, faults] = row;
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const before = await shop.get(`/v2/inventory/${cup.variantId}`);

    const refused = await set(shop, cup, body);

    expect([refused.status, refused.code, refused.faults]).toEqual([status, code, faults]);
    expect((await shop.get(`/v2/inventory/${cup.variantId}`)).body).toEqual(before.body);
    expect(await ledger(shop, cup)).toHaveLength(1);
  });

  test.each(["var_01h455vb4pex5vsknk084sn02q", "MUG"])("for what nobody stocks, %s", async (id) => {
    await using shop = await openTestShop();

    const refused = await shop.put(`/v2/inventory/${id}`, { on_hand: 1 });

    expect([refused.status, refused.code]).toEqual([404, "inventory_not_found"]);
  });
});

describe("a batch", () => {
  test("does what it can, and says of the rest why not", async () => {
    await using shop = await openTestShop();
    const [cup, cloth] = [await mug(shop), await kanga(shop)];

    const done = await shop.post("/v2/inventory/batch", {
      rows: [
        { variant_id: cup.variantId, on_hand: 4, reason: "count" },
        { variant_id: cloth.variantId, adjust: -9 },
        { variant_id: NOTHING, on_hand: 1 },
        { variant_id: cup.variantId, adjust: 1 },
        { variant_id: cup.variantId, on_hand: 1, adjust: 1 },
        { variant_id: cloth.variantId, on_hand: 1, expected: 6 },
      ],
    });

    expect(done.status).toBe(200);
    expect(
      done
        .list("/results")
        .map((row) => Object(row))
        .map((row) => row.level?.on_hand ?? row.error.code),
    ).toEqual([
      4,
      "stock_below_zero",
      "inventory_not_found",
      5,
      "validation_failed",
      "stale_stock",
    ]);
    expect(done.at("/results/4/error/detail")).toBe("Give either on_hand or adjust.");
    const moved = await ledger(shop, cup);
    expect(moved).toHaveLength(3);
    expect(moved).toContainEqual(["count", -6, 0, 4, 0]);
    expect(moved).toContainEqual(["correction", 1, 0, 5, 0]);
    expect(await ledger(shop, cloth)).toHaveLength(1);
  });

  test("with a row that is no row changes nothing", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);

    const refused = await shop.post("/v2/inventory/batch", {
      rows: [{ variant_id: cup.variantId, on_hand: 4 }, { on_hand: 4 }],
    });

    expect([refused.status, refused.faults]).toEqual([422, ["#/rows/1/variant_id required"]]);
    expect(await ledger(shop, cup)).toHaveLength(1);
  });

  test.each([
    [[], "too_few"],
    [Array.from({ length: 251 }, () => ({ variant_id: NOTHING, adjust: 1 })), "too_many"],
  ])("has 1 to 250 rows", async (rows, code) => {
    await using shop = await openTestShop();

    const refused = await shop.post("/v2/inventory/batch", { rows });

    expect(refused.status).toBe(422);
    expect(refused.faults).toEqual([`#/rows ${code}`]);
  });
});

describe("the ledger", () => {
  test("explains every unit, with who moved it and for which order", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const sold = await reserve(shop, cup, 3);
    const lost = await reserve(shop, cup, 2);
    shop.clock.advance(1);
    await shop.put(`/v2/orders/${sold.id}/fulfill`);
    shop.clock.advance(1);
    await shop.put(`/v2/orders/${lost.id}/cancel`);

    const found = await shop.get(`/v2/inventory/${cup.variantId}/movements`);

    expect(await ledger(shop, cup)).toEqual([
      ["received", 10, 0, 10, 0],
      ["reservation", 0, 3, 10, 3],
      ["reservation", 0, 2, 10, 5],
      ["fulfillment", -3, -3, 7, 2],
      ["release", 0, -2, 7, 0],
    ]);
    const rows = found.list("/data").map((row) => Object(row));
    expect(rows.map((row) => row.order_id)).toEqual([lost.id, sold.id, lost.id, sold.id, null]);
    expect(new Set(rows.map((row) => row.actor.type))).toEqual(new Set(["api_key"]));
    expect(rows.every((row) => row.variant_id === cup.variantId)).toBe(true);
  });

  test("is read page by page, newest first", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    await set(shop, cup, { adjust: 1 });
    await set(shop, cup, { adjust: 2 });

    const first = await shop.get(`/v2/inventory/${cup.variantId}/movements?limit=2`);
    const second = await shop.get(
      `/v2/inventory/${cup.variantId}/movements?limit=2&cursor=${first.string("/next_cursor")}`,
    );

    const deltas = [...first.list("/data"), ...second.list("/data")];
    expect(deltas.map((row) => Object(row).delta_on_hand)).toEqual([2, 1, 10]);
    expect([second.at("/has_more"), second.at("/next_cursor")]).toEqual([false, null]);
  });

  test("of what nobody stocks is not found", async () => {
    await using shop = await openTestShop();

    const missing = await shop.get("/v2/inventory/var_01h455vb4pex5vsknk084sn02q/movements");

    expect([missing.status, missing.code]).toEqual([404, "inventory_not_found"]);
  });
});
