// The program was off for days, and starts before its machine has a network.

import { expect, test } from "bun:test";

import { saveClockOffset } from "#platform/scheduler/shop-clock.ts";

import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { ScriptedGateway } from "../support/scripted-gateway.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";
import { initialize, orderCounter, pass, settle } from "./scripted-shop.ts";

const DAY_MS = 86_400_000;
const HOUR_S = 3_600;

const offline = () => Promise.reject(new Error("There is no network."));
const online = async () => {};

/** A shop that starts four days after a customer opened a page to pay, with a gateway that cannot be reached. */
async function startLater(folder: ScratchFolder) {
  const gateway = new ScriptedGateway();
  const { key, order, payment } = await openPage(folder, gateway);
  gateway.pause = offline;
  const shop = await openTestShop({ folder, key, gateways: [gateway] });
  await settle(shop);
  const statuses = async () => {
    const found = await shop.get(`/v2/orders/${order}`);
    const attempt = await shop.get(`/v2/payments/${payment}`);
    return [found.at("/status"), found.at("/payment_status"), attempt.at("/status")].join(" ");
  };
  return { shop, gateway, payment, statuses };
}

async function openPage(folder: ScratchFolder, gateway: ScriptedGateway) {
  await using shop: TestShop = await openTestShop({ folder, gateways: [gateway] });
  const order = await (await orderCounter(shop))();
  const payment = await initialize(shop, { order_id: order.id });
  // The next start is so much later.
  await shop.test.database.write((tx) => saveClockOffset(tx, 4 * DAY_MS));
  return { key: shop.key, order: order.id, payment: payment.id };
}

// Regression: the first poll without an answer sent the payment to review, and its order was cancelled later.
test("an attempt is polled until the gateway can be reached", async () => {
  using folder = openScratchFolder();
  const later = await startLater(folder);
  await using shop = later.shop;
  const before = await later.statuses();
  later.gateway.pay(later.payment);
  later.gateway.pause = online;

  await pass(shop, 20 * 60);

  expect([before, await later.statuses()]).toEqual([
    "open pending requires_action",
    "open paid succeeded",
  ]);
});

test("an attempt is in review once the gateway was silent for an hour", async () => {
  using folder = openScratchFolder();
  const later = await startLater(folder);
  await using shop = later.shop;

  await pass(shop, 2 * HOUR_S);

  expect(await later.statuses()).toBe("open review review");
});
