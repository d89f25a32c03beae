// Refunds that people make at the vendor, and whose notice comes while the shop is busy with the same payment.

import { expect, test } from "bun:test";

import { pass } from "../payments/scripted-shop.ts";
import { openPaystackShop, payByPhone } from "./paystack/paystack-shop.ts";
import { strikeAfter } from "./strike-after.ts";
import { ofOrder, openStripeShop, payByCard, refundsOf } from "./stripe/stripe-shop.ts";

const DAY_S = 86_400;

test("a refund of the dashboard that is reported just before the answer to the shop's own is taken over", async () => {
  await using opened = await openStripeShop();
  const { id } = await opened.order();
  const payment = await payByCard(opened, id);
  await opened.told();
  const [intent] = opened.face.account.intents.all();
  opened.face.dashboard.refund(intent?.id ?? "", { amountMinor: 500 });
  strikeAfter(opened.gateway, "refund", () => opened.face.notices.send());

  await opened.shop.post(`/v2/payments/${payment.id}/refunds`, { amount: 2 });
  await pass(opened.shop, DAY_S);

  expect(await ofOrder(opened, id)).toEqual(["partially_refunded", 12.5, 7]);
  expect((await refundsOf(opened, payment.id)).toSorted()).toEqual([
    "succeeded 2",
    "succeeded 5 elsewhere",
  ]);
});

test("a refund that is reported while another is read is taken over, too", async () => {
  await using opened = await openStripeShop();
  const { id } = await opened.order();
  const payment = await payByCard(opened, id);
  await opened.told();
  const intent = opened.face.account.intents.all()[0]?.id ?? "";
  opened.face.dashboard.refund(intent, { amountMinor: 300 });
  strikeAfter(opened.gateway, "findRefunds", async () => {
    opened.face.dashboard.refund(intent, { amountMinor: 400 });
    await opened.face.notices.send();
  });

  await opened.told();
  await pass(opened.shop, DAY_S);

  expect((await refundsOf(opened, payment.id)).toSorted()).toEqual([
    "succeeded 3 elsewhere",
    "succeeded 4 elsewhere",
  ]);
});

test("a refund that is reported while the payment is found paid is taken over", async () => {
  await using opened = await openPaystackShop();
  const { id } = await opened.order();
  const payment = await payByPhone(opened, id);
  opened.face.pass(60_000);
  const [transaction] = opened.face.account.transactions.values();
  strikeAfter(opened.gateway, "verify", async () => {
    opened.face.refundInDashboard(transaction?.reference ?? "", 1250);
    await opened.face.notices.send();
  });

  await pass(opened.shop, 30);
  await opened.pass(DAY_S);

  const whole = await opened.shop.get(`/v2/payments/${payment.id}`);
  expect([whole.at("/status"), whole.at("/refunded_total")]).toEqual(["refunded", 12.5]);
});
