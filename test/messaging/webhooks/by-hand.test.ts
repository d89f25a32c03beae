// What is sent by request: a ping that tests an endpoint, and a resent delivery.

import { describe, expect, setDefaultTimeout, test } from "bun:test";

import { Webhook } from "standardwebhooks";

import { toIso } from "#kernel/time.ts";

import { openRawReceiver, openReceiver, type Receiver } from "../../support/receivers.ts";
import { type Answered, openTestShop, type TestShop } from "../../support/shop.ts";
import {
  deliveryTo,
  Gate,
  happen,
  idsOf,
  impatient,
  later,
  sent,
  statusesAt,
} from "./delivering.ts";
import { type MadeEndpoint, openEndpoint, sharedSender, unused } from "./endpoints.ts";

const shared = sharedSender();

// Some tests are slow on a busy machine.
setDefaultTimeout(30_000);

const HOUR = 3_600;

/** Answers with the status that the test has set. */
interface Moody extends Receiver {
  readonly mood: { status: number };
}

function openMoody(status: number): Moody {
  const mood = { status };
  const receiver = openReceiver({ answer: () => new Response(null, mood) });
  return Object.assign(receiver, { mood });
}

/** Resends the only delivery to an endpoint. */
async function resend(shop: TestShop, endpoint: MadeEndpoint): Promise<Answered> {
  const { delivery } = await deliveryTo(shop, endpoint);
  return shop.post(`/v2/webhooks/deliveries/${delivery.id}/resend`);
}

describe("a ping", () => {
  test("is signed and names its event", async () => {
    await using receiver = openReceiver();
    const { id, path, secret } = await openEndpoint(shared, { url: receiver.url });

    const answer = await shared.post(`${path}/ping`);

    const [arrived] = receiver.received;
    const headers = Object.fromEntries(arrived?.headers ?? []);
    expect(new Webhook(secret).verify(arrived?.body ?? "", headers)).toMatchObject({
      id: answer.at("/event_id"),
      event: "webhook.ping",
      mode: "test",
      sequence: null,
      data: { webhook_id: id },
    });
    expect(headers["duka-delivery-id"]).toBe(answer.id);
  });

  test("returns the result", async () => {
    await using receiver = openReceiver({ answer: () => new Response("Hello.") });
    const { path } = await openEndpoint(shared, { url: receiver.url });

    const answer = await shared.post(`${path}/ping`);

    expect(answer.body).toMatchObject({
      status: "succeeded",
      scheduled_attempts: 0,
      attempts: [
        { trigger: "ping", outcome: "succeeded", response_status: 200, response_body: "Hello." },
      ],
    });
    expect((await shared.get(path)).at("/last_success_at")).toBe(toIso(shared.test.clock.now()));
  });

  test("that fails returns the reason, has no retry and does not count as a failure", async () => {
    const { path } = await openEndpoint(shared, unused);

    const answer = await shared.post(`${path}/ping`);
    await later(shared, 96 * HOUR);

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: "exhausted",
      attempts: [{ outcome: "failed", failure: "connect", response_status: null }],
    });
    expect((await shared.get(path)).at("/failures_in_row")).toBe(0);
    expect((await shared.get(`${path}/deliveries`)).list("/data")).toHaveLength(1);
  });

  test("answered with 410 does not disable the endpoint", async () => {
    await using receiver = openMoody(410);
    const { path } = await openEndpoint(shared, { url: receiver.url });

    await shared.post(`${path}/ping`);

    expect((await shared.get(path)).at("/status")).toBe("enabled");
  });

  test("is not an event, and no other endpoint receives it", async () => {
    await using receiver = openReceiver();
    await using other = openReceiver();
    const { path } = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    await openEndpoint(shared, { url: other.url, events: ["*"] });

    await shared.post(`${path}/ping`);
    await sent(shared);

    expect(await shared.announced()).toEqual([]);
    expect([receiver.received.length, other.received.length]).toEqual([1, 0]);
  });

  test("is found by its name among the deliveries", async () => {
    await using receiver = openReceiver();
    const { path } = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    const ping = await shared.post(`${path}/ping`);
    await happen(shared);
    await sent(shared);

    const found = await shared.get(`${path}/deliveries?event=webhook.ping,order.paid`);

    expect([found.list("/data").length, found.at("/data/0/id")]).toEqual([1, ping.id]);
  });

  test("reaches a disabled endpoint", async () => {
    await using receiver = openReceiver();
    const { path } = await openEndpoint(shared, { url: receiver.url });
    await shared.put(path, { status: "disabled" });

    const answer = await shared.post(`${path}/ping`);

    expect(answer.at("/status")).toBe("succeeded");
    expect((await shared.get(path)).at("/status")).toBe("disabled");
  });

  test("cannot be resent", async () => {
    await using receiver = openReceiver();
    const { path } = await openEndpoint(shared, { url: receiver.url });
    const ping = await shared.post(`${path}/ping`);

    const answer = await shared.post(`/v2/webhooks/deliveries/${ping.id}/resend`);

    expect([answer.status, answer.code]).toEqual([409, "event_gone"]);
  });

  test("with the same idempotency key is sent once", async () => {
    await using receiver = openReceiver();
    const { path } = await openEndpoint(shared, { url: receiver.url });
    const headers = { "Idempotency-Key": "once" };

    const first = await shared.post(`${path}/ping`, {}, { headers });
    const again = await shared.post(`${path}/ping`, {}, { headers });

    expect(again.text).toBe(first.text);
    expect(receiver.received).toHaveLength(1);
  });
});

