// A shop that goes on from a backup: its gateway knows what happened since.

import { expect, test } from "bun:test";
import { cpSync } from "node:fs";

import { openScratchFolder } from "../support/scratch.ts";
import { notSent, ScriptedGateway } from "../support/scripted-gateway.ts";
import { openTestShop } from "../support/shop.ts";
import { initialize, orderCounter, pass, settle } from "./scripted-shop.ts";

const DAY_MS = 86_400_000;
const HOUR_S = 3_600;

// Regression: it was sent a second time, when the gateway had forgotten the key of the first.
test("a refund that waited in the backup and was sent since is not sent again", async () => {
  using folder = openScratchFolder();
  using backup = openScratchFolder();
  const gateway = new ScriptedGateway();
  const before = await openTestShop({ folder, gateways: [gateway] });
  const order = await (await orderCounter(before))({}, 2);
  const payment = await initialize(before, { order_id: order.id });
  gateway.pay(payment.id);
  await pass(before, 15);
  gateway.nextRefund = notSent;
  const refund = await before.post(`/v2/payments/${payment.id}/refunds`, { amount: 5 });
  await before[Symbol.asyncDispose]();
  cpSync(folder.path, backup.path, { recursive: true });
  const { key } = before;
  const since = await openTestShop({ folder, key, gateways: [gateway] });
  await pass(since, HOUR_S);
  await since[Symbol.asyncDispose]();
  const { payouts } = gateway;

  await using restored = await openTestShop({ folder: backup, key, gateways: [gateway] });
  restored.clock.advance(90 * DAY_MS);
  await settle(restored);

  expect([gateway.refunds.size, gateway.payouts]).toEqual([1, payouts]);
  const found = await restored.get(`/v2/refunds/${refund.id}`);
  expect(found.at("/status")).toBe("succeeded");
});
