// Shared by tests of deliveries: emitting events, moving the clock until they are delivered, and
// reading what was saved.

import { emptyDetails } from "#customers/customer.ts";
import { customerCreated } from "#customers/events.ts";
import { newId } from "#kernel/id.ts";
import {
  CONSUMER,
  type Delivery,
  type DeliveryAttempt,
} from "#messaging/webhooks/deliveries/delivery.ts";
import { listDeliveries, type TracedDelivery } from "#messaging/webhooks/deliveries/lookups.ts";
import { lastSequence } from "#platform/event-log/event-log.ts";
import { findLogCursor } from "#platform/event-log/log-cursors.ts";
import { type CallOut, openCallOut } from "#platform/net/call-out.ts";

import type { Received } from "../../support/receivers.ts";
import type { Answered, TestShop } from "../../support/shop.ts";
import { until } from "../../support/until.ts";
import type { MadeEndpoint } from "./endpoints.ts";

const ROWS = 20_000;

/** Calls over the network with a short timeout. */
export const impatient: CallOut = (() => {
  const callOut = openCallOut();
  return (call) => callOut({ ...call, timeoutMs: 200 });
})();

/** Emits this many events in one commit; returns their ids, oldest first. */
export async function happen(shop: TestShop, count = 1): Promise<string[]> {
  const before = (await shop.events()).length;
  await shop.test.database.write(async (tx) => {
    for (let made = 0; made < count; made += 1) {
      const id = newId("customer", tx.now);
      const stamps = { version: 1, createdAt: tx.now, updatedAt: tx.now };
      const counts = { ordersCount: 0, erasedAt: null };
      const ada = { ...emptyDetails, id, email: "ada@x.example", ...counts, ...stamps };
      await tx.emit(customerCreated(ada));
    }
  });
  return (await shop.events()).slice(before).map(({ id }) => id);
}

/** Resolves when every event has its deliveries. */
export async function onTheirWay({ test: { database } }: TestShop): Promise<void> {
  const last = await lastSequence(database.read);
  await until(
    async () => (await findLogCursor(database.read, CONSUMER)) >= last,
    "Not every event got its deliveries.",
  );
}

/** Resolves when all deliveries that are due were attempted; no time passes. */
export async function sent(shop: TestShop): Promise<void> {
  await shop.duka.couriers.test.settle();
}

/** Advances the shop's clock, running everything that is due on the way. */
export async function later(shop: TestShop, seconds = 1): Promise<Answered> {
  const advanced = await shop.post("/v2/test/clock/advance", { seconds });
  // On a busy machine a long way goes on after the answer; what fires next waits for it.
  if (advanced.at("/settled") === false) await shop.duka.timers.test.fireDue();
  return advanced;
}

/** The deliveries to an endpoint, oldest first. */
export async function deliveriesTo(
  shop: TestShop,
  { id }: Pick<MadeEndpoint, "id">,
): Promise<readonly TracedDelivery[]> {
  const page = { limit: ROWS, after: null };
  const found = await listDeliveries(shop.test.database.read, { endpointId: id }, page);
  return found.rows.toReversed();
}

/** The only delivery to an endpoint. */
export async function deliveryTo(shop: TestShop, endpoint: MadeEndpoint): Promise<TracedDelivery> {
  const [only, ...others] = await deliveriesTo(shop, endpoint);
  if (only === undefined || others.length > 0) throw new Error(`${others.length} others`);
  return only;
}

export async function statusesAt(
  shop: TestShop,
  endpoint: MadeEndpoint,
): Promise<Delivery["status"][]> {
  return (await deliveriesTo(shop, endpoint)).map(({ delivery }) => delivery.status);
}

/** The first attempt of the only delivery to an endpoint. */
export async function firstAttempt(
  shop: TestShop,
  endpoint: MadeEndpoint,
): Promise<DeliveryAttempt> {
  const [first] = (await deliveryTo(shop, endpoint)).attempts;
  if (first === undefined) throw new Error("There is no attempt yet.");
  return first;
}

/** A header of each request in order; empty if it is missing. */
export function each(received: readonly Received[], header: string): string[] {
  return received.map(({ headers }) => headers.get(header) ?? "");
}

/** The ids of the received events in order. */
export function idsOf(received: readonly Received[]): string[] {
  return each(received, "webhook-id");
}

/** A gate in front of a receiver: requests wait until it opens. */
export class Gate {
  readonly #opened = Promise.withResolvers<void>();
  /** Requests in all, waiting now, and waiting at most at one time. */
  came = 0;
  waiting = 0;
  waitingMax = 0;

  async pass(): Promise<Response> {
    this.came += 1;
    this.waiting += 1;
    this.waitingMax = Math.max(this.waitingMax, this.waiting);
    await this.#opened.promise;
    this.waiting -= 1;
    return new Response(null, { status: 204 });
  }

  open(): void {
    this.#opened.resolve();
  }
}
