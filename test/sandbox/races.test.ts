// Resets and seeds of a test shop that run concurrently with other requests.

import { describe, expect, setDefaultTimeout, test } from "bun:test";

import { auditAnalytics } from "#analytics/summary/audit-analytics.ts";
import { auditStock } from "#catalog/inventory/audit-stock.ts";
import { lastSequence } from "#platform/event-log/event-log.ts";
import { type CallOut, openCallOut } from "#platform/net/call-out.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { Gate } from "../messaging/webhooks/delivering.ts";
import { openEndpoint } from "../messaging/webhooks/endpoints.ts";
import { of } from "../sales/orders/counter.ts";
import { atOnce, statuses } from "../support/at-once.ts";
import { mug } from "../support/cast.ts";
import { openReceiver } from "../support/receivers.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

// Slow on a busy machine.
setDefaultTimeout(60_000);

/** Calls over the network, and waits for an answer longer than any test. */
const patient: CallOut = (() => {
  const callOut = openCallOut();
  return (call) => callOut({ ...call, timeoutMs: 600_000 });
})();

/** Makes so many writes at once, each in its own commit. */
function happenAtOnce(shop: TestShop, times: number): Promise<void[]> {
  return atOnce(times, (index) =>
    shop.test.database.write((tx) =>
      tx.emit({ name: "customer.updated", subject: `${index}`, data: {} }),
    ),
  );
}

describe("a reset", () => {
  test("concurrent with orders leaves each of them whole or not at all", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const before = await lastSequence(shop.test.database.read);

    const [reset] = await Promise.all([
      shop.post("/v2/test/reset"),
      ...Array.from({ length: 8 }, () => shop.post("/v2/orders", { line_items: [of(cup)] })),
    ]);

    expect(reset.status).toBe(200);
    const { read } = shop.test.database;
    expect(await Array.fromAsync(auditOrders(read))).toEqual([]);
    expect(await Array.fromAsync(auditStock(read))).toEqual([]);
    expect(await lastSequence(read)).toBeGreaterThanOrEqual(before);
  });

  test("concurrent with writes neither repeats nor skips a sequence number", async () => {
    await using shop = await openTestShop();
    const { read } = shop.test.database;
    const before = await lastSequence(read);
    await happenAtOnce(shop, 5);

    await Promise.all([shop.post("/v2/test/reset"), happenAtOnce(shop, 10)]);
    await happenAtOnce(shop, 5);

    const last = await lastSequence(read);
    const left = (await shop.events()).map(({ sequence }) => sequence);
    expect(last).toBe(before + 20);
    expect(left.length).toBeGreaterThanOrEqual(5);
    expect(left).toEqual(left.map((_, index) => last - left.length + 1 + index));
  });

  test("does not wait for an attempt that an advance waits for", async () => {
    const gate = new Gate();
    await using receiver = openReceiver({ answer: () => gate.pass() });
    await using shop = await openTestShop({ callOut: patient });
    await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await happenAtOnce(shop, 1);
    const advance = shop.post("/v2/test/clock/advance", { seconds: 60 });
    await receiver.next();

    const reset = await shop.post("/v2/test/reset");

    expect(reset.status).toBe(200);
    expect((await advance).at("/settled")).toBeFalse();
    gate.open();
  });

  test("that is requested twice at once succeeds", async () => {
    await using shop = await openTestShop();
    await shop.post("/v2/test/seed");

    const answers = await atOnce(2, () => shop.post("/v2/test/reset"));

    expect(statuses(answers)).toEqual([200, 200]);
    expect((await shop.get("/v2/products")).list("/data")).toEqual([]);
    const { database } = shop.test;
    const differences = database.readTogether((read) => Array.fromAsync(auditAnalytics(read)));
    expect(await differences).toEqual([]);
  });
});

test("concurrent seeds fill the shop once", async () => {
  await using shop = await openTestShop();

  const answers = await atOnce(3, () => shop.post("/v2/test/seed"));

  expect(statuses(answers)).toEqual([200, 409, 409]);
  expect((await shop.get("/v2/products?q=coffee")).list("/data")).toHaveLength(1);
});
