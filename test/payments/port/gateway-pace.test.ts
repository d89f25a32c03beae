// A gateway takes so many calls a minute: what is due beyond them waits for the next minute, and fails nothing.

import { expect, test } from "bun:test";

import { GatewayHealth } from "#payments/port/gateway-health.ts";

import { ScriptedGateway } from "../../support/scripted-gateway.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import { initialize, orderCounter, settle } from "../scripted-shop.ts";

class PacedGateway extends ScriptedGateway {
  override readonly id: string;
  readonly perMinute?: number;

  constructor(id: string, perMinute?: number) {
    super();
    this.id = id;
    if (perMinute !== undefined) this.perMinute = perMinute;
  }
}

/** An order for each name, with an attempt at that gateway whose first poll is due. */
async function openPayments(shop: TestShop, ...gateways: readonly string[]): Promise<void> {
  const order = await orderCounter(shop);
  for (const gateway of gateways) await initialize(shop, { order_id: (await order()).id, gateway });
  shop.clock.advance(16_000);
}

const times = (count: number, gateway: string) => Array.from({ length: count }, () => gateway);

test("no more calls begin in a minute than the gateway takes, and those beyond fail nothing", async () => {
  const gateway = new PacedGateway("paced", 15);
  await using shop = await openTestShop({ gateways: [gateway] });
  await openPayments(shop, ...times(10, "paced"));

  await settle(shop);

  // Ten customers were served, and then five polls.
  expect([gateway.initiations, gateway.polls]).toEqual([10, 5]);
  const open = await shop.get("/v2/payments?status=requires_action");
  expect(open.list("/data")).toHaveLength(10);
});

test("a gateway at its limit delays no other", async () => {
  const paced = new PacedGateway("paced", 5);
  const other = new PacedGateway("other");
  await using shop = await openTestShop({ gateways: [paced, other] });
  await openPayments(shop, ...times(5, "paced"), ...times(10, "other"));

  await settle(shop);

  expect([paced.polls, other.polls]).toEqual([0, 10]);
});

test("a customer is not kept waiting by the limit of a gateway", async () => {
  const gateway = new PacedGateway("paced", 2);
  await using shop = await openTestShop({ gateways: [gateway] });

  await openPayments(shop, ...times(4, "paced"));

  expect(gateway.initiations).toBe(4);
});

test("the next minute has all calls again", () => {
  let now = 1_000;
  const health = new GatewayHealth(() => now);
  const gateway = { id: "paced", perMinute: 3 };
  for (let call = 0; call < 3; call += 1) health.record("paced", { isAnswered: true });
  const full = health.widthOf(gateway);

  now += 60_000;

  expect([full, health.widthOf(gateway)]).toEqual([0, 3]);
});

test("a gateway that says it was too many is left alone for the rest of the minute", () => {
  let now = 1_000;
  const health = new GatewayHealth(() => now);
  const gateway = { id: "paced", perMinute: 300 };
  health.record("paced", { isAnswered: false, isLimited: true });
  const limited = health.widthOf(gateway);

  now += 60_000;

  expect([limited, health.widthOf(gateway)]).toEqual([0, 8]);
});
