// Which endpoint receives what: the events it subscribed to, from its creation on, while it is
// enabled, and once.

import { describe, expect, test } from "bun:test";

import { pruneDeliveriesJob } from "#messaging/webhooks/endpoints/jobs.ts";

import { ada, mug } from "../../support/cast.ts";
import { openReceiver, type Received } from "../../support/receivers.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import { deliveriesTo, happen, idsOf, later, sent, statusesAt } from "./delivering.ts";
import { openEndpoint, sharedSender } from "./endpoints.ts";

const shared = sharedSender();

/** The names of the received events. */
function namesOf(received: readonly Received[]): string[] {
  return received.map(({ body }) => JSON.parse(body).event);
}

/** Creates a mug and sells it for cash: product.created, order.placed. */
async function sell(shop: TestShop): Promise<void> {
  const { variantId } = await mug(shop);
  await shop.post("/v2/orders", { line_items: [{ variant_id: variantId, quantity: 1 }] });
}

describe("an endpoint gets", () => {
  test.each([
    ["the names it subscribed to", ["customer.created"], ["customer.created"]],
    ["a noun's events", ["order.*"], ["order.placed"]],
    ["several of both", ["order.*", "product.created"], ["product.created", "order.placed"]],
    ["everything", ["*"], ["product.created", "order.placed", "customer.created"]],
  ])("%s", async (_, events, names) => {
    await using receiver = openReceiver();
    await openEndpoint(shared, { url: receiver.url, events });

    await sell(shared);
    await ada(shared);
    await sent(shared);

    expect(namesOf(receiver.received).toSorted()).toEqual(names.toSorted());
  });

  test("each event once, however many occur", async () => {
    await using receiver = openReceiver();
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["*"] });

    const events = await happen(shared, 300);
    await sent(shared);

    expect(idsOf(receiver.received).toSorted()).toEqual(events.toSorted());
    expect(new Set(await statusesAt(shared, endpoint))).toEqual(new Set(["succeeded"]));
  });

  test("no events from before its creation", async () => {
    await using receiver = openReceiver();
    await happen(shared, 3);

    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    const [after = ""] = await happen(shared);
    await sent(shared);

    expect(idsOf(receiver.received)).toEqual([after]);
    expect(await deliveriesTo(shared, endpoint)).toHaveLength(1);
  });

  test("no events from before its creation, even if others received them", async () => {
    await using first = openReceiver();
    await using second = openReceiver();
    await openEndpoint(shared, { url: first.url, events: ["*"] });
    const [before = ""] = await happen(shared);

    await openEndpoint(shared, { url: second.url, events: ["*"] });
    const [after = ""] = await happen(shared);
    await sent(shared);

    expect(idsOf(first.received).toSorted()).toEqual([before, after].toSorted());
    expect(idsOf(second.received)).toEqual([after]);
  });

  test("its own events, if another one has the same URL", async () => {
    await using receiver = openReceiver();
    const one = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    const other = await openEndpoint(shared, { url: receiver.url, events: ["*"] });

    const [event = ""] = await happen(shared);
    await sent(shared);

    expect(idsOf(receiver.received)).toEqual([event, event]);
    expect([await statusesAt(shared, one), await statusesAt(shared, other)]).toEqual([
      ["succeeded"],
      ["succeeded"],
    ]);
  });

  test("its new events after a change", async () => {
    await using receiver = openReceiver();
    const { path } = await openEndpoint(shared, { url: receiver.url, events: ["order.*"] });
    await happen(shared);
    await sent(shared);

    await shared.put(path, { events: ["customer.*"] });
    const [event = ""] = await happen(shared);
    await sent(shared);

    expect(idsOf(receiver.received)).toEqual([event]);
  });
});

