// Prism stands between a caller and the shop, and validates every request and answer against the document: an
// independent reading of it, beside the one in support/answer-check.ts.

import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";

import { lists } from "../contract/operations.ts";
import { Answered } from "../support/shop.ts";
import { openWorkbench, TOOL_MS_MAX, type Workbench } from "./tools.ts";

setDefaultTimeout(TOOL_MS_MAX);

let bench: Workbench;
let prism: ReturnType<Workbench["start"]>;
let proxy = "";
/** Its log is read to the end, because Prism stops when the pipe is full. */
let log: Promise<string>;
/** What Prism said of the requests of a test. */
let violations: string[] = [];

beforeAll(async () => {
  bench = await openWorkbench();
  prism = bench.start("prism", ["proxy", "openapi.json", bench.shop.url, "--port", "0"]);
  const [start, whole] = prism.stdout.tee();
  log = new Response(whole).text();
  proxy = await addressOf(start);
});

afterAll(async () => {
  prism.kill();
  await log;
  await bench[Symbol.asyncDispose]();
});

beforeEach(() => {
  violations = [];
});

/** Prism prints its address when it is ready. Cancelling one branch would wait for the other. */
async function addressOf(printed: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of printed.values({ preventCancel: true })) {
    text += decoder.decode(chunk, { stream: true });
    const address = /Prism is listening on (\S+)/.exec(text)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`Prism did not start: ${text}`);
}

interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request through Prism and records what it says of the request and of the answer. */
async function send(method: string, path: string, { body, headers }: Sent = {}): Promise<Answered> {
  const response = await fetch(`${proxy}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${bench.shop.key}`,
      // Prism passes this header on, and reads no zstd.
      "Accept-Encoding": "gzip",
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const found = response.headers.get("sl-violations");
  if (found !== null) violations.push(`${method} ${path} ${response.status}: ${found}`);
  return new Answered(response.status, response.headers, await response.text());
}

test("Prism reports a request that breaks the document", async () => {
  const { status } = await send("POST", "/v2/orders", { body: { line_items: "a mug" } });

  expect(status).toBe(422);
  expect(violations).toEqual([expect.stringContaining("line_items must be array")]);
});

/** From the catalog over a cart to a paid order, with two refusals and a 304 on the way. */
async function buy(): Promise<{ readonly order: Answered; readonly payment: Answered }> {
  const products = await send("GET", "/v2/products?limit=5&status=active");
  const variant_id = products.string("/data/0/variants/0/id");
  const line = (quantity: number) => ({ line_items: [{ variant_id, quantity }] });
  const cart = await send("POST", "/v2/carts", { body: line(1) });
  const match = { "If-Match": `"${cart.number("/version")}"` };
  const body = { ...line(2), metadata: { campaign: "spring" } };
  await send("PUT", `/v2/carts/${cart.id}`, { body, headers: match });
  const stale = await send("PUT", `/v2/carts/${cart.id}`, { body, headers: match });
  const read = await send("GET", `/v2/carts/${cart.id}`);
  const unchanged = await send("GET", `/v2/carts/${cart.id}`, {
    headers: { "If-None-Match": read.headers.get("etag") ?? "" },
  });
  const pickup = read.list("/shipping_options").find((one) => Object(one).kind === "pickup");
  const shipping = { pickup_location_id: Object(pickup).id };
  await send("POST", `/v2/carts/${cart.id}/checkout`, {
    body: { customer: { email: "ada@example.com", name: "Ada" }, shipping },
  });
  const placed = await send("POST", `/v2/carts/${cart.id}/complete`);
  const short = await send("POST", "/v2/orders", { body: line(100_000) });
  const payment = await send("POST", "/v2/payments/initialize", {
    body: { order_id: placed.id, method: "card", card_token: "pm_card_visa" },
    headers: { "Idempotency-Key": placed.id },
  });
  expect([stale.status, unchanged.status, short.status]).toEqual([412, 304, 409]);
  return { order: await send("GET", `/v2/orders/${placed.id}`), payment };
}

test("a whole purchase keeps to the document, to its refund", async () => {
  const { order, payment } = await buy();
  const fulfilled = await send("PUT", `/v2/orders/${order.id}/fulfill`, {
    body: { tracking: { carrier: "Kojo's riders" } },
  });
  await send("GET", `/v2/payments/${payment.id}`);
  const refund = await send("POST", `/v2/payments/${payment.id}/refunds`, {
    body: { reason: "goods_returned" },
  });
  const refunded = await send("GET", `/v2/orders/${order.id}`);
  await send("GET", `/v2/orders/${order.id}/events`);
  await send("GET", `/v2/inventory/${order.string("/line_items/0/variant_id")}/movements`);
  await send("GET", `/v2/customers/${order.string("/customer/id")}/export`);

  expect(violations).toEqual([]);
  expect([fulfilled.status, refund.status]).toEqual([200, 201]);
  expect([order, refunded].map((one) => one.at("/payment_status"))).toEqual(["paid", "refunded"]);
});

test("every list keeps to the document, on its first page and on its next", async () => {
  await buy();
  const refused = [];
  for (const [, { path }] of lists) {
    const first = await send("GET", `${path}?limit=1`);
    const next = first.at("/next_cursor");
    const pages =
      typeof next === "string"
        ? [first, await send("GET", `${path}?limit=1&cursor=${next}`)]
        : [first];
    refused.push(...pages.filter(({ status }) => status !== 200).map(({ text }) => text));
  }

  expect(violations).toEqual([]);
  expect(refused).toEqual([]);
});

test("the feed keeps to the document, filtered and one by one", async () => {
  await buy();
  const feed = await send("GET", "/v2/events?limit=100");
  const paid = await send("GET", "/v2/events?event=order.paid,cart.*");
  for (const index of feed.list("/data").keys()) {
    await send("GET", `/v2/events/${feed.string(`/data/${index}/id`)}`);
  }

  expect(violations).toEqual([]);
  expect(paid.list("/data")).not.toEqual([]);
});

test("analytics keep to the document, whole and by day beside the days before", async () => {
  await buy();
  const whole = await send("GET", "/v2/analytics/summary");
  const daily = await send("GET", "/v2/analytics/summary?interval=day&compare=previous_period");

  expect(violations).toEqual([]);
  expect([whole.status, daily.status]).toEqual([200, 200]);
});

test("a webhook keeps to the document, from its secret to a delivery", async () => {
  const webhook = await send("POST", "/v2/webhooks", {
    body: { url: "http://127.0.0.1:9/hooks", events: ["order.*"] },
  });
  await send("POST", `/v2/webhooks/${webhook.id}/ping`);
  const deliveries = await send("GET", `/v2/webhooks/${webhook.id}/deliveries`);
  await send("GET", `/v2/webhook-deliveries/${deliveries.string("/data/0/id")}`);
  await send("DELETE", `/v2/webhooks/${webhook.id}`);

  expect(violations).toEqual([]);
});
