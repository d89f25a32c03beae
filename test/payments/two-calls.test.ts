// A charge that takes two calls: the second one moves the money, and is made only while the attempt is awaited.

import { beforeEach, describe, expect, test } from "bun:test";

import type { GatewayAttempt, GatewayCallTerms, Initiation } from "#payments/port/gateway.ts";
import { getPayment } from "#payments/rows/lookups.ts";
import { paymentRows } from "#payments/rows/queries.ts";

import { ScriptedGateway } from "../support/scripted-gateway.ts";
import { sharedShop } from "../support/shop.ts";
import { initialize, orderCounter } from "./scripted-shop.ts";

/** Names a charge by its first call, and makes it by its second. */
class TwoCallGateway extends ScriptedGateway {
  charged = 0;
  /** What happens in the shop after the first call. */
  meanwhile: (paymentId: string) => Promise<unknown> = async () => {};

  override async initiate(attempt: GatewayAttempt, terms?: GatewayCallTerms): Promise<Initiation> {
    await this.meanwhile(attempt.paymentId);
    await terms?.name([{ kind: "intent", name: `pi_${attempt.gatewayReference}` }]);
    this.charged += 1;
    return super.initiate(attempt);
  }
}

const gateway = new TwoCallGateway();
const lines: string[] = [];
const shop = sharedShop({
  gateways: [gateway],
  writeLog: (line) => void lines.push(line),
  settings: { DUKA_LOG_LEVEL: "warn" },
});

beforeEach(() => {
  gateway.charged = 0;
  gateway.meanwhile = async () => {};
  lines.length = 0;
});

const cancelPayment = (id: string) => shop.post(`/v2/payments/${id}/cancel`);

async function orderOf(id: string): Promise<string> {
  return (await shop.get(`/v2/payments/${id}`)).string("/order_id");
}

async function cancelOrder(id: string) {
  return shop.put(`/v2/orders/${await orderOf(id)}/cancel`);
}

async function payOtherwise(id: string) {
  await shop.put("/v2/store", { payment_methods: { bank_transfer: { enabled: true } } });
  const transfer = { order_id: await orderOf(id), method: "bank_transfer" };
  const other = await initialize(shop, transfer);
  return shop.post(`/v2/payments/${other.id}/confirm`, { amount: 12.5 });
}

/** As another program does that found the first page lost. */
async function askAnew(id: string) {
  const { database } = shop.test;
  const { payment } = await getPayment(database.read, id);
  await database.write((tx) => paymentRows.save(tx, payment, { gatewayReference: `${id}.9` }));
  return shop.get(`/v2/payments/${id}`);
}

describe("the second call of a charge", () => {
  test.each([
    ["whose payment was cancelled", cancelPayment],
    ["whose order was cancelled", cancelOrder],
    ["whose order was paid otherwise", payOtherwise],
    ["that was asked for anew under another name", askAnew],
  ])("%s meanwhile is not made, and troubles no one", async (_, happen) => {
    const order = await orderCounter(shop);
    const did: number[] = [];
    gateway.meanwhile = async (id) => did.push((await happen(id)).status);

    const asked = await initialize(shop, { order_id: (await order()).id });

    expect([did, asked.status, gateway.charged]).toEqual([[200], 201, 0]);
    expect(lines.filter((line) => line.includes("A gateway is in trouble."))).toEqual([]);
  });

  test("is made where nothing happened", async () => {
    const order = await orderCounter(shop);

    const asked = await initialize(shop, { order_id: (await order()).id });

    expect([asked.at("/status"), gateway.charged]).toEqual(["requires_action", 1]);
  });
});
