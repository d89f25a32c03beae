// A gateway may give back multiples of a currency's smallest unit alone.

import { expect, test } from "bun:test";

import type { CurrencyTerms } from "#payments/port/gateway.ts";

import { ScriptedGateway } from "../../support/scripted-gateway.ts";
import {
  initialize,
  openScriptedShop,
  orderCounter,
  paidAtGateway,
  type ScriptedShop,
} from "../scripted-shop.ts";

/** Takes whole dollars, and nothing once it is closed to new payments. */
class WholeDollars extends ScriptedGateway {
  isClosed = false;

  override takes(): CurrencyTerms | null {
    return this.isClosed ? null : { multipleMinor: 100, minimumMinor: 100, maximumMinor: null };
  }
}

async function paidOrder(of: ScriptedShop): Promise<string> {
  const order = await (await orderCounter(of.shop))({}, 2);
  const payment = await initialize(of.shop, { order_id: order.id });
  await paidAtGateway(of, payment.id);
  return order.id;
}

test("a refund of less than the gateway's smallest coin is refused", async () => {
  const gateway = new WholeDollars();
  await using opened = await openScriptedShop({ gateways: [gateway] });
  const order = await paidOrder({ ...opened, gateway });

  const refused = await opened.shop.post(`/v2/orders/${order}/refunds`, { amount: "2.50" });

  expect([refused.status, refused.faults]).toEqual([422, ["#/amount amount_precision"]]);
});

test("a gateway that takes no new payment gives back any amount of an old one", async () => {
  const gateway = new WholeDollars();
  await using opened = await openScriptedShop({ gateways: [gateway] });
  const order = await paidOrder({ ...opened, gateway });
  gateway.isClosed = true;

  const refund = await opened.shop.post(`/v2/orders/${order}/refunds`, { amount: "2.50" });

  expect([refund.status, refund.at("/amount_minor")]).toEqual([201, 250]);
});
