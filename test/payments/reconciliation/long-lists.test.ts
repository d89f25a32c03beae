// A gateway whose list of refunds is longer than what is read of it at once.

import { expect, test } from "bun:test";

import type { ListedReturns } from "#payments/port/gateway.ts";
import { findReturned } from "#payments/reconciliation/listed-returns.ts";

import { ScriptedGateway } from "../../support/scripted-gateway.ts";
import { openTestShop } from "../../support/shop.ts";
import { initialize, orderCounter, pass } from "../scripted-shop.ts";

const DAY_MS = 86_400_000;

/** A gateway that lists what was refunded elsewhere within two days; more are too many. */
class BusyGateway extends ScriptedGateway {
  async listRefunds(sinceMs: number): Promise<ListedReturns> {
    if (sinceMs < Date.now() - 2 * DAY_MS) return { kind: "unknown" };
    const returns = this.elsewhere.map(({ gatewayRefundId, gatewayReference }) => ({
      name: gatewayRefundId,
      gatewayReference,
      names: [],
    }));
    return { kind: "found", returns };
  }
}

// Regression: a list of a week that was too long told of none of its refunds.
test("refunds of the last day are found where those of a week are too many", async () => {
  const gateway = new BusyGateway();
  await using shop = await openTestShop({ gateways: [gateway] });
  const order = await (await orderCounter(shop))({}, 2);
  const payment = await initialize(shop, { order_id: order.id });
  gateway.pay(payment.id);
  await pass(shop, 15);
  gateway.refundElsewhere(payment.id, 1_000);

  await findReturned(shop.test, Date.now());
  await pass(shop, 11);

  expect((await shop.get(`/v2/orders/${order.id}`)).at("/refunded_total")).toBe(10);
});
