// Payments whose bank needs days: while Stripe says that it works on one, neither it nor its order expires.

import { expect, test } from "bun:test";

import { initialize, pass } from "../../payments/scripted-shop.ts";
import { faultsOf, ofOrder, openStripeShop, payOnPage, type StripeShop } from "./stripe-shop.ts";

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

/** An order whose payer has left the page to a bank that works. */
async function leftToBank(opened: StripeShop): Promise<{ order: string; payment: string }> {
  const { id: order } = await opened.order();
  const { id: payment } = await initialize(opened.shop, { order_id: order, method: "gateway" });
  await payOnPage(opened, "pm_test_pendingThenSuccess");
  await opened.told();
  return { order, payment };
}

async function statusOf({ shop }: StripeShop, payment: string): Promise<unknown> {
  return (await shop.get(`/v2/payments/${payment}`)).at("/status");
}

async function daysPass({ shop }: StripeShop, days: number): Promise<void> {
  for (let half = 0; half < 2 * days; half += 1) await pass(shop, DAY_S / 2);
}

/** How often sessions were read since so many requests, and how often one was to be closed. */
function asksSince({ face }: StripeShop, requests: number): { reads: number; closes: number } {
  const asked = face.server.asked.slice(requests);
  return {
    reads: asked.filter(({ method }) => method === "GET").length,
    closes: asked.filter(({ method }) => method === "POST").length,
  };
}

test("a page whose bank needs days is processing, and paid on the fourth day", async () => {
  await using opened = await openStripeShop();
  const { order, payment } = await leftToBank(opened);

  await daysPass(opened, 4);
  const before = await statusOf(opened, payment);
  opened.face.pass(10_000);
  await opened.told();

  expect(before).toBe("processing");
  expect(await statusOf(opened, payment)).toBe("succeeded");
  expect(await ofOrder(opened, order)).toEqual(["paid", 12.5, 0]);
  expect(await faultsOf(opened)).toEqual([]);
});

test("its customer has nothing left to do", async () => {
  await using opened = await openStripeShop();
  const { payment } = await leftToBank(opened);

  const { body } = await opened.shop.get(`/v2/payments/${payment}`);

  expect(body).toMatchObject({ status: "processing", next_action: null });
});

test("it is polled by its plan, and never to be closed", async () => {
  await using opened = await openStripeShop();
  await leftToBank(opened);
  const { length } = opened.face.server.asked;

  await pass(opened.shop, 6 * HOUR_S);

  expect(asksSince(opened, length)).toEqual({ reads: 8, closes: 0 });
});

test("it is polled daily while its order waits past its end", async () => {
  await using opened = await openStripeShop();
  const { order } = await leftToBank(opened);
  await daysPass(opened, 4);
  const { length } = opened.face.server.asked;

  await daysPass(opened, 3);

  expect(asksSince(opened, length)).toEqual({ reads: 3, closes: 0 });
  expect((await opened.shop.get(`/v2/orders/${order}`)).at("/status")).toBe("open");
});

test("one on which the bank works for more than two weeks is left to the merchant", async () => {
  await using opened = await openStripeShop();
  const { payment } = await leftToBank(opened);

  await daysPass(opened, 13.5);
  const before = await statusOf(opened, payment);
  await daysPass(opened, 0.5);

  expect([before, await statusOf(opened, payment)]).toEqual(["processing", "review"]);
});

test("one that its bank declines after days has failed", async () => {
  await using opened = await openStripeShop();
  const { id } = await opened.order();
  const payment = await initialize(opened.shop, { order_id: id, method: "gateway" });
  await payOnPage(opened, "pm_test_pendingThenFail");
  await daysPass(opened, 2);

  opened.face.pass(10_000);
  await opened.told();

  const { body } = await opened.shop.get(`/v2/payments/${payment.id}`);
  expect(body).toMatchObject({ status: "failed", failure_code: "declined" });
});
