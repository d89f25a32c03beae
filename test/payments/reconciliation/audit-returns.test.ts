// The audit of money that went back: what was planted in the database is found, and a refund and a lost dispute that
// both took the money of a payment.

import { describe, expect, test } from "bun:test";

import { tamper } from "../../support/behind-the-shop.ts";
import { openTestShop } from "../../support/shop.ts";
import { openPaystackShop, payByPhone } from "../../vendors/paystack/paystack-shop.ts";
import { auditsOf, paidMug } from "../refund-counter.ts";
import { openScriptedShop } from "../scripted-shop.ts";

/** A payment of 12.50 whose payer asks their bank for the money back. */
async function openDisputed() {
  const opened = await openPaystackShop();
  const { id: orderId } = await opened.order();
  const { id: paymentId } = await payByPhone(opened, orderId, "80");
  const reference = [...opened.face.account.transactions.keys()][0] ?? "";
  const dispute = opened.face.dispute(reference);
  await opened.told();
  return { ...opened, paymentId, reference, dispute };
}

describe("a payment whose money went back twice", () => {
  test("by a dispute that was lost beside a refund of the dashboard is found", async () => {
    await using opened = await openDisputed();
    opened.face.refundInDashboard(opened.reference, 1250);
    await opened.told();
    const before = await auditsOf(opened.shop);

    opened.face.account.resolve(opened.dispute, "auto-accepted");
    await opened.told();

    expect(before).toEqual([]);
    expect(await auditsOf(opened.shop)).toEqual([
      {
        subject: opened.paymentId,
        what: "refunds and lost disputes",
        expected: "at most 1250",
        found: 2500,
      },
    ]);
  });

  test("is found where it was planted", async () => {
    await using opened = await openDisputed();
    opened.face.account.resolve(opened.dispute, "declined");
    await opened.told();
    await opened.shop.post(`/v2/payments/${opened.paymentId}/refunds`, { amount: 5 });
    await opened.told();
    expect(await auditsOf(opened.shop)).toEqual([]);

    await tamper(
      opened.shop.folder.path,
      "UPDATE disputes SET status = 'lost', money = 'withdrawn'",
    );

    expect(await auditsOf(opened.shop)).toMatchObject([
      { what: "refunds and lost disputes", found: 1750 },
    ]);
  });
});

test("a dispute of the whole payment, of which a part was refunded before, is no difference", async () => {
  await using shop = await openTestShop();
  const order = await shop.post("/v2/orders", {
    line_items: [{ name: "Mug", unit_price: "20.00", quantity: 1 }],
  });
  const card = { method: "card", card_token: "pm_card_createDispute" };
  const { id } = await shop.post("/v2/payments/initialize", { order_id: order.id, ...card });
  await shop.post(`/v2/payments/${id}/refunds`, { amount: 3 });

  await shop.post("/v2/test/clock/advance", { seconds: 10 });

  const disputed = await shop.get("/v2/disputes");
  expect(disputed.list("/data")).toMatchObject([{ payment_id: id, amount: 20 }]);
  expect(await auditsOf(shop)).toEqual([]);
});

test("a lost dispute alone is no difference", async () => {
  await using opened = await openDisputed();
  opened.face.account.resolve(opened.dispute, "merchant-accepted");

  await opened.told();

  expect(await auditsOf(opened.shop)).toEqual([]);
});

describe("a refund that does not fit its payment is found", () => {
  async function openRefunded() {
    const sale = await paidMug(await openScriptedShop());
    const path = `/v2/payments/${sale.payment.id}/refunds`;
    const refunds = [await sale.shop.post(path, { amount: 5 })];
    refunds.push(await sale.shop.post(path, { amount: 4 }));
    const [first, second] = refunds.map(({ id }) => id);
    return { ...sale, first, second };
  }

  test("by its order", async () => {
    const { shop, first, placed } = await openRefunded();
    await using _ = shop;

    await tamper(shop.folder.path, `UPDATE refunds SET order_id = NULL WHERE id = '${first}'`);

    expect(await auditsOf(shop)).toContainEqual({
      subject: first,
      what: "order",
      expected: placed.id,
      found: "none",
    });
  });

  test("by its currency", async () => {
    const { shop, first } = await openRefunded();
    await using _ = shop;

    await tamper(shop.folder.path, `UPDATE refunds SET currency = 'EUR' WHERE id = '${first}'`);

    expect(await auditsOf(shop)).toContainEqual({
      subject: first,
      what: "currency",
      expected: "USD",
      found: "EUR",
    });
  });

  test("by the name of another refund of the payment", async () => {
    const { shop, first, second } = await openRefunded();
    await using _ = shop;

    await tamper(shop.folder.path, `UPDATE refunds SET gateway_refund_id = 'r-${first}'`);

    expect(await auditsOf(shop)).toEqual([
      { subject: second, what: "name at scripted", expected: "its own", found: `r-${first}` },
    ]);
  });
});
