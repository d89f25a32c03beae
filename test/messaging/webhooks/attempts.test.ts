// What an attempt records for every way in which a receiver can behave.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Socket } from "node:net";

import type { FailureClass } from "#messaging/webhooks/deliveries/delivery-life.ts";
import { endpointRows, saveSecrets } from "#messaging/webhooks/endpoints/queries.ts";
import type { Endpoint } from "#messaging/webhooks/endpoints/webhook.ts";
import { openCallOut } from "#platform/net/call-out.ts";
import type { Resolve } from "#platform/net/target-url.ts";

import { type Certificates, makeCertificates } from "../../support/certificates.ts";
import { openRawReceiver, openReceiver, pour } from "../../support/receivers.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import { deliveryTo, firstAttempt, happen, impatient, later, sent } from "./delivering.ts";
import { type MadeEndpoint, openEndpoint, rowOf, sharedSender } from "./endpoints.ts";

const shared = sharedSender();

const KB = 1_024;

let certificates: Certificates;

beforeAll(async () => {
  certificates = makeCertificates();
});

/** Resolves any host to these addresses, one list per call. */
function resolvingTo(...lists: readonly (readonly string[])[]): Resolve {
  let asked = 0;
  return () => {
    asked += 1;
    return Promise.resolve(lists[Math.min(asked, lists.length) - 1] ?? []);
  };
}

/** A shop that calls over the network with this resolver, test certificates and a short timeout. */
function callingBy(resolve: Resolve) {
  const callOut = openCallOut({ resolve, tlsAuthorities: [certificates.authority] });
  return openTestShop({ callOut: (call) => callOut({ ...call, timeoutMs: 2_000 }) });
}

/** An endpoint of the test shop with fields that a request could not set. */
async function endpointWith(shop: TestShop, change: Partial<Endpoint>): Promise<MadeEndpoint> {
  const endpoint = await openEndpoint(shop, { url: "https://hooks.example/", events: ["*"] });
  const row = await rowOf(shop, endpoint.id);
  await shop.test.database.write((tx) => endpointRows.save(tx, row, change));
  return endpoint;
}

function answeringWith(text: string) {
  return (socket: Socket) => {
    socket.end(text);
  };
}

/** What a receiver does with a request, and what the attempt records. */
interface BadReceiver {
  readonly request: (socket: Socket) => void;
  readonly failure: FailureClass;
  readonly status?: number;
}

const HALF = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf";

function endless(socket: Socket): Promise<number> {
  socket.write("HTTP/1.1 200 OK\r\nA: ");
  return pour(socket, Buffer.alloc(64 * KB, "a"), 1_024 * KB);
}

