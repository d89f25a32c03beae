// Deliveries of a shop that two programs serve: the leader delivers, and the other takes over when
// leadership changes during an attempt.

import { describe, expect, setDefaultTimeout, test } from "bun:test";

import { nextTurn } from "#kernel/time.ts";
import { Courier } from "#messaging/webhooks/worker/courier.ts";

import { HandLeader, leading } from "../../platform/scheduler/hand-leader.ts";
import { openReceiver } from "../../support/receivers.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import { deliveriesTo, deliveryTo, Gate, happen, idsOf, statusesAt } from "./delivering.ts";
import { openEndpoint } from "./endpoints.ts";

// Some tests are slow on a busy machine.
setDefaultTimeout(30_000);

/** A shop whose own courier is stopped. */
async function openIdleShop(): Promise<TestShop> {
  const shop = await openTestShop();
  await shop.duka.couriers.test.stop(0);
  return shop;
}

/** The courier of one of several programs, not started. */
function makeCourier(shop: TestShop, leader: HandLeader): Courier {
  return new Courier({
    shop: shop.duka.shops.test,
    offsetMs: () => 0,
    onFault: (error) => {
      throw error;
    },
    leader,
  });
}

function openCourier(shop: TestShop, leader: HandLeader) {
  const courier = makeCourier(shop, leader);
  courier.start();
  return {
    leader,
    settle: () => courier.settle(),
    wake: () => courier.wake(),
    [Symbol.asyncDispose]: () => courier.stop(1_000),
  };
}

describe("of two couriers", () => {
  test("only the leader delivers", async () => {
    await using shop = await openIdleShop();
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

  test("a new leader delivers what is pending", async () => {
    await using shop = await openIdleShop();
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

  test("the other one waits until the leader has delivered", async () => {
    await using shop = await openIdleShop();
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

describe("an attempt in flight when leadership is lost", () => {
  test("is recorded as unknown and repeated by the new leader", async () => {
    await using shop = await openIdleShop();
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

  test("is not repeated if no other program led in between", async () => {
    await using shop = await openIdleShop();
    const gate = new Gate();
    await using receiver = openReceiver({ answer: () => gate.pass() });
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await using one = openCourier(shop, leading());
    await happen(shop);
    await receiver.next();
    one.leader.take();
    one.leader.give({ isTaken: false });
    gate.open();

    await one.settle();

    expect(receiver.received).toHaveLength(1);
    expect(await statusesAt(shop, endpoint)).toEqual(["succeeded"]);
  });

  test("is awaited by a program that leads again", async () => {
    await using shop = await openIdleShop();
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

test("a claim that was not sent when leadership is lost costs no attempt", async () => {
  await using shop = await openIdleShop();
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

  const results = (await deliveriesTo(shop, endpoint)).map(({ delivery }) => [
    delivery.status,
    delivery.attempts,
  ]);
  expect(results).toEqual(events.map(() => ["succeeded", 1]));
  expect(idsOf(receiver.received).toSorted()).toEqual(events.toSorted());
});

describe("a courier that does not run", () => {
  test("names no work, neither before its start nor after its end", async () => {
    await using shop = await openIdleShop();
    const answer = () => new Response(null, { status: 500 });
    await using receiver = openReceiver({ answer });
    await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await happen(shop);
    const busy = openCourier(shop, leading());
    await busy.settle();
    await busy[Symbol.asyncDispose]();
    const fresh = makeCourier(shop, leading());

    const dueBefore = await fresh.nextDueAt();
    const dueAfter = await shop.duka.couriers.test.nextDueAt();

    expect([dueBefore, dueAfter]).toEqual([null, null]);
  });

  test("has settled once it was started and has delivered", async () => {
    await using shop = await openIdleShop();
    await using receiver = openReceiver();
    await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    const events = await happen(shop, 3);
    const courier = makeCourier(shop, leading());

    const settled = courier.settle();
    await nextTurn();
    courier.start();
    await settled;
    await courier.stop(1_000);

    expect(idsOf(receiver.received).toSorted()).toEqual(events.toSorted());
  });
});
