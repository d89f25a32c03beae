// A shipment that was recorded by mistake: its units are open again, and what was sold and paid stays.

import { describe, expect, test } from "bun:test";

import { auditStock } from "#catalog/inventory/audit-stock.ts";
import { HOUR_MS } from "#kernel/time.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { mug } from "../../support/cast.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { cancel, fulfill, of, place, reread, standing, stock } from "../orders/counter.ts";

const shop = sharedShop();

const NO_FULFILLMENT = "ful_01h455vb4pex5vsknk084sn02q";
const PAID = { paid: { method: "cash" } };

/** The path that cancels the fulfillment at this place of the order. */
function pathOf(order: Answered, index = 0): string {
  return `/v2/orders/${order.id}/fulfillments/${order.string(`/fulfillments/${index}/id`)}/cancel`;
}

function undo(at: TestShop, order: Answered, body: object = {}): Promise<Answered> {
  return at.post(pathOf(order), body);
}

describe("a shipment by mistake", () => {
  test("of a paid order opens it again, and its money stays", async () => {
    const cup = await mug(shop, { stock: 9 });
    const sent = await fulfill(shop, await place(shop, [of(cup, 2)], PAID));
    await shop.announced();

    const undone = await undo(shop, sent, { note: "The other box" });

    expect(sent.at("/status")).toBe("completed");
    expect(undone.status).toBe(200);
    expect(undone.body).toMatchObject({
      status: "open",
      fulfillment_status: "unfulfilled",
      fulfilled_at: null,
      expires_at: null,
      payment_status: "paid",
      paid_total: 25,
      due: 0,
      line_items: [{ fulfilled_quantity: 0 }],
      fulfillments: [
        {
          id: sent.at("/fulfillments/0/id"),
          cancelled_at: undone.at("/updated_at"),
          cancel_note: "The other box",
        },
      ],
    });
    expect(await stock(shop, cup)).toEqual([9, 2, 7]);
    expect(await shop.announced()).toMatchObject([
      {
        event: "order.updated",
        data: {
          changed: ["fulfillments"],
          unfulfilled: true,
          fulfillment: undone.at("/fulfillments/0"),
        },
      },
    ]);
  });

  test("is told in the ledger of stock by a reason of its own", async () => {
    const cup = await mug(shop);
    await undo(shop, await fulfill(shop, await place(shop, [of(cup, 2)])));

    const ledger = await shop.get(`/v2/inventory/${cup.variantId}/movements`);

    expect(ledger.at("/data/0")).toMatchObject({
      reason: "fulfillment_cancelled",
      delta_on_hand: 2,
      delta_reserved: 2,
    });
  });

  test("of an untracked variant reserves its units, and leaves what is on hand", async () => {
    const cup = await mug(shop, { stock: 1 });
    await shop.put(`/v2/inventory/${cup.variantId}`, { tracked: false });

    await undo(shop, await fulfill(shop, await place(shop, [of(cup, 5)])));

    const level = await shop.get(`/v2/inventory/${cup.variantId}`);
    expect([level.at("/on_hand"), level.at("/reserved")]).toEqual([1, 5]);
  });

  test("of a part leaves what else was sent, and the order is not unfulfilled by it", async () => {
    const cup = await mug(shop);
    const placed = await place(shop, [of(cup, 3)]);
    const line_item_id = placed.at("/line_items/0/id");
    const part = await fulfill(shop, placed, { line_items: [{ line_item_id, quantity: 1 }] });
    await fulfill(shop, placed, { line_items: [{ line_item_id, quantity: 1 }] });
    await shop.announced();

    const undone = await undo(shop, part);

    expect(undone.body).toMatchObject({
      fulfillment_status: "partially_fulfilled",
      line_items: [{ fulfilled_quantity: 1 }],
    });
    expect(await shop.announced()).toMatchObject([{ data: { unfulfilled: false } }]);
  });

  test("undone a second time answers the order unchanged", async () => {
    const sent = await fulfill(shop, await place(shop, [of(await mug(shop))]));
    const undone = await undo(shop, sent);
    const before = await standing(shop);

    const again = await undo(shop, sent, { note: "Again" });

    expect([again.status, again.text]).toEqual([200, undone.text]);
    expect(await standing(shop)).toEqual(before);
  });

  test("undone twice at the same time is undone once", async () => {
    const cup = await mug(shop);
    const sent = await fulfill(shop, await place(shop, [of(cup, 2)]));
    await shop.announced();

    const answers = await Promise.all([undo(shop, sent), undo(shop, sent)]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await stock(shop, cup)).toEqual([10, 2, 8]);
    expect(await shop.announcedNames()).toEqual(["order.updated"]);
  });

  test("is sent after all, and announces it anew", async () => {
    const cup = await mug(shop);
    const sent = await fulfill(shop, await place(shop, [of(cup, 2)], PAID));
    await undo(shop, sent);
    await shop.announced();

    const again = await fulfill(shop, sent);

    expect(again.body).toMatchObject({ status: "completed", fulfillment_status: "fulfilled" });
    expect(again.list("/fulfillments")).toHaveLength(2);
    expect(await stock(shop, cup)).toEqual([8, 0, 8]);
    expect(await shop.announced()).toMatchObject([
      { event: "order.fulfilled", data: { fulfillment: again.at("/fulfillments/1") } },
    ]);
  });

  test("leaves an order that can be cancelled, and no difference for the check", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const sent = await fulfill(shop, await place(shop, [of(cup, 2)], PAID));
    await undo(shop, sent);
    const other = await fulfill(shop, await place(shop, [of(cup)]));
    await undo(shop, other);
    await fulfill(shop, other);

    const cancelled = await cancel(shop, sent);

    expect([cancelled.status, cancelled.at("/status")]).toEqual([200, "cancelled"]);
    expect(await Array.fromAsync(auditOrders(shop.test.database.read))).toEqual([]);
    expect(await Array.fromAsync(auditStock(shop.test.database.read))).toEqual([]);
  });

  test("of an unpaid order gives it the time of a new one to be paid", async () => {
    await using shop = await openTestShop();
    const placed = await place(shop, [of(await mug(shop))], { payment_method: "bank_transfer" });
    const given = Date.parse(placed.string("/expires_at")) - shop.clock.now();
    shop.clock.advance(HOUR_MS);
    const sent = await fulfill(shop, placed);
    shop.clock.advance(given * 2);

    const undone = await undo(shop, sent);

    const expiresAt = Date.parse(undone.string("/expires_at"));
    expect(expiresAt).toBe(shop.clock.now() + given);
    shop.clock.advance(given);
    await shop.duka.timers.test.fireDue();
    expect((await reread(shop, placed)).at("/status")).toBe("cancelled");
  });

  test("takes one fulfilled order back on its day", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const sent = await fulfill(shop, await place(shop, [of(cup)], PAID));
    await fulfill(shop, await place(shop, [of(cup)], PAID));
    await undo(shop, sent);

    const summary = await shop.get("/v2/analytics/summary");

    expect(summary.at("/currencies/0/orders/fulfilled")).toBe(1);
  });
});

