// Refunds that the bank returns days after they were paid: what was counted as refunded is taken back.

import { beforeAll, describe, expect, test } from "bun:test";

import { rebuildAnalytics } from "#analytics/projection/project-events.ts";
import { auditAnalytics } from "#analytics/summary/audit-analytics.ts";

import {
  initialize,
  notify,
  orderCounter,
  pass,
  settle,
  sharedScriptedShop,
} from "../payments/scripted-shop.ts";
import type { Answered } from "../support/shop.ts";

const DAY_S = 86_400;

const { shop, gateway } = sharedScriptedShop();
/** A sale of 25.00 of which 10.00 went back, and came back to the gateway two days later. Tests only read of it. */
let order: Answered;

beforeAll(async () => {
  order = await (await orderCounter(shop))({}, 2);
  const payment = await initialize(shop, { order_id: order.id });
  gateway.pay(payment.id);
  await pass(shop, 15);
  await shop.post(`/v2/payments/${payment.id}/refunds`, { amount: 10 });
  await pass(shop, 2 * DAY_S);
  for (const reference of gateway.refunds.keys()) gateway.bounced.add(`r-${reference}`);
  await notify(shop, gateway, { payment: payment.id, id: "bounced", topic: "refund" });
  await settle(shop);
});

async function refundsOf(span: string): Promise<unknown[]> {
  const answer = await shop.get(`/v2/analytics/summary?${span}&currency=USD`);
  return [
    answer.at("/currencies/0/revenue/refunds_minor"),
    answer.at("/currencies/0/revenue/net_minor"),
  ];
}

const [WHOLE, SECOND] = ["from=2026-01-05&to=2026-01-09", "from=2026-01-07&to=2026-01-09"];

describe("a refund that failed after it was counted", () => {
  test("is taken back on the day on which it failed", async () => {
    expect(await refundsOf(WHOLE)).toEqual([0, 2_500]);
    expect(await refundsOf(SECOND)).toEqual([-1_000, 1_000]);
  });

  test("is the same once the figures are rebuilt from the log, and no audit finds a difference", async () => {
    const { database } = shop.test;

    expect(await Array.fromAsync(auditAnalytics(database.read))).toEqual([]);
    await rebuildAnalytics(database);

    expect(await refundsOf(SECOND)).toEqual([-1_000, 1_000]);
  });

  test("is told by its event with what is refunded of the sale without it", async () => {
    const events = await shop.get(`/v2/orders/${order.id}/events`);
    const last = events
      .list("/data")
      .map(Object)
      .findLast(({ type }) => type === "refund.failed");

    expect(last.data.undone).toMatchObject({
      sale_refunded_total: 0,
      sale_refunded_total_minor: 0,
    });
  });

  test("is money of the cash-up of that day again", async () => {
    const before = await shop.get("/v2/cash-up?day=2026-01-05");
    const after = await shop.get("/v2/cash-up?day=2026-01-07");

    expect(before.at("/currencies/0")).toMatchObject({ refunds: 1, refunded: 10, net: 15 });
    expect(after.at("/currencies/0")).toMatchObject({ refunds: 0, refunded: -10, net: 10 });
  });
});
