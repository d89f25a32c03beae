// A gateway is asked for money only while the order takes money: what happened since the attempt was made is seen.

import { describe, expect, test } from "bun:test";

import type { CancelOutcome, Initiation } from "#payments/port/gateway.ts";

import { notSent, ScriptedGateway } from "../support/scripted-gateway.ts";
import { openTestShop } from "../support/shop.ts";
import { initialize, orderCounter } from "./scripted-shop.ts";

const byHand = { payment_methods: { bank_transfer: { enabled: true } } };

/** A gateway that does not answer cancellations, so that the shop has closed no attempt yet. */
class SilentGateway extends ScriptedGateway {
  codes = 0;
  readonly #ended = Promise.withResolvers<CancelOutcome>();

  override cancel(): Promise<CancelOutcome> {
    return this.#ended.promise;
  }

  override async submitAction(): Promise<Initiation> {
    this.codes += 1;
    return { kind: "unknown" };
  }

  [Symbol.dispose](): void {
    this.#ended.resolve({ kind: "unknown" });
  }
}

/** An order with an attempt that did not reach its gateway. */
async function openUnsent() {
  const gateway = new SilentGateway();
  const shop = await openTestShop({ gateways: [gateway] });
  await shop.put("/v2/store", byHand);
  const order = await (await orderCounter(shop))();
  gateway.nextAnswer = async () => notSent;
  const request = { order_id: order.id, method: "gateway" };
  const refused = await initialize(shop, request, "one");
  expect(refused.status).toBe(503);
  return { shop, gateway, order, again: () => initialize(shop, request, "one") };
}

describe("an attempt that did not reach its gateway is not sent again", () => {
  test("once its order was cancelled", async () => {
    const { shop: opened, gateway: silent, order, again } = await openUnsent();
    await using shop = opened;
    using gateway = silent;
    await shop.put(`/v2/orders/${order.id}/cancel`);

    const late = await again();

    expect([late.status, late.code, late.at("/from")]).toEqual([
      409,
      "invalid_transition",
      "cancelled",
    ]);
    expect(gateway.initiations).toBe(1);
  });

  test("once its order was paid otherwise", async () => {
    const { shop: opened, gateway: silent, order, again } = await openUnsent();
    await using shop = opened;
    using gateway = silent;
    const transfer = { order_id: order.id, method: "bank_transfer" };
    const { id } = await shop.post("/v2/payments/initialize", transfer);
    await shop.post(`/v2/payments/${id}/confirm`, { amount: 12.5 });

    const late = await again();

    expect([late.status, late.code]).toEqual([409, "order_paid"]);
    expect(gateway.initiations).toBe(1);
  });
});

test("a code is not submitted for an order that was cancelled since", async () => {
  const silent = new SilentGateway();
  await using shop = await openTestShop({ gateways: [silent] });
  using gateway = silent;
  const order = await (await orderCounter(shop))();
  gateway.nextAnswer = async () => ({ kind: "otp", displayText: "Enter the code.", names: [] });
  const phone = { method: "mobile_money", phone: "+233551234000" };
  const payment = await initialize(shop, { order_id: order.id, ...phone });
  await shop.put(`/v2/orders/${order.id}/cancel`);

  const late = await shop.post(`/v2/payments/${payment.id}/otp`, { otp: "123456" });

  expect([payment.at("/next_action/type"), late.status, late.code]).toEqual([
    "otp",
    409,
    "invalid_transition",
  ]);
  expect(gateway.codes).toBe(0);
});
