// What a customer seemed to have twice, until the gateway failed one of the two: then no one has to get it back.

import { expect, test } from "bun:test";

import { projectBookings } from "#books/project-bookings.ts";

import { eventCounts } from "../payments/scripted-shop.ts";
import { rowsBehind } from "../support/behind-the-shop.ts";
import type { TestShop } from "../support/shop.ts";
import {
  faultsOf as faultsAtPaystack,
  ofOrder,
  openPaystackShop,
  payByPhone,
} from "./paystack/paystack-shop.ts";
import { faultsOf, openStripeShop, payByCard, refundsOf } from "./stripe/stripe-shop.ts";

const HOUR_S = 3_600;

test("the fees that the payer bore wait for no one once the refund of all of it has failed", async () => {
  await using opened = await openPaystackShop({ refundMs: HOUR_S * 1000 });
  const { shop, face } = opened;
  face.account.payerBearsFees = true;
  const { id } = await opened.order();
  await payByPhone(opened, id, "97");
  await opened.pass(60);
  const [transaction] = face.account.transactions.values();
  face.refundInDashboard(transaction?.reference ?? "", transaction?.amount ?? 0);
  await opened.told();
  const worklist = async () =>
    (await shop.get("/v2/refunds?status=needs_attention")).list("/data").map(Object);
  const before = await worklist();

  await opened.pass(2 * HOUR_S);
  await opened.told();

  expect(before).toMatchObject([{ attention: "paid_twice", amount: 0.25 }]);
  expect(await worklist()).toEqual([]);
  expect(await ofOrder(opened, id)).toEqual(["paid", 12.5, 0]);
  expect(await faultsAtPaystack(opened)).toEqual([]);
});

test("a refund that was paid after it was closed, and sent back by the bank, is closed", async () => {
  await using opened = await openStripeShop();
  const { shop, face } = opened;
  const { id: orderId } = await opened.order();
  const paid = await payByCard(opened, orderId, "pm_test_refundNeedsAttention");
  const { id } = await shop.post(`/v2/payments/${paid.id}/refunds`, {});
  await shop.post(`/v2/refunds/${id}/close`, { note: "In cash" });
  const attention = async () => (await shop.get(`/v2/refunds/${id}`)).at("/attention");
  const [refund] = face.account.refunds.all();
  face.dashboard.topUp(refund?.id ?? "");
  await opened.told();
  const before = await attention();

  face.dashboard.failRefund(refund?.id ?? "");
  await opened.told();

  expect([before, await attention()]).toEqual(["paid_twice", null]);
  expect(await refundsOf(opened, paid.id)).toEqual(["closed 12.5"]);
  expect(await faultsOf(opened)).toEqual([]);
});

test("what was paid twice and sent back by the bank is booked back at the gateway", async () => {
  await using opened = await openStripeShop();
  const { shop, face } = opened;
  const { id: orderId } = await opened.order();
  const paid = await payByCard(opened, orderId, "pm_test_refundNeedsAttention");
  const { id } = await shop.post(`/v2/payments/${paid.id}/refunds`, {});
  await shop.post(`/v2/refunds/${id}/close`, { method: "cash" });
  const [refund] = face.account.refunds.all();
  face.dashboard.topUp(refund?.id ?? "");
  await opened.told();
  const before = await booked(shop);

  face.dashboard.failRefund(refund?.id ?? "");
  await opened.told();
  await opened.told();

  expect(before).toEqual(["money cash -1250", "unassigned  1250"]);
  expect(await booked(shop)).toEqual(["money cash -1250", "money stripe 1250"]);
  expect((await eventCounts(shop, orderId))["refund.excess_returned"]).toBe(1);
});

/** What the books say of money and of what belongs to nothing; sums of zero are left out. */
async function booked({ test: { database }, folder }: TestShop): Promise<string[]> {
  for (let isMore = true; isMore;) isMore = await database.write(projectBookings);
  const rows = await rowsBehind(
    folder.path,
    `SELECT account, detail, cast(sum(amount_minor) AS bigint) AS minor FROM bookings
     WHERE account IN ('money', 'unassigned') GROUP BY account, detail HAVING sum(amount_minor) <> 0
     ORDER BY account, detail`,
  );
  return rows.map(({ account, detail, minor }) => [account, detail, minor].map(String).join(" "));
}
