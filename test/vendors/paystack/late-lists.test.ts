// Paystack's lists are late: a refund that they lack may have been made nevertheless.

import { expect, test } from "bun:test";

import { eventCounts } from "../../payments/scripted-shop.ts";
import { faultsOf, ofOrder, openPaystackShop, payByPhone } from "./paystack-shop.ts";

const HOUR_S = 3_600;
const FIVE_MINUTES_S = 300;

/** A refund of so much of 25.00 whose answer was lost, and which no list has for an hour; and units in the dashboard. */
async function openLost(amount: number, elsewhere = 0) {
  const opened = await openPaystackShop();
  const { id } = await opened.order({}, 2);
  const { id: payment } = await payByPhone(opened, id, "80");
  await opened.told();
  const fault = { moment: "after", fault: { kind: "reset" } } as const;
  opened.face.faults.plan(fault, { call: "POST /refund" });
  opened.face.account.listsRefunds = false;
  const { shop } = opened;
  const refund = await shop.post(`/v2/payments/${payment}/refunds`, { amount });
  const [transaction] = opened.face.account.transactions.keys();
  if (elsewhere > 0) opened.face.refundInDashboard(transaction ?? "", elsewhere);
  await opened.told();
  for (let times = 0; times < 8; times += 1) await opened.pass(FIVE_MINUTES_S);
  const read = () => shop.get(`/v2/refunds/${refund.id}`);
  const listed = async () => {
    opened.face.account.listsRefunds = true;
    await opened.pass(HOUR_S);
  };
  const retry = () => shop.post(`/v2/refunds/${refund.id}/retry`);
  return { ...opened, id, read, listed, retry };
}

test("a refund in full that Paystack refuses to make again was made, and is the order's", async () => {
  await using opened = await openLost(25);
  const refused = await opened.read();

  await opened.listed();

  expect(refused.at("/status")).toBe("failed");
  expect((await opened.read()).at("/status")).toBe("succeeded");
  expect(await ofOrder(opened, opened.id)).toEqual(["refunded", 25, 25]);
  expect((await eventCounts(opened.shop, opened.id))["order.refunded"]).toBe(1);
  expect(await faultsOf(opened)).toEqual([]);
});

test("a refund that is tried again although it was made is not made a second time", async () => {
  await using opened = await openLost(5, 500);
  const failed = await opened.read();
  opened.face.account.listsRefunds = true;

  const tried = await opened.retry();
  await opened.told();

  expect([failed.at("/status"), failed.at("/failure_reason")]).toEqual([
    "failed",
    "refunded_elsewhere",
  ]);
  expect(tried.at("/status")).toBe("succeeded");
  expect(opened.face.account.refunds).toHaveLength(2);
  expect(await ofOrder(opened, opened.id)).toEqual(["partially_refunded", 25, 10]);
  expect(await faultsOf(opened)).toEqual([]);
});
