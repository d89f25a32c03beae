// The client's check of webhooks, on what the shop delivers and against an independent library.

import { expect, test } from "bun:test";

import { Webhook } from "standardwebhooks";

import { verifyWebhook } from "#client/runtime/verify-webhook.ts";

import { endpoint, inbox } from "../sandbox/sending.ts";
import { openTestShop } from "../support/shop.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const BODY = '{"id":"evt_1","event":"order.paid","data":{"name":"Ȩfua 🥭"}}';

/** The headers of a message, signed by the reference library. */
function signed({ body = BODY, secret = SECRET, secondsAgo = 0 } = {}): Record<string, string> {
  const at = new Date((Math.floor(Date.now() / 1000) - secondsAgo) * 1000);
  return {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(at.getTime() / 1000),
    "webhook-signature": new Webhook(secret).sign("evt_1", at, body),
  };
}

test("a test message of the shop is proved", async () => {
  await using shop = await openTestShop();
  const { id, secret } = await endpoint(shop);
  await shop.post(`/v2/webhooks/${id}/ping`);
  const delivered = await inbox(shop);
  const headers: Record<string, string> = Object(delivered.at("/data/0/headers"));

  const event = await verifyWebhook(delivered.string("/data/0/body"), headers, secret);

  expect<object>(event).toEqual({
    id: delivered.string("/data/0/event_id"),
    event: "webhook.ping",
    created_at: "2026-01-05T08:00:00.000Z",
    store_id: expect.stringMatching(/^str_/),
    mode: "test",
    sequence: null,
    data: { webhook_id: id },
  });
});

test("a delivery of the shop is its event", async () => {
  await using shop = await openTestShop();
  const { secret } = await endpoint(shop);
  const customer = await shop.post("/v2/customers", { email: "ada@example.com" });
  await shop.duka.couriers.test.settle();
  const delivered = await inbox(shop);
  const headers: Record<string, string> = Object(delivered.at("/data/0/headers"));

  const event = await verifyWebhook(delivered.string("/data/0/body"), headers, secret);

  expect<object>(event).toMatchObject({ event: "customer.created", data: { id: customer.id } });
});

test.each([
  ["text", BODY],
  ["bytes", new TextEncoder().encode(BODY)],
])("a body of %s is proved", async (_, body) => {
  const event = await verifyWebhook(body, new Headers(signed()), SECRET);

  expect<object>(event).toEqual(JSON.parse(BODY));
});

test("one good signature beside others is enough", async () => {
  const headers = signed();
  const all = `v1a,AAAA v1,AAAA v1,! v1,_A v1,AAAAA v1, ${headers["webhook-signature"]}`;

  const event = await verifyWebhook(BODY, { ...headers, "webhook-signature": all }, SECRET);

  expect<string>(event.event).toBe("order.paid");
});

test.each([
  ["another body", signed({ body: "{}" })],
  ["another secret", signed({ secret: `whsec_${Buffer.alloc(32, 8).toString("base64")}` })],
  ["a signature that is too old", signed({ secondsAgo: 310 })],
  ["a signature from the future", signed({ secondsAgo: -310 })],
  ["another id", { ...signed(), "webhook-id": "evt_2" }],
  ["a time that is none", { ...signed(), "webhook-timestamp": "soon" }],
  ["a signature that is no base64", { ...signed(), "webhook-signature": "v1,_" }],
  ["no headers", {}],
])("%s is refused", async (_, headers) => {
  const checked = verifyWebhook(BODY, headers, SECRET);

  expect(await checked.catch((error: unknown) => error)).toMatchObject({
    code: "webhook_invalid",
    status: 0,
    retryable: false,
  });
});

test("a secret that is none is the caller's error", async () => {
  const checked = verifyWebhook(BODY, signed(), "whsec_!");

  expect(await checked.catch((error: unknown) => error)).toBeInstanceOf(TypeError);
});
