// Much at once: a notice that comes hundreds of times, and an hour in which Stripe refuses every call as too many.

import { expect, test } from "bun:test";

import { initialize, pass, settle } from "../../payments/scripted-shop.ts";
import { faultsOf, ofOrder, openStripeShop, payByCard, payOnPage } from "./stripe-shop.ts";

const limit = { moment: "before", fault: { kind: "rate_limit" } } as const;

test("a notice that comes hundreds of times has the payment asked for once in ten seconds", async () => {
  await using opened = await openStripeShop();
  const { id } = await opened.order();
  await initialize(opened.shop, { order_id: id, method: "gateway" });
  await payOnPage(opened);
  const { asked } = opened.face.server;
  const before = asked.length;

  const statuses = await opened.face.notices.send({ copies: 300 });
  await settle(opened.shop);
  const during = asked.length - before;
  await pass(opened.shop, 60);

  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(during).toBeLessThan(5);
  expect(await ofOrder(opened, id)).toEqual(["paid", 12.5, 0]);
});

test("an hour of refused calls charges and refunds nothing, and then everything once", async () => {
  await using opened = await openStripeShop();
  const paid = await opened.order();
  const { id: refunded } = await payByCard(opened, paid.id);
  const open = await opened.order();
  await initialize(opened.shop, { order_id: open.id, method: "gateway" });
  opened.face.faults.scatter({ seed: 1, percent: 100, faults: [limit] });
  const { asked } = opened.face.server;
  const before = asked.length;

  const refund = await opened.shop.post(`/v2/payments/${refunded}/refunds`, { amount: 5 });
  await opened.face.payOnPage(opened.face.account.sessions.all().at(-1)?.id ?? "", "pm_card_visa");
  const charged = opened.face.account.charges.all().length;
  await pass(opened.shop, 3_600);
  const calls = asked.length - before;
  opened.face.faults.end();
  await pass(opened.shop, 7_200);

  expect(refund.at("/status")).toBe("pending");
  // The page was paid at the vendor meanwhile.
  expect([charged, opened.face.account.charges.all().length]).toEqual([2, 2]);
  expect(calls).toBeLessThan(80);
  expect(opened.face.account.refunds.all()).toHaveLength(1);
  expect(await ofOrder(opened, open.id)).toEqual(["paid", 12.5, 0]);
  expect(await ofOrder(opened, paid.id)).toEqual(["partially_refunded", 12.5, 5]);
  expect(await faultsOf(opened)).toEqual([]);
});
