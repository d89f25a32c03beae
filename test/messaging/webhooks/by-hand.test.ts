// What is sent by request: a ping that tests an endpoint, and a resent delivery.

import { describe, expect, setDefaultTimeout, test } from "bun:test";

import { Webhook } from "standardwebhooks";

import { openRawReceiver, openReceiver, type Receiver } from "../../support/receivers.ts";
import { type Answered, openTestShop, type TestShop } from "../../support/shop.ts";
import { deliveryTo, Gate, happen, idsOf, impatient, later, statusesAt } from "./delivering.ts";
import { type MadeEndpoint, openEndpoint, unused } from "./endpoints.ts";

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
    await using shop = await openTestShop();
    await using receiver = openReceiver();
    const { id, path, secret } = await openEndpoint(shop, { url: receiver.url });

    const answer = await shop.post(`${path}/ping`);

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
    await using shop = await openTestShop();
    await using receiver = openReceiver({ answer: () => new Response("Hello.") });
    const { path } = await openEndpoint(shop, { url: receiver.url });

    const answer = await shop.post(`${path}/ping`);

    expect(answer.body).toMatchObject({
      status: "succeeded",
      scheduled_attempts: 0,
      attempts: [
        { trigger: "ping", outcome: "succeeded", response_status: 200, response_body: "Hello." },
      ],
    });
    expect((await shop.get(path)).at("/last_success_at")).toBe("2026-01-05T08:00:00.000Z");
  });

  test("that fails returns the reason, has no retry and does not count as a failure", async () => {
    await using shop = await openTestShop();
    const { path } = await openEndpoint(shop, unused);

    const answer = await shop.post(`${path}/ping`);
    await later(shop, 96 * HOUR);

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: "exhausted",
      attempts: [{ outcome: "failed", failure: "connect", response_status: null }],
    });
    expect((await shop.get(path)).at("/failures_in_row")).toBe(0);
    expect((await shop.get(`${path}/deliveries`)).list("/data")).toHaveLength(1);
  });

  test("answered with 410 does not disable the endpoint", async () => {
    await using shop = await openTestShop();
    await using receiver = openMoody(410);
    const { path } = await openEndpoint(shop, { url: receiver.url });

    await shop.post(`${path}/ping`);

    expect((await shop.get(path)).at("/status")).toBe("enabled");
  });

  test("is not an event, and no other endpoint receives it", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver();
    await using other = openReceiver();
    const { path } = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await openEndpoint(shop, { url: other.url, events: ["*"] });

    await shop.post(`${path}/ping`);
    await later(shop);

    expect(await shop.announced()).toEqual([]);
    expect([receiver.received.length, other.received.length]).toEqual([1, 0]);
  });

  test("is found by its name among the deliveries", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver();
    const { path } = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    const ping = await shop.post(`${path}/ping`);
    await happen(shop);
    await later(shop, 0);

    const found = await shop.get(`${path}/deliveries?event=webhook.ping,order.paid`);

    expect([found.list("/data").length, found.at("/data/0/id")]).toEqual([1, ping.id]);
  });

  test("reaches a disabled endpoint", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver();
    const { path } = await openEndpoint(shop, { url: receiver.url });
    await shop.put(path, { status: "disabled" });

    const answer = await shop.post(`${path}/ping`);

    expect(answer.at("/status")).toBe("succeeded");
    expect((await shop.get(path)).at("/status")).toBe("disabled");
  });

  test("cannot be resent", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver();
    const { path } = await openEndpoint(shop, { url: receiver.url });
    const ping = await shop.post(`${path}/ping`);

    const answer = await shop.post(`/v2/webhooks/deliveries/${ping.id}/resend`);

    expect([answer.status, answer.code]).toEqual([409, "event_gone"]);
  });

  test("with the same idempotency key is sent once", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver();
    const { path } = await openEndpoint(shop, { url: receiver.url });
    const headers = { "Idempotency-Key": "once" };

    const first = await shop.post(`${path}/ping`, {}, { headers });
    const again = await shop.post(`${path}/ping`, {}, { headers });

    expect(again.text).toBe(first.text);
    expect(receiver.received).toHaveLength(1);
  });
});

