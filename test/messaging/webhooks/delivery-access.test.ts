// Access to deliveries: only keys of the same mode with the right scope.

import { describe, expect, test } from "bun:test";

import { openCallOut } from "#platform/net/call-out.ts";

import { openReceiver } from "../../support/receivers.ts";
import { openTestShop, type RequestOptions, type TestShop } from "../../support/shop.ts";
import { deliveryTo, happen, later } from "./delivering.ts";
import { openEndpoint } from "./endpoints.ts";

/** The operations on deliveries. */
const operations: [name: string, method: string, path: string][] = [
  ["listing", "GET", "/v2/webhooks/:webhook/deliveries"],
  ["reading one", "GET", "/v2/webhooks/deliveries/:delivery"],
  ["resending one", "POST", "/v2/webhooks/deliveries/:delivery/resend"],
  ["pinging", "POST", "/v2/webhooks/:webhook/ping"],
  ["replaying", "POST", "/v2/webhooks/:webhook/replay"],
];

/** A delivery in the shop, and a function that calls an operation on it. */
async function delivered(shop: TestShop, url: string) {
  const endpoint = await openEndpoint(shop, { url, events: ["*"] });
  await happen(shop);
  await later(shop);
  const { delivery } = await deliveryTo(shop, endpoint);
  return async (method: string, path: string, options: RequestOptions) => {
    const filled = path.replace(":webhook", endpoint.id).replace(":delivery", delivery.id);
    return shop.send(method, filled, options);
  };
}

describe.each(operations)("%s", (_, method, path) => {
  test("needs the scope", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver();
    const call = await delivered(shop, receiver.url);
    const scope = method === "GET" ? "webhooks:read" : "webhooks:write";
    const keys = [
      await shop.createKey({ scopes: [scope] }),
      await shop.createKey({ scopes: ["storefront"] }),
      await shop.createKey({ scopes: ["orders:write", "events:read"] }),
    ];

    const answers = await Promise.all(keys.map((key) => call(method, path, { key })));

    expect(answers.map(({ status }) => status)).toEqual([200, 403, 403]);
  });

  test("does not find deliveries of the other mode", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver();
    const call = await delivered(shop, receiver.url);
    const key = await shop.createKey({ mode: "live" });
    const before = receiver.received.length;

    const answer = await call(method, path, { key });

    expect(answer.status).toBe(404);
    expect(answer.code).toMatch(/^(webhook|delivery)_not_found$/);
    expect(receiver.received).toHaveLength(before);
  });
});

test("events of one mode never reach endpoints of the other", async () => {
  const callOut = openCallOut({ resolve: () => Promise.resolve([]) });
  await using shop = await openTestShop({ callOut });
  await using receiver = openReceiver();
  await openEndpoint(shop, { url: receiver.url, events: ["*"] });
  const key = await shop.createKey({ mode: "live" });
  const live = await shop.post("/v2/webhooks", { url: "https://hooks.example/" }, { key });

  await shop.post("/v2/customers", { email: "ada@example.com" }, { key });
  await later(shop);
  await shop.duka.couriers.live.settle();

  expect(receiver.received).toEqual([]);
  const path = `/v2/webhooks/${live.id}/deliveries`;
  expect((await shop.get(path, { key })).list("/data")).toHaveLength(1);
});
