// Setting and adjusting stock over HTTP, one variant or a batch, and the ledger.

import { describe, expect, test } from "bun:test";

import { auditStock } from "#catalog/inventory/audit-stock.ts";

import { type Goods, kanga, mug } from "../../support/cast.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";

const shop = sharedShop();

const NOTHING = "var_01h455vb4pex5vsknk084sn02q";

/** Changes stock at a later instant than before, so that the order of the ledger is certain. */
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
  test("of a new variant has its opening stock", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);

    const level = await shop.get(`/v2/inventory/${cup.variantId}`);

    expect(level.body).toEqual({
      variant_id: cup.variantId,
      product_id: cup.productId,
      sku: "MUG",
      name: "Mug",
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

  test("is set to a count", async () => {
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

  test("is adjusted by positive and negative units", async () => {
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
      const cup = await mug(shop);

      await set(shop, cup, { adjust: -1, reason, note: "Shelf 4" });

      const moved = await shop.get(`/v2/inventory/${cup.variantId}/movements?limit=1`);
      expect([moved.at("/data/0/reason"), moved.at("/data/0/note")]).toEqual([reason, "Shelf 4"]);
    },
  );

  test("may be counted below what is reserved", async () => {
    const cup = await mug(shop);
    await reserve(shop, cup, 8);

    const counted = await set(shop, cup, { on_hand: 5 });

    expect(counted.body).toMatchObject({ on_hand: 5, reserved: 8, available: -3 });
    expect((await reserve(shop, cup, 1)).code).toBe("insufficient_stock");
  });

  test("changes its settings without a movement", async () => {
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

  test("set to the same values changes nothing", async () => {
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

  test("is set only if the expected count matches", async () => {
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

  test("of an outdated version is not changed", async () => {
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

  test("that was counted before units were shipped is not overwritten by the count", async () => {
    const cup = await mug(shop);
    const read = await shop.get(`/v2/inventory/${cup.variantId}`);
    const sold = await reserve(shop, cup, 4);
    await shop.put(`/v2/orders/${sold.id}/fulfill`);

    const refused = await shop.put(
      `/v2/inventory/${cup.variantId}`,
      { on_hand: 10 },
      { headers: { "If-Match": read.headers.get("etag") ?? "" } },
    );

    expect([refused.status, refused.code]).toEqual([412, "stale_version"]);
    const level = await shop.get(`/v2/inventory/${cup.variantId}`);
    expect(level.body).toMatchObject({ on_hand: 6, reserved: 0, version: 2 });
  });

  test("has another ETag of the same version after a sale", async () => {
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
    ["by a fraction", { adjust: 1.5 }, 422, "validation_failed", ["#/adjust wrong_type"]],
    ["as text", { on_hand: "7" }, 422, "validation_failed", ["#/on_hand wrong_type"]],
    [
      "above the maximum",
      { on_hand: 1_000_000_001 },
      422,
      "validation_failed",
      ["#/on_hand too_large"],
    ],
    [
      "adjusted above the maximum",
      { adjust: 1_000_000_000 },
      422,
      "validation_failed",
      ["#/adjust too_large"],
    ],
    [
      "for a reason of orders",
      { adjust: 1, reason: "fulfillment" },
      422,
      "validation_failed",
      ["#/reason invalid_choice"],
    ],
    [
      "in a computed field",
      { reserved: 0 },
      422,
      "validation_failed",
      ["#/reserved unknown_field"],
    ],
    ["after another count", { on_hand: 1, expected: 9 }, 409, "stale_stock", []],
  ])("%s", async (...row) => {
    const [, body, status, code, faults] = row;
    const cup = await mug(shop);
    const before = await shop.get(`/v2/inventory/${cup.variantId}`);

    const refused = await set(shop, cup, body);

    expect([refused.status, refused.code, refused.faults]).toEqual([status, code, faults]);
    expect((await shop.get(`/v2/inventory/${cup.variantId}`)).body).toEqual(before.body);
    expect(await ledger(shop, cup)).toHaveLength(1);
  });

  test.each(["var_01h455vb4pex5vsknk084sn02q", "MUG"])("for the unknown variant %s", async (id) => {
    const refused = await shop.put(`/v2/inventory/${id}`, { on_hand: 1 });

    expect([refused.status, refused.code]).toEqual([404, "inventory_not_found"]);
  });
});

describe("a batch", () => {
  test("applies the valid rows and returns the refusals of the others", async () => {
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

  test("with a malformed row changes nothing", async () => {
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
    const refused = await shop.post("/v2/inventory/batch", { rows });

    expect(refused.status).toBe(422);
    expect(refused.faults).toEqual([`#/rows ${code}`]);
  });
});

test("a level has the name that its variant has in an order", async () => {
  const product = await shop.post("/v2/products", {
    name: "Shirt",
    options: [{ name: "Size", values: ["S", "M"] }],
    variants: [
      { options: { Size: "S" }, prices: [{ amount: "9.00" }], stock: 2 },
      { options: { Size: "M" }, prices: [{ amount: "9.00" }], stock: 2 },
    ],
  });
  const order = await shop.post("/v2/orders", {
    line_items: [{ variant_id: product.string("/variants/1/id"), quantity: 1 }],
  });

  const levels = await shop.get(`/v2/inventory?product_id=${product.id}`);

  const names = levels.list("/data").map((level) => Object(level).name);
  expect(new Set(names)).toEqual(new Set(["Shirt – M", "Shirt – S"]));
  expect(names).toContain(order.string("/line_items/0/name"));
});

describe("the ledger", () => {
  test("explains every unit, with actor and order", async () => {
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
    expect(new Set(rows.map((row) => `${row.actor.type} ${row.actor.name}`))).toEqual(
      new Set(["api_key First key"]),
    );
    expect(rows.every((row) => row.variant_id === cup.variantId)).toBe(true);
  });

  test("is read page by page, newest first", async () => {
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

  test("is read in the order in which stock moved, also after the clock was set back", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    shop.clock.advance(-86_400_000);
    await set(shop, cup, { adjust: 1 });
    await set(shop, cup, { adjust: 2 });

    expect((await ledger(shop, cup)).map(([, moved]) => moved)).toEqual([10, 1, 2]);
  });

  test("goes with its variant", async () => {
    const cup = await mug(shop);
    const cloth = await kanga(shop);
    await set(shop, cup, { adjust: 1 });

    await shop.delete(`/v2/products/${cup.productId}`);

    expect(await Array.fromAsync(auditStock(shop.test.database.read))).toEqual([]);
    expect(await ledger(shop, cloth)).toHaveLength(1);
  });

  test("of an unknown variant is not found", async () => {
    const missing = await shop.get("/v2/inventory/var_01h455vb4pex5vsknk084sn02q/movements");

    expect([missing.status, missing.code]).toEqual([404, "inventory_not_found"]);
  });
});