describe("a delivery can be resent when it", () => {
  test("succeeded", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver();
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    const [event = ""] = await happen(shop);
    await later(shop);

    const answer = await resend(shop, endpoint);

    expect(answer.body).toMatchObject({
      status: "succeeded",
      scheduled_attempts: 1,
      attempts: [{ trigger: "schedule" }, { number: 2, trigger: "resend", outcome: "succeeded" }],
    });
    expect(idsOf(receiver.received)).toEqual([event, event]);
  });

  test("was exhausted, and then succeeds", async () => {
    await using shop = await openTestShop();
    await using receiver = openMoody(500);
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await happen(shop);
    await later(shop, 96 * HOUR);
    receiver.mood.status = 204;

    const answer = await resend(shop, endpoint);

    expect(answer.body).toMatchObject({ status: "succeeded", scheduled_attempts: 10 });
    expect(answer.list("/attempts")).toHaveLength(11);
  });

  test("was cancelled, and then succeeds", async () => {
    await using shop = await openTestShop();
    await using receiver = openMoody(500);
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await happen(shop);
    // Resolves once the refusal is recorded: what is being sent is not cancelled.
    await later(shop);
    await shop.put(endpoint.path, { status: "disabled" });
    await shop.put(endpoint.path, { status: "enabled" });
    await later(shop);
    const before = await statusesAt(shop, endpoint);
    receiver.mood.status = 204;

    const answer = await resend(shop, endpoint);

    expect([before, answer.at("/status")]).toEqual([["cancelled"], "succeeded"]);
  });

  test("is pending, and then has no more attempts", async () => {
    await using shop = await openTestShop();
    await using receiver = openMoody(500);
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await happen(shop);
    await later(shop);
    receiver.mood.status = 204;

    const answer = await resend(shop, endpoint);
    await later(shop, 96 * HOUR);

    expect(answer.body).toMatchObject({ status: "succeeded", next_attempt_at: null });
    expect(receiver.received).toHaveLength(2);
    expect((await shop.get(endpoint.path)).at("/failures_in_row")).toBe(0);
  });

  test("is in flight, whose own result then changes nothing", async () => {
    await using shop = await openTestShop();
    const gate = new Gate();
    await using receiver = openReceiver({
      answer: (_, nth) => (nth === 1 ? gate.pass() : new Response(null, { status: 204 })),
    });
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await happen(shop);
    await receiver.next();

    const answer = await resend(shop, endpoint);
    gate.open();
    await later(shop);

    expect(answer.at("/status")).toBe("succeeded");
    const { delivery, attempts } = await deliveryTo(shop, endpoint);
    expect(delivery.status).toBe("succeeded");
    expect(attempts.map(({ trigger }) => trigger)).toEqual(["resend", "schedule"]);
  });
});

describe("a resend", () => {
  test("that fails leaves the schedule unchanged", async () => {
    await using shop = await openTestShop();
    await using receiver = openMoody(500);
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await happen(shop);
    await later(shop);
    const before = (await deliveryTo(shop, endpoint)).delivery;

    const answer = await resend(shop, endpoint);

    expect((await deliveryTo(shop, endpoint)).delivery).toEqual(before);
    expect(answer.body).toMatchObject({
      status: "pending",
      attempts: [{ trigger: "schedule" }, { trigger: "resend", outcome: "failed" }],
    });
    expect((await shop.get(endpoint.path)).at("/failures_in_row")).toBe(1);
  });

  test("that fails does not use one of the ten attempts", async () => {
    await using shop = await openTestShop();
    await using receiver = openMoody(500);
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await happen(shop);
    await later(shop);
    await resend(shop, endpoint);

    await later(shop, 96 * HOUR);

    expect(receiver.received).toHaveLength(11);
    expect(await statusesAt(shop, endpoint)).toEqual(["exhausted"]);
  });

  test("answered with 410 does not disable the endpoint", async () => {
    await using shop = await openTestShop();
    await using receiver = openMoody(500);
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await happen(shop);
    await later(shop);
    receiver.mood.status = 410;

    await resend(shop, endpoint);

    expect((await shop.get(endpoint.path)).at("/status")).toBe("enabled");
  });

  test("is refused while the endpoint is disabled", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver();
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["customer.*"] });
    await happen(shop);
    await later(shop);
    await shop.put(endpoint.path, { status: "disabled" });

    const answer = await resend(shop, endpoint);

    expect([answer.status, answer.code]).toEqual([409, "webhook_disabled"]);
    expect(receiver.received).toHaveLength(1);
  });

  test("is refused after the endpoint was deleted", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver();
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await happen(shop);
    await later(shop);
    const { delivery } = await deliveryTo(shop, endpoint);
    await shop.delete(endpoint.path);

    const answer = await shop.post(`/v2/webhooks/deliveries/${delivery.id}/resend`);

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