describe("a receiver that", () => {
  const hasty = sharedSender({ callOut: impatient });

  test.each<[string, BadReceiver]>([
    ["hangs up", { request: (socket) => socket.destroy(), failure: "reset" }],
    ["resets", { request: (socket) => socket.resetAndDestroy(), failure: "reset" }],
    ["never answers", { request: () => {}, failure: "timeout" }],
    ["answers with half a body", { request: answeringWith(HALF), failure: "reset", status: 200 }],
    [
      "answers and never ends",
      { request: (socket) => void socket.write(HALF), failure: "timeout", status: 200 },
    ],
    [
      "does not speak HTTP",
      { request: answeringWith("220 mail.example ESMTP\r\n"), failure: "protocol" },
    ],
    ["has endless headers", { request: (socket) => void endless(socket), failure: "too_large" }],
  ])("%s", async (_, { request, failure, status = null }) => {
    await using receiver = await openRawReceiver({ request });
    const url = `http://127.0.0.1:${receiver.port}/`;
    const endpoint = await openEndpoint(hasty, { url, events: ["*"] });

    await happen(hasty);
    await sent(hasty);

    expect(await firstAttempt(hasty, endpoint)).toMatchObject({
      outcome: "failed",
      failure,
      responseStatus: status,
      address: "127.0.0.1",
    });
    expect(receiver.requests).toBe(1);
  });

  test("refuses connections", async () => {
    const endpoint = await openEndpoint(shared, { events: ["*"] });

    await happen(shared);
    await sent(shared);

    expect(await firstAttempt(shared, endpoint)).toMatchObject({
      outcome: "failed",
      failure: "connect",
      address: "127.0.0.1",
    });
  });

  test("speaks HTTP/1.0 succeeds", async () => {
    await using receiver = await openRawReceiver({
      request: answeringWith("HTTP/1.0 200 OK\r\n\r\n"),
    });
    const url = `http://127.0.0.1:${receiver.port}/`;
    const endpoint = await openEndpoint(shared, { url, events: ["*"] });

    await happen(shared);
    await sent(shared);

    expect(await firstAttempt(shared, endpoint)).toMatchObject({ outcome: "succeeded" });
  });

  test.each(["expired", "wrongName", "selfSigned"] as const)(
    "shows a certificate that is %s hears nothing",
    async (kind) => {
      await using shop = await callingBy(resolvingTo(["127.0.0.1"]));
      await using receiver = await openRawReceiver({ certificate: certificates[kind] });
      const url = `https://hooks.example:${receiver.port}/`;
      const endpoint = await endpointWith(shop, { url });

      await happen(shop);
      await later(shop);

      expect(await firstAttempt(shop, endpoint)).toMatchObject({ failure: "tls" });
      expect(receiver.requests).toBe(0);
    },
  );

  test("has no address fails", async () => {
    await using shop = await callingBy(resolvingTo([]));
    const endpoint = await openEndpoint(shop, { url: "https://hooks.example/", events: ["*"] });

    await happen(shop);
    await later(shop);

    expect(await firstAttempt(shop, endpoint)).toMatchObject({ failure: "dns", address: null });
  });

  test.each([301, 302, 303, 307, 308])(
    "leads elsewhere with %p is not followed",
    async (status) => {
      await using canary = await openRawReceiver();
      const headers = { Location: `http://127.0.0.1:${canary.port}/` };
      await using receiver = openReceiver({
        answer: () => new Response(null, { status, headers }),
      });
      const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["*"] });

      await happen(shared);
      await later(shared, 10);

      expect(canary.connections).toBe(0);
      expect(receiver.received).toHaveLength(2);
      expect((await deliveryTo(shared, endpoint)).attempts[0]).toMatchObject({
        outcome: "failed",
        failure: "status",
        responseStatus: status,
      });
    },
  );
});

test("if the secret of an endpoint cannot be read, attempts fail and nothing is sent unsigned", async () => {
  await using shop = await openTestShop();
  await using receiver = openReceiver();
  const endpoint = await endpointWith(shop, { url: receiver.url });
  const row = await rowOf(shop, endpoint.id);
  const secrets = { sealedSecret: "v1.of-another-key" };
  await shop.test.database.write((tx) => saveSecrets(tx, row, secrets));

  await happen(shop);
  await later(shop);

  expect(await firstAttempt(shop, endpoint)).toMatchObject({ failure: "secret_unreadable" });
  expect(receiver.received).toEqual([]);
});

describe("of a response", () => {
  test("the first 16 KB are saved and shown only with a single delivery", async () => {
    await using receiver = openReceiver({
      answer: () => new Response(`${"a".repeat(16 * KB)}b`, { status: 500 }),
    });
    const { path } = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    await happen(shared);
    await sent(shared);

    const list = await shared.get(`${path}/deliveries`);
    const one = await shared.get(`/v2/webhooks/deliveries/${list.string("/data/0/id")}`);

    expect(one.string("/attempts/0/response_body")).toBe("a".repeat(16 * KB));
    expect(list.text).not.toContain("aaaa");
  });

  test("bytes that are not text are shown with replacement characters", async () => {
    await using receiver = openReceiver({
      answer: () => new Response(new Uint8Array([0, 255, 65, 0xed, 0xa0, 0x80]), { status: 500 }),
    });
    const { path } = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    await happen(shared);
    await sent(shared);

    const id = (await shared.get(`${path}/deliveries`)).string("/data/0/id");
    const one = await shared.get(`/v2/webhooks/deliveries/${id}`);

    expect(one.string("/attempts/0/response_body")).toMatch(/^\uFFFD+A\uFFFD+$/);
  });
});

