// Cancelling an order: its stock is released, and the event is emitted once.

import { describe, expect, test } from "bun:test";

import { kanga, mug } from "../../support/cast.ts";
import { openTestShop, sharedShop } from "../../support/shop.ts";
import { cancel, fulfill, of, place, reread, standing, stock } from "../orders/counter.ts";

const shop = sharedShop();

describe("a cancelled order", () => {
  test("releases its stock", async () => {
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    const placed = await place(shop, [of(cup, 2), of(cloth, 1), of(cup, 1)]);

    await cancel(shop, placed);

    expect(await stock(shop, cup)).toEqual([10, 0, 10]);
    expect(await stock(shop, cloth)).toEqual([5, 0, 5]);
  });

  test("carries its reason and note, and so does its event", async () => {
    await using shop = await openTestShop();
    const placed = await place(shop, [of(await mug(shop))], { customer: { email: "a@b.example" } });
    await shop.announced();
    shop.clock.advance(60_000);

    const cancelled = await cancel(shop, placed, {
      reason: "customer",
      note: "Changed her mind",
      refund: false,
    });

    expect(cancelled.status).toBe(200);
    expect(cancelled.body).toMatchObject({
      status: "cancelled",
      fulfillment_status: "unfulfilled",
      payment_status: "unpaid",
      cancel_reason: "customer",
      cancel_note: "Changed her mind",
      cancelled_at: "2026-01-05T08:01:00.000Z",
      expires_at: null,
      version: 2,
    });
    expect(await shop.announced()).toMatchObject([
      {
        event: "order.cancelled",
        data: {
          order_id: placed.id,
          total: 12.5,
          customer: { email: "a@b.example" },
          cancel_reason: "customer",
          cancel_note: "Changed her mind",
          refund: false,
        },
      },
    ]);
  });

  test("that was never paid has nothing due", async () => {
    const placed = await place(shop, [of(await mug(shop))]);

    const cancelled = await cancel(shop, placed);

    expect([placed.at("/due_minor"), cancelled.at("/due_minor")]).toEqual([1250, 0]);
  });

  test("without a body was cancelled by the merchant", async () => {
    const placed = await place(shop, [of(await mug(shop))]);
    await shop.announced();

    const cancelled = await cancel(shop, placed);

    expect([cancelled.at("/cancel_reason"), cancelled.at("/cancel_note")]).toEqual([
      "merchant",
      null,
    ]);
    expect(await shop.announced()).toMatchObject([
      { event: "order.cancelled", data: { cancel_reason: "merchant", refund: true } },
    ]);
  });

  test.each(["customer", "merchant", "fraud", "inventory", "payment_failed", "expired", "other"])(
    "may have the reason %s",
    async (reason) => {
      const placed = await place(shop, [of(await mug(shop))]);

      const cancelled = await cancel(shop, placed, { reason });

      expect(cancelled.at("/cancel_reason")).toBe(reason);
    },
  );

  test("is returned unchanged when it is cancelled again", async () => {
    const cup = await mug(shop);
    const placed = await place(shop, [of(cup, 2)]);
    const cancelled = await cancel(shop, placed, { reason: "fraud" });
    const before = await standing(shop);

    const again = await cancel(shop, placed, { reason: "customer" });

    expect([again.status, again.text]).toEqual([200, cancelled.text]);
    expect(await standing(shop)).toEqual(before);
  });

  test("leaves its units to the next order", async () => {
    const cup = await mug(shop, { stock: 1 });
    await cancel(shop, await place(shop, [of(cup)]));

    const next = await shop.post("/v2/orders", { line_items: [of(cup)] });

    expect(next.status).toBe(201);
  });
});

describe("cancelling is refused", () => {
  test("once everything is shipped, with the allowed actions", async () => {
    const placed = await place(shop, [of(await mug(shop), 2)]);
    await fulfill(shop, placed);
    const before = await standing(shop);

    const refused = await cancel(shop, placed);

    expect([refused.status, refused.code]).toEqual([409, "invalid_transition"]);
    expect(refused.body).toMatchObject({
      from: "open",
      action: "cancel",
      allowed: ["return", "cancel_fulfillment"],
    });
    expect(await standing(shop)).toEqual(before);
  });

  test("of a completed order", async () => {
    const placed = await place(shop, [of(await mug(shop, { price: 0 }))]);
    await fulfill(shop, placed);

    const refused = await cancel(shop, placed);

    expect([refused.status, refused.code]).toEqual([409, "invalid_transition"]);
    expect(refused.body).toMatchObject({
      from: "completed",
      action: "cancel",
      allowed: ["return", "cancel_fulfillment"],
    });
  });

  test("for an unknown reason", async () => {
    const placed = await place(shop, [of(await mug(shop))]);

    const refused = await cancel(shop, placed, { reason: "weather" });

    expect([refused.status, refused.faults]).toEqual([422, ["#/reason invalid_choice"]]);
  });

  test("for an older version", async () => {
    const placed = await place(shop, [of(await mug(shop))]);
    await shop.put(`/v2/orders/${placed.id}`, { notes: "Ring twice" });

    const refused = await shop.put(`/v2/orders/${placed.id}/cancel`, undefined, {
      headers: { "If-Match": '"1"' },
    });

    expect([refused.status, refused.code]).toEqual([412, "stale_version"]);
    expect((await reread(shop, placed)).at("/status")).toBe("open");
  });
});
