// The former ways to a route do what the route does, say that they will end, and a retry may come by either.

import { describe, expect, test } from "bun:test";

import { document, routes } from "#interface.ts";

import { named } from "../support/cast.ts";
import { sharedShop } from "../support/shop.ts";
import { nameOf, UNHEARD } from "./operations.ts";

const shop = sharedShop();

/** The document as a client receives it. */
const published: unknown = JSON.parse(JSON.stringify(document()));

/** A new order of one unit. */
async function placed() {
  const mug = { ...named(shop, "Mug"), price: 10, currency: "USD", stock: 6 };
  const product = await shop.post("/v2/products", mug);
  return shop.post("/v2/orders", {
    line_items: [{ variant_id: product.string("/variants/0/id"), quantity: 2 }],
  });
}

function operation(method: string, path: string): Readonly<Record<string, unknown>> {
  return Object(published).paths[path]?.[method.toLowerCase()];
}

const withFormer = routes.filter(({ also }) => also.length > 0);

describe.each(withFormer.map((route) => [nameOf(route), route] as const))("%s", (_, route) => {
  test.each(route.also)("is described as $method $path is, which is deprecated", (former) => {
    const { method, path, isDocumented } = former;
    const { parameters, requestBody, responses } = operation(route.method, route.path);

    const described = operation(method, path);

    expect(described === undefined).toBe(!isDocumented);
    if (described === undefined) return;
    expect(described).toMatchObject({ parameters, requestBody, deprecated: true });
    expect(Object.keys(Object(described["responses"]))).toEqual(Object.keys(Object(responses)));
  });
});

test.each([
  ["PUT", "POST"],
  ["POST", "PUT"],
])(
  "an order that was fulfilled by %s is not fulfilled again by %s with its key",
  async (one, other) => {
    const order = await placed();
    const path = `/v2/orders/${order.id}/fulfill`;
    const lineItem = { line_item_id: order.string("/line_items/0/id"), quantity: 1 };
    const text = JSON.stringify({ line_items: [lineItem] });
    const headers = { "Idempotency-Key": `once-${order.id}` };

    const first = await shop.send(one, path, { text, headers });
    const retried = await shop.send(other, path, { text, headers });

    expect([first.status, retried.status]).toEqual([200, 200]);
    expect(retried.text).toBe(first.text);
    expect(retried.headers.get("idempotent-replayed")).toBe("true");
    const audit = await shop.get(`/v2/audit?subject=${order.id}&action=fulfillOrder`);
    expect(audit.list("/data")).toHaveLength(1);
  },
);

test("the former way alone says that it will end", async () => {
  const [one, other] = [await placed(), await placed()];

  const former = await shop.put(`/v2/orders/${one.id}/cancel`);
  const today = await shop.post(`/v2/orders/${other.id}/cancel`);

  expect([former.at("/status"), today.at("/status")]).toEqual(["cancelled", "cancelled"]);
  expect(former.headers.get("sunset")).toBe("Wed, 01 Dec 2027 00:00:00 GMT");
  expect(today.headers.has("sunset")).toBeFalse();
});

test("a delivery is found where it was before, although the document does not say so", async () => {
  const webhook = await shop.post("/v2/webhooks", { url: UNHEARD, events: ["webhook.*"] });
  const ping = await shop.post(`/v2/webhooks/${webhook.id}/ping`);

  const former = await shop.get(`/v2/webhooks/deliveries/${ping.id}`);
  const today = await shop.get(`/v2/webhook-deliveries/${ping.id}`);

  expect(former.status).toBe(200);
  expect(former.text).toBe(today.text);
});
