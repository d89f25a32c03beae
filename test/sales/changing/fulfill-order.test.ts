// Shipping an order, at once or in parts, and only units that are open and in stock.

import { describe, expect, test } from "bun:test";

import { kanga, mug } from "../../support/cast.ts";
import { openTestShop, sharedShop } from "../../support/shop.ts";
import { cancel, fulfill, of, place, reread, standing, stock } from "../orders/counter.ts";

const shop = sharedShop();

const NO_LINE = "li_01h455vb4pex5vsknk084sn02q";

describe("shipping an order", () => {
  test("without a body ships every open unit and takes it out of stock", async () => {
    await using shop = await openTestShop();
    const [cup, cloth] = [await mug(shop), await kanga(shop, { stock: 9 })];
    const placed = await place(shop, [of(cup, 2), of(cloth, 1)]);
    await shop.announced();
    shop.clock.advance(60_000);

    const shipped = await fulfill(shop, placed);

    expect(shipped.status).toBe(200);
    expect(shipped.body).toMatchObject({
      status: "open",
      fulfillment_status: "fulfilled",
      fulfilled_at: "2026-01-05T08:01:00.000Z",
      expires_at: null,
      version: 2,
      line_items: [{ fulfilled_quantity: 2 }, { fulfilled_quantity: 1 }],
      fulfillments: [
        {
          line_items: [
            { line_item_id: placed.at("/line_items/0/id"), quantity: 2 },
            { line_item_id: placed.at("/line_items/1/id"), quantity: 1 },
          ],
          tracking: null,
          created_at: "2026-01-05T08:01:00.000Z",
        },
      ],
    });
    expect(await stock(shop, cup)).toEqual([8, 0, 8]);
    expect(await shop.announced()).toMatchObject([
      {
        event: "order.fulfilled",
        data: { order_id: placed.id, fulfillment: shipped.at("/fulfillments/0") },
      },
    ]);
  });

  test("in parts emits order.updated, then order.fulfilled", async () => {
    const cup = await mug(shop, { stock: 9 });
    const placed = await place(shop, [of(cup, 3)]);
    await shop.announced();
    const line_item_id = placed.at("/line_items/0/id");

    const part = await fulfill(shop, placed, {
      line_items: [{ line_item_id, quantity: 2 }],
      tracking: { carrier: "DHL", number: "JD01", url: "https://dhl.example/JD01" },
    });
    const rest = await fulfill(shop, placed);

    expect(part.body).toMatchObject({
      fulfillment_status: "partially_fulfilled",
      fulfilled_at: null,
      line_items: [{ quantity: 3, fulfilled_quantity: 2 }],
      fulfillments: [
        { tracking: { carrier: "DHL", number: "JD01", url: "https://dhl.example/JD01" } },
      ],
    });
    expect(rest.list("/fulfillments")).toHaveLength(2);
    expect(rest.at("/fulfillments/1/line_items")).toEqual([{ line_item_id, quantity: 1 }]);
    expect(await stock(shop, cup)).toEqual([6, 0, 6]);
    expect(await shop.announced()).toMatchObject([
      {
        event: "order.updated",
        data: { changed: ["fulfillments"], fulfillment: part.at("/fulfillments/0") },
      },
      { event: "order.fulfilled", data: { fulfillment: rest.at("/fulfillments/1") } },
    ]);
  });

  test("with a carrier alone has a tracking number of null", async () => {
    const placed = await place(shop, [of(await mug(shop))]);

    const shipped = await fulfill(shop, placed, { tracking: { carrier: "DHL" } });

    expect(shipped.at("/fulfillments/0/tracking")).toEqual({
      carrier: "DHL",
      number: null,
      url: null,
    });
  });

  test("a second time returns the order unchanged, and refuses what it names", async () => {
    const cup = await mug(shop);
    const placed = await place(shop, [of(cup, 2)]);
    const shipped = await fulfill(shop, placed);
    const before = await standing(shop);

    const again = await fulfill(shop, placed);
    const refused = await fulfill(shop, placed, { tracking: { carrier: "DHL" } });

    expect([again.status, again.text]).toEqual([200, shipped.text]);
    expect([refused.status, refused.code]).toEqual([409, "nothing_to_fulfill"]);
    expect(await standing(shop)).toEqual(before);
  });

  test("twice at the same time ships once", async () => {
    const cup = await mug(shop);
    const placed = await place(shop, [of(cup, 2)]);
    await shop.announced();

    const answers = await Promise.all([fulfill(shop, placed), fulfill(shop, placed)]);

    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    expect(await stock(shop, cup)).toEqual([8, 0, 8]);
    expect(await shop.announcedNames()).toEqual(["order.fulfilled"]);
  });

  test("with a total of zero completes it", async () => {
    const placed = await place(shop, [of(await mug(shop, { price: 0 }), 2)]);
    const line_item_id = placed.at("/line_items/0/id");
    const part = await fulfill(shop, placed, { line_items: [{ line_item_id, quantity: 1 }] });

    const whole = await fulfill(shop, placed);

    expect(part.at("/status")).toBe("open");
    expect(whole.body).toMatchObject({ status: "completed", payment_status: "paid", version: 3 });
  });

  test("keeps an unpaid order open", async () => {
    const placed = await place(shop, [of(await mug(shop))]);

    const shipped = await fulfill(shop, placed);

    expect([shipped.at("/status"), shipped.at("/due")]).toEqual(["open", 12.5]);
  });

  test("of an untracked variant leaves its stock unchanged", async () => {
    const cup = await mug(shop, { stock: 1 });
    await shop.put(`/v2/inventory/${cup.variantId}`, { tracked: false });
    const placed = await place(shop, [of(cup, 5)]);

    await fulfill(shop, placed);

    expect(await stock(shop, cup)).toEqual([1, 0, null]);
  });

  test("refuses a line that is given twice", async () => {
    const placed = await place(shop, [of(await mug(shop), 3)]);
    const line_item_id = placed.at("/line_items/0/id");

    const refused = await fulfill(shop, placed, {
      line_items: [
        { line_item_id, quantity: 1 },
        { line_item_id, quantity: 2 },
      ],
    });

    expect([refused.status, refused.faults]).toEqual([
      422,
      ["#/line_items/1/line_item_id duplicate"],
    ]);
  });

  test("under an older version is refused", async () => {
    const placed = await place(shop, [of(await mug(shop))]);
    await shop.put(`/v2/orders/${placed.id}`, { notes: "Ring twice" });
    const before = await standing(shop);

    const refused = await shop.put(`/v2/orders/${placed.id}/fulfill`, undefined, {
      headers: { "If-Match": placed.headers.get("etag") ?? "" },
    });

    expect([refused.status, refused.code]).toEqual([412, "stale_version"]);
    expect(refused.at("/current_version")).toBe(2);
    expect(await standing(shop)).toEqual(before);
  });
});