describe("a delivery can be resent when it", () => {
  test("succeeded", async () => {
    await using receiver = openReceiver();
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    const [event = ""] = await happen(shared);
    await sent(shared);

    const answer = await resend(shared, endpoint);

    expect(answer.body).toMatchObject({
      status: "succeeded",
      scheduled_attempts: 1,
      attempts: [{ trigger: "schedule" }, { number: 2, trigger: "resend", outcome: "succeeded" }],
    });
    expect(idsOf(receiver.received)).toEqual([event, event]);
  });

  test("was exhausted, and then succeeds", async () => {
    await using receiver = openMoody(500);
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    await happen(shared);
    await later(shared, 96 * HOUR);
    receiver.mood.status = 204;

    const answer = await resend(shared, endpoint);

    expect(answer.body).toMatchObject({ status: "succeeded", scheduled_attempts: 10 });
    expect(answer.list("/attempts")).toHaveLength(11);
  });

  test("was cancelled, and then succeeds", async () => {
    await using receiver = openMoody(500);
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    await happen(shared);
    // Resolves once the refusal is recorded: what is being sent is not cancelled.
    await sent(shared);
    await shared.put(endpoint.path, { status: "disabled" });
    await shared.put(endpoint.path, { status: "enabled" });
    await sent(shared);
    const before = await statusesAt(shared, endpoint);
    receiver.mood.status = 204;

    const answer = await resend(shared, endpoint);

    expect([before, answer.at("/status")]).toEqual([["cancelled"], "succeeded"]);
  });

  test("is pending, and then has no more attempts", async () => {
    await using receiver = openMoody(500);
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    await happen(shared);
    await later(shared);
    receiver.mood.status = 204;

    const answer = await resend(shared, endpoint);
    await later(shared, 96 * HOUR);

    expect(answer.body).toMatchObject({ status: "succeeded", next_attempt_at: null });
    expect(receiver.received).toHaveLength(2);
    expect((await shared.get(endpoint.path)).at("/failures_in_row")).toBe(0);
  });

  test("is in flight, whose own result then changes nothing", async () => {
    const gate = new Gate();
    await using receiver = openReceiver({
      answer: (_, nth) => (nth === 1 ? gate.pass() : new Response(null, { status: 204 })),
    });
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    await happen(shared);
    await receiver.next();

    const answer = await resend(shared, endpoint);
    gate.open();
    await later(shared);

    expect(answer.at("/status")).toBe("succeeded");
    const { delivery, attempts } = await deliveryTo(shared, endpoint);
    expect(delivery.status).toBe("succeeded");
    expect(attempts.map(({ trigger }) => trigger)).toEqual(["resend", "schedule"]);
  });
});

describe("a resend", () => {
  test("that fails leaves the schedule unchanged", async () => {
    await using receiver = openMoody(500);
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    await happen(shared);
    await sent(shared);
    const before = (await deliveryTo(shared, endpoint)).delivery;

    const answer = await resend(shared, endpoint);

    expect((await deliveryTo(shared, endpoint)).delivery).toEqual(before);
    expect(answer.body).toMatchObject({
      status: "pending",
      attempts: [{ trigger: "schedule" }, { trigger: "resend", outcome: "failed" }],
    });
    expect((await shared.get(endpoint.path)).at("/failures_in_row")).toBe(1);
  });

  test("that fails does not use one of the ten attempts", async () => {
    await using receiver = openMoody(500);
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    await happen(shared);
    await later(shared);
    await resend(shared, endpoint);

    await later(shared, 96 * HOUR);

    expect(receiver.received).toHaveLength(11);
    expect(await statusesAt(shared, endpoint)).toEqual(["exhausted"]);
  });

  test("answered with 410 does not disable the endpoint", async () => {
    await using receiver = openMoody(500);
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    await happen(shared);
    await sent(shared);
    receiver.mood.status = 410;

    await resend(shared, endpoint);

    expect((await shared.get(endpoint.path)).at("/status")).toBe("enabled");
  });

  test("is refused while the endpoint is disabled", async () => {
    await using receiver = openReceiver();
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["customer.*"] });
    await happen(shared);
    await sent(shared);
    await shared.put(endpoint.path, { status: "disabled" });

    const answer = await resend(shared, endpoint);

    expect([answer.status, answer.code]).toEqual([409, "webhook_disabled"]);
    expect(receiver.received).toHaveLength(1);
  });

  test("is refused after the endpoint was deleted", async () => {
    await using receiver = openReceiver();
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    await happen(shared);
    await sent(shared);
    const { delivery } = await deliveryTo(shared, endpoint);
    await shared.delete(endpoint.path);

    const answer = await shared.post(`/v2/webhooks/deliveries/${delivery.id}/resend`);

    expect([answer.status, answer.code]).toEqual([404, "webhook_not_found"]);
  });

  test("to a receiver that never answers returns the timeout", async () => {
    await using shop = await openTestShop({ callOut: impatient });
    await using receiver = await openRawReceiver();
    const url = `http://127.0.0.1:${receiver.port}/`;
    const endpoint = await openEndpoint(shop, { url, events: ["*"] });
    await happen(shop);
    await later(shop);

    const answer = await resend(shop, endpoint);

    expect(answer.at("/attempts/1")).toMatchObject({ trigger: "resend", failure: "timeout" });
  });
});