test.each(["order.piad", "order.*"])("the list is not filtered by %p", async (event) => {
  const { path } = await openEndpoint(shared);

  const answer = await shared.get(`${path}/deliveries?event=customer.created,${event}`);

  expect([answer.status, answer.code]).toEqual([400, "query_invalid"]);
  expect(answer.faults).toEqual(["event invalid_choice"]);
});

test("the list shows each attempt of a delivery", async () => {
  await using shop = await openTestShop();
  await using receiver = openReceiver({
    answer: (_, nth) => new Response("No.", { status: nth === 1 ? 500 : 200 }),
  });
  const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
  const [event = ""] = await happen(shop);
  await later(shop, 10);

  const list = await shop.get(`${endpoint.path}/deliveries?status=succeeded&event_id=${event}`);

  expect(list.list("/data")).toEqual([
    {
      id: expect.stringMatching(/^dlv_/),
      webhook_id: endpoint.id,
      event_id: event,
      event: "customer.created",
      sequence: 1,
      is_replay: false,
      status: "succeeded",
      scheduled_attempts: 2,
      next_attempt_at: null,
      created_at: "2026-01-05T08:00:00.000Z",
      finished_at: expect.stringMatching(/^2026-01-05T08:00:0[3-7]/),
      attempts: [
        {
          number: 1,
          trigger: "schedule",
          outcome: "failed",
          started_at: "2026-01-05T08:00:00.000Z",
          duration_ms: expect.any(Number),
          response_status: 500,
          failure: "status",
          address: "127.0.0.1",
          next_attempt_at: expect.stringMatching(/^2026-01-05T08:00:0[3-7]/),
        },
        {
          number: 2,
          trigger: "schedule",
          outcome: "succeeded",
          started_at: expect.stringMatching(/^2026-01-05T08:00:0[3-7]/),
          duration_ms: expect.any(Number),
          response_status: 200,
          failure: null,
          address: "127.0.0.1",
          next_attempt_at: null,
        },
      ],
    },
  ]);
});

describe("a host that resolves to the operator's network", () => {
  test("is not called, even if it was public before", async () => {
    const bad = ["10.0.0.1", "127.0.0.1"];
    await using shop = await callingBy(resolvingTo(["127.0.0.1"], bad));
    await using receiver = await openRawReceiver({
      certificate: certificates.good,
      request: answeringWith("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"),
    });
    const url = `https://hooks.example:${receiver.port}/`;
    const endpoint = await endpointWith(shop, { url });

    await happen(shop);
    await later(shop, 10);

    const { attempts } = await deliveryTo(shop, endpoint);
    expect(attempts.map(({ failure }) => failure)).toEqual(["status", "blocked_address"]);
    expect(receiver.connections).toBe(1);
  });
});

describe("in live mode", () => {
  let live: TestShop;
  let answers: readonly string[] = [];

  beforeAll(async () => {
    live = await callingBy(() => Promise.resolve(answers));
  });
  afterAll(() => live[Symbol.asyncDispose]());

  test.each([
    ["this machine", ["127.0.0.1"]],
    ["this machine beside a public address", ["8.8.8.8", "127.0.0.1"]],
    ["this machine mapped into IPv6", ["::ffff:127.0.0.1"]],
    ["the private network", ["10.0.0.1"]],
    ["the metadata of the cloud", ["169.254.169.254"]],
  ])("a host that resolves to %s is refused and not called", async (_, addresses) => {
    await using canary = await openRawReceiver({ certificate: certificates.good });
    answers = addresses;
    const key = await live.createKey({ mode: "live" });
    const url = "https://hooks.example/";
    const made = await live.post("/v2/webhooks", { url, events: ["customer.*"] }, { key });
    const moved = { url: `https://hooks.example:${canary.port}/` };
    await live.live.database.write(async (tx) => {
      await endpointRows.save(tx, await endpointRows.get(tx, made.id), moved);
    });

    await live.post("/v2/customers", { email: `${made.id}@example.com` }, { key });
    await live.duka.couriers.live.settle();

    const path = `/v2/webhooks/${made.id}/deliveries`;
    const list = await live.get(path, { key });
    expect(list.at("/data/0/attempts/0")).toMatchObject({
      outcome: "failed",
      failure: "blocked_address",
      response_status: null,
    });
    expect(canary.connections).toBe(0);
    await live.delete(`/v2/webhooks/${made.id}`, { key });
  });
});
