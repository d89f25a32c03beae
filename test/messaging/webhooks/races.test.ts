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
import { type MadeEndpoint, openEndpoint, rowOf, unused } from "./endpoints.ts";

// Some tests are slow on a busy machine.
setDefaultTimeout(30_000);

/** A shop whose courier is stopped, and an endpoint for all events. */
async function openIdleShop() {
  const shop = await openTestShop();
  await shop.duka.couriers.test.stop(0);
  const endpoint = await openEndpoint(shop, { events: ["*"] });
  return { shop, endpoint, [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose]() };
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
    await using opened = await openIdleShop();
    const { shop, endpoint } = opened;
    const events = await happen(shop, 20);

    await atOnce(4, () => shop.test.database.write(fanOut));

    expect((await eventsAt(shop, endpoint)).toSorted()).toEqual(events.toSorted());
  });

  test("one program continues a replay", async () => {
    await using opened = await openIdleShop();
    const { shop, endpoint } = opened;
    const events = await happen(shop, 20);
    await shop.post(`${endpoint.path}/replay`, {});

    await atOnce(4, () => shop.test.database.write((tx) => continueReplay(tx, endpoint.id)));

    expect((await eventsAt(shop, endpoint)).toSorted()).toEqual(events.toSorted());
  });

  test("a replay starts once", async () => {
    await using opened = await openIdleShop();
    const { shop, endpoint } = opened;

    const answers = await atOnce(4, () => shop.post(`${endpoint.path}/replay`, {}));

    expect(statuses(answers)).toEqual([200, 409, 409, 409]);
  });

  test("one program claims a delivery", async () => {
    await using opened = await openIdleShop();
    const { shop, endpoint } = opened;
    const events = await happen(shop, 20);
    await shop.test.database.write(fanOut);

    const claims = await atOnce(4, (index) =>
      claim(shop, endpoint, { by: `program ${index}`, rows: 20 }),
    );

    const claimed = claims.flat().map(({ eventId }): string => eventId);
    expect(claimed.toSorted()).toEqual(events.toSorted());
  });

  test("every failure of a receiver counts", async () => {
    await using opened = await openIdleShop();
    const { shop, endpoint } = opened;
    await happen(shop, 6);
    await shop.test.database.write(fanOut);
    const claimed = await claim(shop, endpoint, { by: "us", rows: 6 });

    await Promise.all(claimed.map((delivery) => record(shop, answered(delivery, 500))));

    expect((await shop.get(endpoint.path)).at("/failures_in_row")).toBe(6);
  });

  test("a webhook that is gone is disabled once", async () => {
    await using opened = await openIdleShop();
    const { shop, endpoint } = opened;
    await happen(shop, 4);
    await shop.test.database.write(fanOut);
    const claimed = await claim(shop, endpoint, { by: "us", rows: 4 });

    await Promise.all(claimed.map((delivery) => record(shop, answered(delivery, 410))));

    expect((await shop.get(endpoint.path)).at("/disabled_reason")).toBe("gone");
    const names = await shop.announcedNames();
    expect(names.filter((name) => name === "webhook.disabled")).toHaveLength(1);
  });

  test("resends are numbered one after the other", async () => {
    await using opened = await openIdleShop();
    const { shop, endpoint } = opened;
    await happen(shop);
    await shop.test.database.write(fanOut);
    const { delivery } = await deliveryTo(shop, endpoint);
    const { ended } = answered(delivery, 204);
    if (typeof ended === "string") throw new Error("It was answered.");

    await atOnce(4, () =>
      shop.test.database.write((tx) =>
        recordManual(tx, delivery.id, { trigger: "resend", ...ended }),
      ),
    );

    const { attempts } = await deliveryTo(shop, endpoint);
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(await statusesAt(shop, endpoint)).toEqual(["succeeded"]);
  });

  test("the limit of webhooks holds", async () => {
    await using opened = await openIdleShop();
    const { shop } = opened;
    await atOnce(ENDPOINTS_MAX - 3, () => openEndpoint(shop));

    const answers = await atOnce(6, () => shop.post("/v2/webhooks", unused));

    expect(statuses(answers)).toEqual([201, 201, 409, 409, 409, 409]);
  });

  test("updates without an expected version all succeed", async () => {
    await using opened = await openIdleShop();
    const { shop, endpoint } = opened;
    const { version } = await rowOf(shop, endpoint.id);

    const answers = await atOnce(4, (index) =>
      shop.put(endpoint.path, { description: `The ${index}th` }),
    );

    expect(statuses(answers)).toEqual([200, 200, 200, 200]);
    expect((await rowOf(shop, endpoint.id)).version).toBe(version + 4);
  });
});

test("a late result of a released claim does not change the next one", async () => {
  await using opened = await openIdleShop();
  const { shop, endpoint } = opened;
  await happen(shop);
  await shop.test.database.write(fanOut);
  const [first] = await claim(shop, endpoint, { by: "us", rows: 1 });
  if (first === undefined) throw new Error("Nothing was claimed.");
  await shop.test.database.write((tx) => releaseClaim(tx, first));
  const [second] = await claim(shop, endpoint, { by: "them", rows: 1 });

  await shop.test.database.write((tx) => releaseClaim(tx, first));

  expect((await deliveryTo(shop, endpoint)).delivery).toEqual(
    expect.objectContaining({ ...second }),
  );
});
