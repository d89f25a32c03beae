// Deliveries of a shop that two programs serve: one delivers, and the other takes over when that one
// has lost the lead, in the middle of whatever it was doing.

import { describe, expect, setDefaultTimeout, test } from "bun:test";

import { Courier } from "#messaging/webhooks/worker/courier.ts";

import { HandLeader, leading } from "../../platform/scheduler/hand-leader.ts";
import { openReceiver } from "../../support/receivers.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import { deliveriesTo, deliveryTo, Gate, happen, idsOf, statusesAt } from "./delivering.ts";
import { openEndpoint } from "./endpoints.ts";

// Some of it is much work for a busy machine.
setDefaultTimeout(30_000);

/** A shop whose own courier rests. */
async function openQuietShop(): Promise<TestShop> {
  const shop = await openTestShop();
  await shop.duka.couriers.test.stop(0);
  return shop;
}

/** The courier of one of several programs, started. */
function openCourier(shop: TestShop, leader: HandLeader) {
  const courier = new Courier({
    shop: shop.duka.shops.test,
    offsetMs: () => 0,
    onFault: (error) => {
      throw error;
    },
    leader,
  });
  courier.start();
  return {
    leader,
    settle: () => courier.settle(),
    wake: () => courier.wake(),
    [Symbol.asyncDispose]: () => courier.stop(1_000),
  };
}

describe("of two couriers", () => {
  test("only who has the lead delivers", async () => {
    await using shop = await openQuietShop();
    await using receiver = openReceiver();
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await using one = openCourier(shop, leading());
    await using other = openCourier(shop, new HandLeader());
    const events = await happen(shop, 3);

    await one.settle();
    await other.settle();

    expect(idsOf(receiver.received).toSorted()).toEqual(events.toSorted());
    expect(await statusesAt(shop, endpoint)).toEqual(["succeeded", "succeeded", "succeeded"]);
  });

  test("who gains the lead delivers what is there", async () => {
    await using shop = await openQuietShop();
    await using receiver = openReceiver();
    await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await using one = openCourier(shop, new HandLeader());
    const events = await happen(shop);
    const before = receiver.received.length;
    one.leader.give();

    await one.settle();

    expect(before).toBe(0);
    expect(idsOf(receiver.received)).toEqual(events);
  });

  test("who does not deliver waits for the other to be through", async () => {
    await using shop = await openQuietShop();
    const gate = new Gate();
    await using receiver = openReceiver({ answer: () => gate.pass() });
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await using one = openCourier(shop, leading());
    await using other = openCourier(shop, new HandLeader());
    await happen(shop, 3);
    const settled = other.settle();
    await receiver.next();
    gate.open();

    await settled;

    expect(await statusesAt(shop, endpoint)).toEqual(["succeeded", "succeeded", "succeeded"]);
    expect([one.leader.isLeader(), other.leader.isLeader()]).toEqual([true, false]);
  });
});

describe("an attempt that is under way when the lead is lost", () => {
  test("is told as unknown and made again by who has it then", async () => {
    await using shop = await openQuietShop();
    const gate = new Gate();
    await using receiver = openReceiver({ answer: () => gate.pass() });
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await using one = openCourier(shop, leading());
    await using other = openCourier(shop, new HandLeader());
    await happen(shop);
    await receiver.next();
    one.leader.take();
    other.leader.give();
    await receiver.next();
    gate.open();

    await other.settle();
    await one[Symbol.asyncDispose]();

    const { delivery, attempts } = await deliveryTo(shop, endpoint);
    expect(delivery).toMatchObject({ status: "succeeded", attempts: 2 });
    expect(attempts.map(({ outcome }) => outcome).toSorted()).toEqual([
      "succeeded",
      "succeeded",
      "unknown",
    ]);
  });

  test("is not made again where nobody else had it in between", async () => {
    await using shop = await openQuietShop();
    const gate = new Gate();
    await using receiver = openReceiver({ answer: () => gate.pass() });
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await using one = openCourier(shop, leading());
    await happen(shop);
    await receiver.next();
    one.leader.take();
    one.leader.give({ isAnew: false });
    gate.open();

    await one.settle();

    expect(receiver.received).toHaveLength(1);
    expect(await statusesAt(shop, endpoint)).toEqual(["succeeded"]);
  });

  test("is waited for by who has the lead anew and still makes it", async () => {
    await using shop = await openQuietShop();
    const gate = new Gate();
    await using receiver = openReceiver({ answer: () => gate.pass() });
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await using one = openCourier(shop, leading());
    await happen(shop);
    await receiver.next();
    one.leader.take();
    one.leader.give();
    const settled = one.settle();
    gate.open();

    await settled;

    expect(receiver.received).toHaveLength(1);
    expect(await deliveryTo(shop, endpoint)).toMatchObject({
      delivery: { status: "succeeded", attempts: 1 },
    });
  });
});

test("what was taken to be sent and was not when the lead is lost costs no attempt", async () => {
  await using shop = await openQuietShop();
  const gate = new Gate();
  await using receiver = openReceiver({ answer: () => gate.pass() });
  const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
  await using one = openCourier(shop, leading());
  const events = await happen(shop, 12);
  await receiver.next(4);
  one.leader.take();
  one.wake();
  gate.open();
  await one[Symbol.asyncDispose]();
  await using other = openCourier(shop, leading());

  await other.settle();

  const told = (await deliveriesTo(shop, endpoint)).map(({ delivery }) => [
    delivery.status,
    delivery.attempts,
  ]);
  expect(told).toEqual(events.map(() => ["succeeded", 1]));
  expect(idsOf(receiver.received).toSorted()).toEqual(events.toSorted());
});
