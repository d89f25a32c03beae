// inventory.low is emitted when available stock crosses the threshold, and again only after it was above it.

import { describe, expect, test } from "bun:test";

import { type Goods, kanga, mug } from "../../support/cast.ts";
import { type Answered, sharedShop, type TestShop } from "../../support/shop.ts";

const shop = sharedShop();

function set(shop: TestShop, goods: Goods, body: object): Promise<Answered> {
  return shop.put(`/v2/inventory/${goods.variantId}`, body);
}

async function sell(shop: TestShop, goods: Goods, quantity: number): Promise<Answered> {
  return shop.post("/v2/orders", { line_items: [{ variant_id: goods.variantId, quantity }] });
}

/** The data of the inventory.low events since the last call. */
async function warnings(shop: TestShop): Promise<unknown[]> {
  const announced = await shop.announced();
  return announced.filter(({ event }) => event === "inventory.low").map(({ data }) => data);
}

describe("inventory.low is emitted", () => {
  test("when a sale crosses the threshold, and not again below it", async () => {
    const cup = await mug(shop, { stock: 7 });

    await sell(shop, cup, 2);
    const atTheThreshold = await warnings(shop);
    await sell(shop, cup, 1);
    const below = await warnings(shop);
    await sell(shop, cup, 1);
    const further = await warnings(shop);

    expect(atTheThreshold).toEqual([]);
    expect(below).toEqual([
      {
        id: cup.variantId,
        variant_id: cup.variantId,
        product_id: cup.productId,
        sku: cup.sku,
        available: 4,
        threshold: 5,
      },
    ]);
    expect(further).toEqual([]);
  });

  test("again after stock was above the threshold", async () => {
    const cup = await mug(shop, { stock: 6 });
    await sell(shop, cup, 2);
    await set(shop, cup, { adjust: 1 });
    await warnings(shop);

    await sell(shop, cup, 1);

    expect(await warnings(shop)).toMatchObject([{ available: 4 }]);
  });

  test("again after a cancelled order released its stock", async () => {
    const cup = await mug(shop, { stock: 6 });
    const order = await sell(shop, cup, 3);
    await shop.put(`/v2/orders/${order.id}/cancel`);
    await warnings(shop);

    await sell(shop, cup, 2);

    expect(await warnings(shop)).toMatchObject([{ available: 4 }]);
  });

  test("when a count or an adjustment crosses the threshold", async () => {
    const [cup, cloth] = [await mug(shop), await kanga(shop)];

    await set(shop, cup, { on_hand: 3 });
    await set(shop, cloth, { adjust: -1 });

    expect(await warnings(shop)).toMatchObject([
      { sku: cup.sku, available: 3 },
      { sku: cloth.sku, available: 4 },
    ]);
  });

  test("once when the threshold is raised above the stock", async () => {
    const cup = await mug(shop);

    await set(shop, cup, { low_stock_threshold: 11 });
    const raised = await warnings(shop);
    await set(shop, cup, { low_stock_threshold: 20 });
    await set(shop, cup, { low_stock_threshold: 20 });

    expect(raised).toMatchObject([{ available: 10, threshold: 11 }]);
    expect(await warnings(shop)).toEqual([]);
  });

  test("when tracking begins with low stock", async () => {
    const cup = await mug(shop, { stock: 1 });
    await set(shop, cup, { tracked: false });
    await warnings(shop);

    await set(shop, cup, { tracked: true });

    expect(await warnings(shop)).toMatchObject([{ available: 1 }]);
  });
});

describe("inventory.low is not emitted", () => {
  test("for a new variant with low stock", async () => {
    await mug(shop, { stock: 1 });

    expect(await warnings(shop)).toEqual([]);
  });

  test("when reserved units ship", async () => {
    const cup = await mug(shop, { stock: 6 });
    const order = await sell(shop, cup, 3);
    await warnings(shop);

    await shop.put(`/v2/orders/${order.id}/fulfill`);

    expect(await warnings(shop)).toEqual([]);
  });

  test("for a refused order", async () => {
    const [cup, cloth] = [await mug(shop, { stock: 6 }), await kanga(shop, { stock: 0 })];
    await shop.announced();

    const refused = await shop.post("/v2/orders", {
      line_items: [
        { variant_id: cup.variantId, quantity: 6 },
        { variant_id: cloth.variantId, quantity: 1 },
      ],
    });

    expect(refused.status).toBe(409);
    expect(await shop.announced()).toEqual([]);
  });

  test("for an untracked variant", async () => {
    const cup = await mug(shop, { stock: 6 });
    await set(shop, cup, { tracked: false });

    await sell(shop, cup, 100);

    expect(await warnings(shop)).toEqual([]);
  });
});
