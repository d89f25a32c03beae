// Two programs that serve one shop: events of both are delivered once, also when one of them stops.
// them stops.

import { expect, setDefaultTimeout, test } from "bun:test";

import { updateWebhook } from "#messaging/webhooks/endpoints/update-webhook.ts";
import { alsoLoopback } from "#platform/net/target-url.ts";

import { atOnce } from "../../support/at-once.ts";
import { openPrograms } from "../../support/programs.ts";
import { openReceiver } from "../../support/receivers.ts";
import { deliveriesTo, deliveryTo, happen, idsOf, later, statusesAt } from "./delivering.ts";
import { openEndpoint } from "./endpoints.ts";

// Some tests are slow on a busy machine.
setDefaultTimeout(60_000);

test("the events of two programs are delivered once", async () => {
  await using programs = await openPrograms(2);
  await using receiver = openReceiver();
  const [one, other] = [programs.of(0), programs.of(1)];
  const endpoint = await openEndpoint(one, { url: receiver.url, events: ["customer.created"] });
  await Promise.all([happen(one, 10), happen(other, 10)]);
  await receiver.next(20);

  const settled = await Promise.all([later(one), later(other)]);

  expect(settled.map((answer) => answer.at("/settled"))).toEqual([true, true]);
  expect(new Set(idsOf(receiver.received)).size).toBe(20);
  expect(receiver.received).toHaveLength(20);
  expect(await statusesAt(other, endpoint)).toEqual(Array.from({ length: 20 }, () => "succeeded"));
});

test("the remaining program continues when the other one stops", async () => {
  await using programs = await openPrograms(3);
  await using receiver = openReceiver();
  const last = programs.of(2);
  await openEndpoint(last, { url: receiver.url, events: ["customer.created"] });
  await happen(programs.of(0));
  await receiver.next();
  await programs.of(0).duka.stop();
  await happen(programs.of(1));
  await receiver.next();
  await programs.of(1).duka.stop();
  await happen(last);

  await receiver.next();

  expect(new Set(idsOf(receiver.received)).size).toBe(3);
  expect(receiver.received).toHaveLength(3);
});

test("what a program was sending when it stopped is sent by another, at least once", async () => {
  await using programs = await openPrograms(2);
  const started = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await using receiver = openReceiver({
    answer: async () => {
      started.resolve();
      await released.promise;
      return new Response(null, { status: 204 });
    },
  });
  const endpoint = await openEndpoint(programs.of(1), { url: receiver.url, events: ["*"] });
  const events = await happen(programs.of(1), 30);
  await started.promise;
  const stopped = programs.of(0).duka.stop();
  released.resolve();
  await stopped;
  await later(programs.of(1));

  const deliveries = await deliveriesTo(programs.of(1), endpoint);

  expect(new Set(idsOf(receiver.received))).toEqual(new Set(events));
  expect(deliveries.map(({ delivery }) => delivery.status)).toEqual(events.map(() => "succeeded"));
});

test("deliveries become due whichever program advances the clock", async () => {
  await using programs = await openPrograms(2);
  const answers = [500, 500, 204];
  await using receiver = openReceiver({
    answer: () => new Response(null, { status: answers.shift() ?? 204 }),
  });
  const [one, other] = [programs.of(0), programs.of(1)];
  const endpoint = await openEndpoint(one, { url: receiver.url, events: ["customer.created"] });
  await happen(one);
  await receiver.next();
  const first = await later(one, 600);
  const second = await later(other, 3_600);

  const { delivery, attempts } = await deliveryTo(other, endpoint);

  expect([first.at("/settled"), second.at("/settled")]).toEqual([true, true]);
  expect(delivery.status).toBe("succeeded");
  expect(attempts.map(({ outcome }) => outcome)).toEqual(["failed", "failed", "succeeded"]);
});

test("concurrent updates of a webhook wait for each other and run once", async () => {
  await using programs = await openPrograms(2);
  await using receiver = openReceiver();
  const { id } = await openEndpoint(programs.of(0), { url: receiver.url, events: ["*"] });
  const terms = { mode: "test", publicUrl: "http://127.0.0.1:1", testReach: alsoLoopback } as const;
  let runs = 0;

  const changed = await atOnce(10, (index) =>
    programs.of(index).test.database.write((tx) => {
      runs += 1;
      const change = { description: `Change ${index}` };
      return updateWebhook(tx, id, { change, expected: null, terms });
    }),
  );

  expect(runs).toBe(10);
  expect(new Set(changed.map(({ version }) => version)).size).toBe(10);
});
