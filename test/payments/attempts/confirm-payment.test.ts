// Money by hand is recorded as it came.

import { describe, expect, test } from "bun:test";

import { cancel, of, place, reread } from "../../sales/orders/counter.ts";
import { mug } from "../../support/cast.ts";
import { type Answered, sharedShop } from "../../support/shop.ts";

const shop = sharedShop();

/** An order of 25.00 to be paid by transfer, and the promise to pay it. */
async function promised() {
  const order = await place(shop, [of(await mug(shop), 2)], { payment_method: "bank_transfer" });
  const payment = await shop.post("/v2/payments/initialize", { order_id: order.id });
  return { order, payment };
}

const confirm = ({ id }: Answered, body: object) => shop.post(`/v2/payments/${id}/confirm`, body);

describe("a confirmation records", () => {
  test("what was asked for, in the payment's currency", async () => {
    const { order, payment } = await promised();

    const confirmed = await confirm(payment, { amount: 25 });

    expect(confirmed.body).toMatchObject({ status: "succeeded", captured_total: 25 });
    expect((await reread(shop, order)).at("/payment_status")).toBe("paid");
  });

  test("less than was asked for, and the rest stays due", async () => {
    const { order, payment } = await promised();

    const confirmed = await confirm(payment, { amount: "10.00" });
    const rest = await shop.post("/v2/payments/initialize", { order_id: order.id });

    expect(confirmed.body).toMatchObject({
      status: "succeeded",
      amount: 25,
      captured_total: 10,
      received: { amount_minor: 1000 },
    });
    expect((await reread(shop, order)).body).toMatchObject({
      payment_status: "partially_paid",
      due: 15,
    });
    expect([rest.status, rest.at("/amount")]).toEqual([201, 15]);
  });

  test("more than was asked for, which is shown as overpaid and not given back", async () => {
    const { order, payment } = await promised();

    const confirmed = await confirm(payment, { amount: 30 });

    expect(confirmed.body).toMatchObject({ captured_total: 30, refunds: [] });
    expect((await reread(shop, order)).at("/payment_status")).toBe("overpaid");
    expect(await shop.announcedNames()).toContain("order.paid");
  });

  test("money for an order that was cancelled, which waits to be handed back", async () => {
    const { order, payment } = await promised();
    await cancel(shop, order);
    await shop.fireDue();
    await shop.announced();

    const confirmed = await confirm(payment, { amount: 25 });

    expect(confirmed.body).toMatchObject({
      status: "succeeded",
      captured_total: 25,
      refunds: [
        { status: "needs_attention", attention: "by_hand", amount: 25, reason: "order_cancelled" },
      ],
    });
    expect((await reread(shop, order)).body).toMatchObject({
      status: "cancelled",
      paid_total: 25,
      refunding_total: 25,
    });
    expect(await shop.announcedNames()).toEqual(["payment.succeeded", "refund.needs_attention"]);
  });

  test("money for a cancelled order once, however often it is confirmed", async () => {
    const { order, payment } = await promised();
    await cancel(shop, order);

    await Promise.all([1, 2, 3].map(() => confirm(payment, { amount: 25 })));

    expect((await shop.get(`/v2/refunds?order_id=${order.id}`)).list("/data")).toHaveLength(1);
  });

  test("money for an order that was paid otherwise meanwhile", async () => {
    const { order, payment } = await promised();
    const card = { order_id: order.id, method: "card", card_token: "pm_card_visa" };
    await shop.post("/v2/payments/initialize", card);

    const confirmed = await confirm(payment, { amount: 25 });

    expect(confirmed.body).toMatchObject({ status: "succeeded", refunds: [] });
    expect((await reread(shop, order)).body).toMatchObject({
      payment_status: "overpaid",
      paid_total: 50,
    });
  });

  test("what the merchant hands back by closing its refund", async () => {
    const { order, payment } = await promised();
    await cancel(shop, order);
    const confirmed = await confirm(payment, { amount: 25 });

    const closed = await shop.post(`/v2/refunds/${confirmed.string("/refunds/0/id")}/close`, {});

    expect([closed.status, closed.at("/status")]).toEqual([200, "closed"]);
    expect((await reread(shop, order)).at("/payment_status")).toBe("refunded");
  });
});

describe("a confirmation", () => {
  test("that is repeated changes nothing", async () => {
    const { payment } = await promised();
    const first = await confirm(payment, { amount: 10 });

    const again = await confirm(payment, { amount: 10 });

    expect(again.body).toEqual(first.body);
  });

  test.each([
    [{ amount: 15 }, 409, "amount_mismatch"],
    [{ amount: 10, currency: "GHS" }, 409, "amount_mismatch"],
    [{ amount: 0 }, 422, "validation_failed"],
  ])("of %j after one of 10.00 is refused", async (body, status, code) => {
    const { payment } = await promised();
    await confirm(payment, { amount: 10 });

    const refused = await confirm(payment, body);

    expect([refused.status, refused.code]).toEqual([status, code]);
  });

  test("of a gateway's payment is refused", async () => {
    const order = await place(shop, [of(await mug(shop))]);
    const payment = await shop.post("/v2/payments/initialize", { order_id: order.id });

    const refused = await confirm(payment, { amount: 12.5 });

    expect([refused.status, refused.code]).toEqual([409, "invalid_transition"]);
    expect(refused.at("/detail")).toStartWith("The gateway alone confirms this payment.");
    expect(refused.at("/allowed")).toEqual(["cancel"]);
  });

  test("is among what a refusal says is allowed of money by hand, until it came", async () => {
    const { payment } = await promised();
    const accept = () => shop.post(`/v2/payments/${payment.id}/accept`);

    const before = await accept();
    await confirm(payment, { amount: 25 });
    const after = await accept();

    expect(before.at("/allowed")).toEqual(["confirm", "cancel"]);
    expect(after.at("/allowed")).toEqual(["refund", "correct"]);
  });
});
