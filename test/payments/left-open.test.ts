// Attempts that a gateway does not close, because it works on them, and those that are in the way of a new one.

import { describe, expect, test } from "bun:test";

import type { CancelOutcome, PaymentOutcome } from "#payments/port/gateway.ts";

import { ScriptedGateway } from "../support/scripted-gateway.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";
import { initialize, orderCounter, pass } from "./scripted-shop.ts";

const HOUR_S = 3_600;

/** It keeps what it was asked for, and says that it works on it. */
class WorkingGateway extends ScriptedGateway {
  /** What it answers to a poll, and to who would close the attempt. */
  outcome: PaymentOutcome = { state: "pending", names: [] };
  closes = 0;

  override async verify(): Promise<PaymentOutcome> {
    this.polls += 1;
    return this.outcome;
  }

  override async cancel(): Promise<CancelOutcome> {
    this.closes += 1;
    return { kind: "too_late", outcome: this.outcome };
  }
}

const working = { state: "pending", names: [], isWorking: true } as const;

async function openWorkingShop() {
  const gateway = new WorkingGateway();
  const shop = await openTestShop({ gateways: [gateway] });
  const order = await orderCounter(shop);
  const { id } = await initialize(shop, { order_id: (await order()).id, method: "gateway" });
  return {
    shop,
    gateway,
    read: async () => (await shop.get(`/v2/payments/${id}`)).at("/status"),
    cancel: () => shop.post(`/v2/payments/${id}/cancel`, {}),
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  };
}

test("an attempt that its gateway would not close is to be closed an hour later", async () => {
  await using opened = await openWorkingShop();
  const { shop, gateway } = opened;

  await pass(shop, 6 * HOUR_S);

  expect([await opened.read(), gateway.closes]).toEqual(["requires_action", 6]);
});

test("an attempt whose gateway is found to work when it is to be closed is processing", async () => {
  await using opened = await openWorkingShop();
  opened.gateway.outcome = working;

  const cancelled = await opened.cancel();

  expect([cancelled.status, cancelled.at("/status")]).toEqual([200, "processing"]);
  await pass(opened.shop, 6 * HOUR_S);
  expect([await opened.read(), opened.gateway.closes]).toEqual(["processing", 1]);
});

test("an attempt on which its gateway works stays so while the gateway is silent", async () => {
  await using opened = await openWorkingShop();
  opened.gateway.outcome = working;
  await pass(opened.shop, HOUR_S);

  opened.gateway.outcome = { state: "unknown" };
  for (let day = 0; day < 4; day += 1) await pass(opened.shop, 24 * HOUR_S);

  expect(await opened.read()).toBe("processing");
});

test("a closed attempt on which its gateway works is polled for two weeks", async () => {
  await using opened = await openWorkingShop();
  const { shop, gateway } = opened;
  gateway.cancel = () => Promise.resolve({ kind: "unknown" });
  await opened.cancel();
  gateway.outcome = working;
  for (let day = 0; day < 5; day += 1) await pass(shop, 24 * HOUR_S);
  const { polls } = gateway;

  for (let day = 0; day < 20; day += 1) await pass(shop, 24 * HOUR_S);

  expect([await opened.read(), gateway.polls - polls]).toEqual(["cancelled", 9]);
});

describe("an attempt that asks for more than is due by now", () => {
  /** Two mugs at 25.00 with an attempt to pay them; 10.00 were then paid in cash, and no timer has fired since. */
  async function partlyPaid(shop: TestShop) {
    const order_id = (await (await orderCounter(shop))({}, 2)).id;
    const attempt = await initialize(shop, { order_id, method: "gateway" });
    const cash = await initialize(shop, { order_id, method: "cash", amount: 10 });
    await shop.post(`/v2/payments/${cash.id}/confirm`, { amount: 10, currency: "USD" });
    return { order_id, read: () => shop.get(`/v2/payments/${attempt.id}`) };
  }

  test("is closed when the customer asks to pay the rest", async () => {
    await using shop = await openTestShop({ gateways: [new ScriptedGateway()] });
    const { order_id, read } = await partlyPaid(shop);

    const rest = await initialize(shop, { order_id, method: "gateway" });

    expect([rest.status, rest.at("/amount")]).toEqual([201, 15]);
    expect((await read()).at("/status")).toBe("cancelled");
  });

  test("counts as none of the three that a publishable key may open", async () => {
    await using shop = await openTestShop({ gateways: [new ScriptedGateway()] });
    const order_id = (await (await orderCounter(shop))({}, 2)).id;
    const key = await shop.createKey({ scopes: ["storefront"] });
    const ask = (body: object) =>
      shop.post("/v2/payments/initialize", { order_id, ...body }, { key });
    for (const last of [1, 2, 3]) {
      await ask({ method: "mobile_money", phone: `+23355123400${last}` });
    }
    const cash = await initialize(shop, { order_id, method: "cash", amount: 10 });
    await shop.post(`/v2/payments/${cash.id}/confirm`, { amount: 10, currency: "USD" });

    const rest = await ask({ method: "gateway" });

    expect([rest.status, rest.at("/amount")]).toEqual([201, 15]);
  });

  test("is in the way while its gateway works on it", async () => {
    await using shop = await openTestShop({ gateways: [new WorkingGateway()] });
    const { order_id, read } = await partlyPaid(shop);

    const rest = await initialize(shop, { order_id, method: "gateway" });

    expect([rest.status, rest.code]).toEqual([409, "attempt_open"]);
    expect((await read()).at("/status")).toBe("requires_action");
  });
});