describe("undoing a shipment is refused", () => {
  test("where units of it came back", async () => {
    const cup = await mug(shop);
    const sent = await fulfill(shop, await place(shop, [of(cup, 2)]));
    const line_item_id = sent.at("/line_items/0/id");
    await shop.post(`/v2/orders/${sent.id}/returns`, {
      line_items: [{ line_item_id, quantity: 1 }],
    });
    const before = await standing(shop);

    const refused = await undo(shop, sent);

    expect([refused.status, refused.code]).toEqual([409, "fulfillment_returned"]);
    expect(await standing(shop)).toEqual(before);
  });

  test("of a cancelled order", async () => {
    const sent = await fulfill(shop, await place(shop, [of(await mug(shop))]));
    await undo(shop, sent);
    await cancel(shop, sent);

    const refused = await undo(shop, sent);

    expect([refused.status, refused.code]).toEqual([409, "invalid_transition"]);
  });

  test("of another version of the order", async () => {
    const sent = await fulfill(shop, await place(shop, [of(await mug(shop))]));
    const headers = { "If-Match": '"1"' };

    const refused = await shop.post(pathOf(sent), {}, { headers });

    expect([refused.status, refused.code]).toEqual([412, "stale_version"]);
  });

  test("of a fulfillment that the order does not have", async () => {
    const { id } = await place(shop, [of(await mug(shop))]);

    const refused = await shop.post(`/v2/orders/${id}/fulfillments/${NO_FULFILLMENT}/cancel`);

    expect([refused.status, refused.code]).toEqual([404, "fulfillment_not_found"]);
  });

  test("and so is new tracking for one that was undone", async () => {
    const sent = await fulfill(shop, await place(shop, [of(await mug(shop))]));
    const undone = await undo(shop, sent);
    const path = `/v2/orders/${sent.id}/fulfillments/${sent.string("/fulfillments/0/id")}`;

    const refused = await shop.put(path, { tracking: { number: "JD01" } });
    const same = await shop.put(path, { tracking: null });

    expect([refused.status, refused.code]).toEqual([409, "invalid_transition"]);
    expect([same.status, same.text]).toEqual([200, undone.text]);
  });
});
