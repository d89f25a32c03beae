// Concurrent work of several programs on the same deliveries: each step happens once, and no result
// of a receiver is lost.

import { describe, expect, setDefaultTimeout, test } from "bun:test";

import { claimDue, releaseClaim } from "#messaging/webhooks/deliveries/claims.ts";
import type { Delivery, EndedClaim } from "#messaging/webhooks/deliveries/delivery.ts";
import { continueReplay } from "#messaging/webhooks/deliveries/replays.ts";
import { ENDPOINTS_MAX } from "#messaging/webhooks/endpoints/webhook.ts";
import { fanOut } from "#messaging/webhooks/worker/fan-out.ts";
import { recordManual, recordOutcomes } from "#messaging/webhooks/worker/outcomes.ts";

import { atOnce, statuses } from "../../support/at-once.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import { deliveriesTo, deliveryTo, happen, statusesAt } from "./delivering.ts";
import { type MadeEndpoint, openEndpoint, rowOf, sharedSender, unused } from "./endpoints.ts";

// Some tests are slow on a busy machine.
setDefaultTimeout(30_000);

const shared = sharedSender();

/** An endpoint for all events of a shop whose courier is stopped. */
async function idleEndpoint(shop: TestShop): Promise<MadeEndpoint> {
  await shop.duka.couriers.test.stop(0);
  return openEndpoint(shop, { events: ["*"] });
}

async function eventsAt(shop: TestShop, endpoint: MadeEndpoint): Promise<string[]> {
  return (await deliveriesTo(shop, endpoint)).map(({ delivery }) => delivery.eventId);
}

/** Claims every due delivery of the endpoint. */
async function claim(
  shop: TestShop,
  { id }: MadeEndpoint,
  { by, rows }: { readonly by: string; readonly rows: number },
): Promise<Delivery[]> {
  const demand = { endpoint: await rowOf(shop, id), rows, replayedRows: rows };
  return shop.test.database.write((tx) => claimDue(tx, by, [demand]));
}

/** The result of a claim whose receiver answered this status. */
function answered(delivery: Delivery, responseStatus: number): EndedClaim {
  const outcome = {
    responseStatus,
    failure: responseStatus < 300 ? null : ("status" as const),
    address: null,
    excerpt: "",
    durationMs: 1,
    retryAfterMs: null,
    skewMs: null,
  };
  return { delivery, ended: { startedAt: delivery.createdAt, sentData: null, outcome } };
}

function record(shop: TestShop, ended: EndedClaim): Promise<void> {
  const terms = { share: () => 0.5, startedAt: 0 };
  return shop.test.database.write((tx) => recordOutcomes(tx, [ended], terms));
}

describe("at the same moment", () => {
  test("an event becomes one delivery, although several read the log", async () => {
    const endpoint = await idleEndpoint(shared);
    const events = await happen(shared, 20);

    await atOnce(4, () => shared.test.database.write(fanOut));

    expect((await eventsAt(shared, endpoint)).toSorted()).toEqual(events.toSorted());
  });

  test("one program continues a replay", async () => {
    await using shop = await openTestShop();
    const endpoint = await idleEndpoint(shop);
    const events = await happen(shop, 20);
    await shop.post(`${endpoint.path}/replay`, {});

    await atOnce(4, () => shop.test.database.write((tx) => continueReplay(tx, endpoint.id)));

    expect((await eventsAt(shop, endpoint)).toSorted()).toEqual(events.toSorted());
  });

  test("a replay starts once", async () => {
    const endpoint = await idleEndpoint(shared);

    const answers = await atOnce(4, () => shared.post(`${endpoint.path}/replay`, {}));

    expect(statuses(answers)).toEqual([200, 409, 409, 409]);
  });

  test("one program claims a delivery", async () => {
    const endpoint = await idleEndpoint(shared);
    const events = await happen(shared, 20);
    await shared.test.database.write(fanOut);

    const claims = await atOnce(4, (index) =>
      claim(shared, endpoint, { by: `program ${index}`, rows: 20 }),
    );

    const claimed = claims.flat().map(({ eventId }): string => eventId);
    expect(claimed.toSorted()).toEqual(events.toSorted());
  });

  test("every failure of a receiver counts", async () => {
    const endpoint = await idleEndpoint(shared);
    await happen(shared, 6);
    await shared.test.database.write(fanOut);
    const claimed = await claim(shared, endpoint, { by: "us", rows: 6 });

    await Promise.all(claimed.map((delivery) => record(shared, answered(delivery, 500))));

    expect((await shared.get(endpoint.path)).at("/failures_in_row")).toBe(6);
  });

  test("a webhook that is gone is disabled once", async () => {
    const endpoint = await idleEndpoint(shared);
    await happen(shared, 4);
    await shared.test.database.write(fanOut);
    const claimed = await claim(shared, endpoint, { by: "us", rows: 4 });

    await Promise.all(claimed.map((delivery) => record(shared, answered(delivery, 410))));

    expect((await shared.get(endpoint.path)).at("/disabled_reason")).toBe("gone");
    const names = await shared.announcedNames();
    expect(names.filter((name) => name === "webhook.disabled")).toHaveLength(1);
  });

  test("resends are numbered one after the other", async () => {
    const endpoint = await idleEndpoint(shared);
    await happen(shared);
    await shared.test.database.write(fanOut);
    const { delivery } = await deliveryTo(shared, endpoint);
    const { ended } = answered(delivery, 204);
    if (typeof ended === "string") throw new Error("It was answered.");

    await atOnce(4, () =>
      shared.test.database.write((tx) =>
        recordManual(tx, delivery.id, { trigger: "resend", ...ended }),
      ),
    );

    const { attempts } = await deliveryTo(shared, endpoint);
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(await statusesAt(shared, endpoint)).toEqual(["succeeded"]);
  });

  test("the limit of webhooks holds", async () => {
    await idleEndpoint(shared);
    await atOnce(ENDPOINTS_MAX - 3, () => openEndpoint(shared));

    const answers = await atOnce(6, () => shared.post("/v2/webhooks", unused));

    expect(statuses(answers)).toEqual([201, 201, 409, 409, 409, 409]);
  });

  test("updates without an expected version all succeed", async () => {
    const endpoint = await idleEndpoint(shared);
    const { version } = await rowOf(shared, endpoint.id);

    const answers = await atOnce(4, (index) =>
      shared.put(endpoint.path, { description: `The ${index}th` }),
    );

    expect(statuses(answers)).toEqual([200, 200, 200, 200]);
    expect((await rowOf(shared, endpoint.id)).version).toBe(version + 4);
  });
});

test("a late result of a released claim does not change the next one", async () => {
  const endpoint = await idleEndpoint(shared);
  await happen(shared);
  await shared.test.database.write(fanOut);
  const [first] = await claim(shared, endpoint, { by: "us", rows: 1 });
  if (first === undefined) throw new Error("Nothing was claimed.");
  await shared.test.database.write((tx) => releaseClaim(tx, first));
  const [second] = await claim(shared, endpoint, { by: "them", rows: 1 });

  await shared.test.database.write((tx) => releaseClaim(tx, first));

  expect((await deliveryTo(shared, endpoint)).delivery).toEqual(
    expect.objectContaining({ ...second }),
  );
});
