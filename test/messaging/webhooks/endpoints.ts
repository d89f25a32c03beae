// Endpoints for tests: one that receives nothing, and rows of the database.

import { afterEach } from "bun:test";

import { type Id, newId } from "#kernel/id.ts";
import { deliveryRows } from "#messaging/webhooks/deliveries/queries.ts";
import { insertReplay } from "#messaging/webhooks/deliveries/replay-queries.ts";
import { advanceEndpoint } from "#messaging/webhooks/endpoints/advance-endpoint.ts";
import {
  endpointRows,
  getSealedEndpoint,
  putHealth,
} from "#messaging/webhooks/endpoints/queries.ts";
import type { DisabledReason } from "#messaging/webhooks/endpoints/webhook-life.ts";
import type { Endpoint, SealedEndpoint } from "#messaging/webhooks/endpoints/webhook.ts";

import {
  type Answered,
  MORNING_MS,
  sharedShop,
  type TestShop,
  type TestShopOptions,
} from "../../support/shop.ts";

/** An unused port, and an event that no test emits. */
export const unused = { url: "http://127.0.0.1:9/hooks", events: ["cart.recovered"] };

/**
 * One shop for all tests of the file, or of a `describe`. The endpoints of each test are deleted after it, so that
 * nothing of it is due later: the next test may move the clock ahead.
 */
export function sharedSender(options: TestShopOptions = {}): TestShop {
  const shop = sharedShop(options);
  afterEach(async () => {
    const made = (await shop.get("/v2/webhooks?limit=100")).list("/data").map(Object);
    for (const { id } of made) await shop.delete(`/v2/webhooks/${id}`);
  });
  return shop;
}

export interface MadeEndpoint {
  readonly id: Id<"webhook">;
  readonly path: string;
  readonly secret: string;
  readonly answer: Answered;
}

/** An endpoint of the test shop, by default with the fields of `unused`. */
export async function openEndpoint(shop: TestShop, terms: object = {}): Promise<MadeEndpoint> {
  const answer = await shop.post("/v2/webhooks", { ...unused, ...terms });
  const id: Id<"webhook"> = `whk_${answer.id.slice("whk_".length)}`;
  return { id, path: `/v2/webhooks/${id}`, secret: answer.string("/secret"), answer };
}

/** The row of the endpoint, with its sealed secrets. */
export function rowOf(shop: TestShop, id: Id<"webhook">): Promise<SealedEndpoint> {
  return getSealedEndpoint(shop.test.database.read, id);
}

/** Disables the endpoint as its worker does. */
export function disableAs(
  shop: TestShop,
  id: Id<"webhook">,
  reason: DisabledReason,
): Promise<Endpoint> {
  return shop.test.database.write(async (tx) =>
    advanceEndpoint(tx, await endpointRows.get(tx, id), { action: "disable", reason }),
  );
}

const failing = { failuresInRow: 3, failingSince: MORNING_MS, lastSuccessAt: MORNING_MS - 1_000 };

/** Three failures in a row since the morning, after a success. */
export function sicken(shop: TestShop, { id }: MadeEndpoint): Promise<void> {
  return shop.test.database.write((tx) => putHealth(tx, id, failing));
}

/** Deliveries to an endpoint that are due tomorrow. */
export function pileUp(shop: TestShop, { id }: MadeEndpoint, count: number): Promise<void> {
  return shop.test.database.write(async (tx) => {
    for (let made = 0; made < count; made += 1) {
      await deliveryRows.insert(tx, {
        id: newId("delivery", tx.now),
        endpointId: id,
        eventId: newId("event", tx.now),
        eventName: "cart.recovered",
        sequence: made + 1,
        isReplay: false,
        status: "pending",
        attempts: 0,
        nextAt: tx.now + 86_400_000,
        claim: null,
        claimedAt: null,
        createdAt: tx.now,
        finishedAt: null,
      });
    }
  });
}

/** A running replay. */
export function replayFor(shop: TestShop, { id }: MadeEndpoint): Promise<void> {
  return shop.test.database.write((tx) =>
    insertReplay(tx, {
      endpointId: id,
      after: 4,
      until: 9,
      names: ["order.placed"],
      failedOnly: true,
      createdAt: tx.now,
    }),
  );
}