describe("shipping is refused", () => {
  test("for more units than are open, line by line", async () => {
    const placed = await place(shop, [of(await mug(shop), 2), of(await kanga(shop), 1)]);
    const [cup, cloth] = [placed.at("/line_items/0/id"), placed.at("/line_items/1/id")];
    const before = await standing(shop);

    const refused = await fulfill(shop, placed, {
      line_items: [
        { line_item_id: cup, quantity: 3 },
        { line_item_id: cloth, quantity: 1 },
        { line_item_id: cloth, quantity: 1 },
        { line_item_id: NO_LINE, quantity: 1 },
      ],
    });

    expect([refused.status, refused.code, refused.faults]).toEqual([
      422,
      "validation_failed",
      [
        "#/line_items/0/quantity more_than_open",
        "#/line_items/2/line_item_id duplicate",
        "#/line_items/3/line_item_id unknown_line_item",
      ],
    ]);
    expect(await standing(shop)).toEqual(before);
  });

  test("for lines that are shipped", async () => {
    const placed = await place(shop, [of(await mug(shop), 1), of(await kanga(shop), 1)]);
    const line_items = [{ line_item_id: placed.at("/line_items/0/id"), quantity: 1 }];
    await fulfill(shop, placed, { line_items });

    const refused = await fulfill(shop, placed, { line_items });

    expect(refused.faults).toEqual(["#/line_items/0/quantity more_than_open"]);
  });

  test("for zero, negative and fractional quantities", async () => {
    const placed = await place(shop, [of(await mug(shop))]);
    const line_item_id = placed.at("/line_items/0/id");

    const refused = await fulfill(shop, placed, {
      line_items: [0, -1, 1.5].map((quantity) => ({ line_item_id, quantity })),
    });

    expect(refused.faults).toEqual([
      "#/line_items/0/quantity too_small",
      "#/line_items/1/quantity too_small",
      "#/line_items/2/quantity wrong_type",
    ]);
  });

  test("for a cancelled order, with the allowed actions", async () => {
    const placed = await place(shop, [of(await mug(shop))]);
    await cancel(shop, placed);

    const refused = await fulfill(shop, placed);

    expect([refused.status, refused.code]).toEqual([409, "invalid_transition"]);
    expect(refused.body).toMatchObject({ from: "cancelled", action: "fulfill", allowed: [] });
  });

  test("for backordered units that are not in stock, each of which is named", async () => {
    const cup = await mug(shop, { stock: 1 });
    const cloth = await kanga(shop);
    await shop.put(`/v2/inventory/${cup.variantId}`, { backorder: "allow" });
    const placed = await place(shop, [of(cup, 2), of(cloth, 1)]);
    const before = await standing(shop);

    const refused = await fulfill(shop, placed);

    expect([refused.status, refused.code]).toEqual([409, "insufficient_stock"]);
    expect(refused.at("/items")).toEqual([{ variant_id: cup.variantId, requested: 2, on_hand: 1 }]);
    expect(await standing(shop)).toEqual(before);
  });

  test("until the stock arrives", async () => {
    const cup = await mug(shop, { stock: 1 });
    const placed = await place(shop, [of(cup, 1)]);
    await shop.put(`/v2/inventory/${cup.variantId}`, { on_hand: 0, reason: "damage" });
    const refused = await fulfill(shop, placed);
    await shop.put(`/v2/inventory/${cup.variantId}`, { adjust: 4, reason: "received" });

    const shipped = await fulfill(shop, placed);

    expect([refused.status, shipped.status]).toEqual([409, 200]);
    expect(await stock(shop, cup)).toEqual([3, 0, 3]);
  });

  test.each(["ord_01h455vb4pex5vsknk084sn02q", "ord_1", "1001"])(
    "for an unknown order, %s",
    async (id) => {
      await using shop = await openTestShop();

      const refused = await shop.put(`/v2/orders/${id}/fulfill`);

      expect([refused.status, refused.code]).toEqual([404, "order_not_found"]);
    },
  );
});

test("an order of the other mode is not found", async () => {
  const placed = await place(shop, [of(await mug(shop))]);
  const key = await shop.createKey({ mode: "live" });

  const found = await shop.get(`/v2/orders/${placed.id}`, { key });

  expect([found.status, found.code]).toEqual([404, "order_not_found"]);
  expect((await reread(shop, placed)).status).toBe(200);
});
