// A transaction that reads reversed has had its money: whether the shop has it is told by refunds and disputes alone.

import { expect, test } from "bun:test";

import { initialize } from "../../payments/scripted-shop.ts";
import { faultsOf, ofOrder, openPaystackShop, payByPhone, payOnPage } from "./paystack-shop.ts";

const HOUR_S = 3_600;
const DAY_S = 86_400;

/** A payment on a page, of which the shop has not heard yet. */
async function openUntold() {
  const opened = await openPaystackShop();
  const { id } = await opened.order();
  const payment = await initialize(opened.shop, { order_id: id });
  payOnPage(opened);
  const [transaction] = opened.face.account.transactions.values();
  if (transaction === undefined) throw new Error("There is no transaction.");
  const status = async () => (await opened.shop.get(`/v2/payments/${payment.id}`)).at("/status");
  return { ...opened, id, transaction, status };
}

test("money that went back without a refund or a dispute pays no order, and a person is told", async () => {
  await using opened = await openUntold();
  opened.transaction.isReversed = true;

  await opened.told();
  const before = await opened.status();
  for (let day = 0; day < 4; day += 1) await opened.pass(DAY_S);

  expect(before).not.toBe("succeeded");
  expect(await opened.status()).toBe("review");
  expect((await opened.shop.get(`/v2/orders/${opened.id}`)).at("/paid_total")).toBe(0);
});

test("a refund that its list has later has the payment paid, and given back", async () => {
  await using opened = await openUntold();
  opened.transaction.isReversed = true;
  await opened.told();
  opened.face.refundInDashboard(opened.transaction.reference, 1250);

  await opened.told();
  await opened.pass(HOUR_S);

  expect(await ofOrder(opened, opened.id)).toEqual(["refunded", 12.5, 12.5]);
  expect(await faultsOf(opened)).toEqual([]);
});

test("a dispute that was lost leaves the payment paid, and is announced", async () => {
  await using opened = await openPaystackShop();
  const { id } = await opened.order();
  const { id: payment } = await payByPhone(opened, id, "80");
  const [reference = ""] = opened.face.account.transactions.keys();
  opened.face.account.resolve(opened.face.dispute(reference), "merchant-accepted");
  opened.face.notices.lose("charge.dispute.create");
  opened.face.notices.lose("charge.dispute.resolve");

  await opened.told();
  await opened.pass(60);

  expect((await opened.shop.get(`/v2/payments/${payment}`)).at("/status")).toBe("succeeded");
  const disputes = await opened.shop.get("/v2/disputes");
  expect(disputes.list("/data")).toMatchObject([{ status: "lost", payment_id: payment }]);
});