describe("an endpoint that is disabled", () => {
  test("gets nothing, not even later", async () => {
    await using receiver = openReceiver();
    const { path } = await openEndpoint(shared, { url: receiver.url, events: ["customer.*"] });
    await shared.put(path, { status: "disabled" });
    await happen(shared, 3);
    await sent(shared);

    await shared.put(path, { status: "enabled" });
    const [after = ""] = await happen(shared);
    await sent(shared);

    expect(idsOf(receiver.received)).toEqual([after]);
  });

  test("can get the missed events by a replay", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver();
    const { path } = await openEndpoint(shop, { url: receiver.url, events: ["customer.*"] });
    await shop.put(path, { status: "disabled" });
    const missed = await happen(shop, 3);
    await shop.put(path, { status: "enabled" });

    await shop.post(`${path}/replay`, {});
    await later(shop);

    expect(idsOf(receiver.received).toSorted()).toEqual(missed.toSorted());
  });

  test("never gets its pending deliveries, even if it is enabled soon", async () => {
    await using receiver = openReceiver({ answer: () => new Response(null, { status: 500 }) });
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["customer.*"] });
    await happen(shared, 2);
    await receiver.next(2);

    await shared.put(endpoint.path, { status: "disabled" });
    await shared.put(endpoint.path, { status: "enabled" });
    await later(shared, 100 * 3_600);

    expect(receiver.received).toHaveLength(2);
    expect(await statusesAt(shared, endpoint)).toEqual(["cancelled", "cancelled"]);
  });

  test("is announced to the others", async () => {
    await using receiver = openReceiver();
    await using deaf = openReceiver();
    const { id, path } = await openEndpoint(shared, { url: deaf.url, events: ["*"] });
    await openEndpoint(shared, { url: receiver.url, events: ["webhook.disabled"] });

    await shared.put(path, { status: "disabled" });
    await sent(shared);

    expect(JSON.parse(receiver.received[0]?.body ?? "")).toMatchObject({
      event: "webhook.disabled",
      data: { webhook_id: id, reason: "manual" },
    });
    expect(deaf.received).toEqual([]);
  });
});

describe("an endpoint that is deleted", () => {
  test("gets nothing more, not even pending deliveries", async () => {
    await using receiver = openReceiver({ answer: () => new Response(null, { status: 500 }) });
    const { path } = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    await happen(shared);
    await receiver.next();

    await shared.delete(path);
    await happen(shared);
    await later(shared, 100 * 3_600);

    expect(receiver.received).toHaveLength(1);
  });

  test("leaves deliveries that the hourly job deletes", async () => {
    await using receiver = openReceiver();
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    await happen(shared, 250);
    await sent(shared);
    const path = `${endpoint.path}/deliveries`;
    const id = (await shared.get(path)).string("/data/0/id");
    await shared.delete(endpoint.path);

    await pruneDeliveriesJob([shared.test, shared.live]).run();

    expect((await shared.get(`/v2/webhooks/deliveries/${id}`)).code).toBe("delivery_not_found");
  });
});

describe("a finished delivery", () => {
  test("is kept for 30 days and then deleted", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver();
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await happen(shop);
    await later(shop, 29 * 86_400);
    await happen(shop);
    await later(shop);

    await pruneDeliveriesJob([shop.test]).run();
    const kept = await deliveriesTo(shop, endpoint);
    await later(shop, 86_400);
    await pruneDeliveriesJob([shop.test]).run();

    expect(kept).toHaveLength(2);
    expect(await deliveriesTo(shop, endpoint)).toHaveLength(1);
  });
});

describe("an endpoint that is changed between two attempts", () => {
  test("is retried at its new URL", async () => {
    await using old = openReceiver({ answer: () => new Response(null, { status: 500 }) });
    await using moved = openReceiver();
    const { path } = await openEndpoint(shared, { url: old.url, events: ["*"] });
    const events = await happen(shared);
    await old.next();

    await shared.put(path, { url: moved.url });
    await later(shared, 10);

    expect(idsOf(moved.received)).toEqual(events);
    expect(old.received).toHaveLength(1);
  });

  test("still gets pending deliveries of its old events", async () => {
    await using receiver = openReceiver({
      answer: (_, nth) => new Response(null, { status: nth === 1 ? 500 : 204 }),
    });
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    await happen(shared);
    await receiver.next();

    await shared.put(endpoint.path, { events: ["order.*"] });
    await later(shared, 10);

    expect(await statusesAt(shared, endpoint)).toEqual(["succeeded"]);
  });
});

test("an event that is rolled back is not delivered", async () => {
  await using receiver = openReceiver();
  await openEndpoint(shared, { url: receiver.url, events: ["*"] });

  const { variantId } = await mug(shared);
  const refused = await shared.post("/v2/orders", {
    line_items: [{ variant_id: variantId, quantity: 11 }],
  });
  await sent(shared);

  expect(refused.status).toBe(409);
  expect(namesOf(receiver.received)).toEqual(["product.created"]);
});
