// What an order owes may change again while the money of the last change goes back.

import { describe, expect, test } from "bun:test";

import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { paymentTimers } from "#payments/routes/jobs.ts";
import { setTimer } from "#platform/scheduler/timers.ts";
import { settlingTimers } from "#sales/rows/order.ts";

import { mug } from "../../support/cast.ts";
import { type Answered, sharedShop } from "../../support/shop.ts";
import { auditsOf } from "../refund-counter.ts";
import { initialize, settle } from "../scripted-shop.ts";

const shop = sharedShop();

/** The shop, in which something happens after each commit. */
function afterEachCommit(of: PaymentsShop, happens: () => Promise<void>): PaymentsShop {
  const { database } = of;
  return {
    ...of,
    database: {
      ...database,
      write: async (story, options) => {
        const done = await database.write(story, options);
        await happens();
        return done;
      },
    },
  };
}

test("units that are cancelled while the money of others goes back are refunded, too", async () => {
  const { variantId } = await mug(shop, { price: 10 });
  const placed = await shop.post("/v2/orders", {
    line_items: [{ variant_id: variantId, quantity: 3 }],
    payment_method: "card",
  });
  const card = { method: "card", card_token: "pm_card_visa" };
  await initialize(shop, { order_id: placed.id, ...card });
  await settle(shop);
  const path = `/v2/orders/${placed.id}`;
  const line_items = [{ line_item_id: placed.at("/line_items/0/id"), quantity: 1 }];
  const cancelOne = (key: string) =>
    shop.put(`${path}/cancel`, { line_items }, { headers: { "Idempotency-Key": key } });
  let isCancelledAgain = false;
  const meanwhile = async () => {
    if (isCancelledAgain || (await shop.get(path)).at("/refunding_total") !== 10) return;
    isCancelledAgain = true;
    expect((await cancelOne("second")).status).toBe(200);
  };
  const work = paymentTimers.find(({ name }) => name === settlingTimers.refundOverpaid);
  if (work === undefined || !("runWith" in work)) throw new Error("Money goes back in a workflow.");

  expect((await cancelOne("first")).status).toBe(200);
  // As the runner claims it.
  const claimed = { name: work.name, subject: placed.id, dueAt: shop.clock.now() + 60_000 };
  await shop.test.database.write((tx) => setTimer(tx, claimed));
  await work.runWith(afterEachCommit(shop.test, meanwhile), placed.id, async () => true);
  await settle(shop);

  const order = await shop.get(path);
  expect([order.at("/payment_status"), order.at("/refunded_total")]).toEqual([
    "partially_refunded",
    20,
  ]);
  const refunds = (await shop.get(`/v2/refunds?order_id=${placed.id}`)).list("/data");
  expect(refunds).toMatchObject([{ reason: "order_cancelled" }, { reason: "order_cancelled" }]);
  expect(await auditsOf(shop)).toEqual([]);
});

/** Two mugs at 10.00, sent for 5.00 and paid by card. */
async function sendTwo(): Promise<{ placed: Answered; payment: Answered }> {
  const { variantId } = await mug(shop, { price: 10 });
  const placed = await shop.post("/v2/orders", {
    line_items: [{ variant_id: variantId, quantity: 2 }],
    payment_method: "card",
    shipping: { label: "Courier", amount: "5.00" },
  });
  const card = { method: "card", card_token: "pm_card_visa" };
  const payment = await initialize(shop, { order_id: placed.id, ...card });
  await settle(shop);
  expect((await shop.put(`/v2/orders/${placed.id}/fulfill`)).at("/status")).toBe("completed");
  return { placed, payment };
}

/** Both mugs come back, and their 20.00 are about to be refunded. */
async function takeBackBoth(placed: Answered): Promise<void> {
  const line_items = [{ line_item_id: placed.at("/line_items/0/id"), quantity: 2 }];
  const taken = await shop.post(`/v2/orders/${placed.id}/returns`, { line_items });
  expect(taken.at("/refund")).toBe(20);
}

/** What went back in the end. */
async function refundedOf(placed: Answered): Promise<unknown> {
  await settle(shop);
  expect(await auditsOf(shop)).toEqual([]);
  return (await shop.get(`/v2/orders/${placed.id}`)).at("/refunded_total");
}

describe("money for units that came back goes back in full", () => {
  test("beside a refund of the shipping that is asked for at once", async () => {
    const { placed } = await sendTwo();

    await takeBackBoth(placed);
    const made = await shop.post(`/v2/orders/${placed.id}/refunds`, { shipping: "5.00" });

    expect(made.at("/order/refunding_total")).toBe(25);
    expect(await refundedOf(placed)).toBe(25);
  });

  test("beside an amount that is asked for at once", async () => {
    const { placed } = await sendTwo();

    await takeBackBoth(placed);
    const made = await shop.post(`/v2/orders/${placed.id}/refunds`, { amount: "1.00" });

    expect(made.list("/refunds")).toMatchObject([{ amount: 1 }]);
    expect(await refundedOf(placed)).toBe(21);
  });

  test("beside an amount of the payment that is asked for at once", async () => {
    const { placed, payment } = await sendTwo();

    await takeBackBoth(placed);
    const made = await shop.post(`/v2/payments/${payment.id}/refunds`, { amount: "1.00" });

    expect(made.at("/amount")).toBe(1);
    expect(await refundedOf(placed)).toBe(21);
  });

  test("and an amount beyond what is left is refused as its preview is", async () => {
    const { placed } = await sendTwo();
    const body = { amount: "6.00" };

    await takeBackBoth(placed);
    const previewed = await shop.post(`/v2/orders/${placed.id}/refunds/preview`, body);
    const refused = await shop.post(`/v2/orders/${placed.id}/refunds`, body);

    expect([previewed.code, refused.code]).toEqual([
      "refund_exceeds_captured",
      "refund_exceeds_captured",
    ]);
    expect(await refundedOf(placed)).toBe(20);
  });
});
