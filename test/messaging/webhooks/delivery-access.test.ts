// Access to deliveries: only keys of the same mode with the right scope.

import { describe, expect, test } from "bun:test";

import { openCallOut } from "#platform/net/call-out.ts";

import { openReceiver } from "../../support/receivers.ts";
import { openTestShop, type RequestOptions, type TestShop } from "../../support/shop.ts";
import { deliveryTo, happen, later, sent } from "./delivering.ts";
import { openEndpoint, sharedSender } from "./endpoints.ts";

const shared = sharedSender();

/** What a key needs that sends events to somewhere. */
const sendsEvents = ["webhooks:write", "events:read"];

/** The operations on deliveries. */
const operations: [name: string, method: string, path: string, scopes: string[]][] = [
  ["listing", "GET", "/v2/webhooks/:webhook/deliveries", ["webhooks:read"]],
  ["reading one", "GET", "/v2/webhooks/deliveries/:delivery", ["webhooks:read"]],
  ["resending one", "POST", "/v2/webhooks/deliveries/:delivery/resend", sendsEvents],
  ["pinging", "POST", "/v2/webhooks/:webhook/ping", ["webhooks:write"]],
  ["replaying", "POST", "/v2/webhooks/:webhook/replay", sendsEvents],
];

/** A delivery in the shop, and a function that calls an operation on it. */
async function delivered(shop: TestShop, url: string) {
  const endpoint = await openEndpoint(shop, { url, events: ["*"] });
  await happen(shop);
  await sent(shop);
  const { delivery } = await deliveryTo(shop, endpoint);
  return async (method: string, path: string, options: RequestOptions) => {
    const filled = path.replace(":webhook", endpoint.id).replace(":delivery", delivery.id);
    return shop.send(method, filled, options);
  };
}

describe.each(operations)("%s", (...row) => {
  const [, method, path, scopes] = row;

  test("needs the scope", async () => {
    await using receiver = openReceiver();
    const call = await delivered(shared, receiver.url);
    const keys = [
      await shared.createKey({ scopes }),
      await shared.createKey({ scopes: ["storefront"] }),
      await shared.createKey({ scopes: ["orders:write", "events:read"] }),
    ];

    const answers = await Promise.all(keys.map((key) => call(method, path, { key })));

    expect(answers.map(({ status }) => status)).toEqual([200, 403, 403]);
  });

  test("does not find deliveries of the other mode", async () => {
    await using receiver = openReceiver();
    const call = await delivered(shared, receiver.url);
    const key = await shared.createKey({ mode: "live" });
    const before = receiver.received.length;

    const answer = await call(method, path, { key });

    expect(answer.status).toBe(404);
    expect(answer.code).toMatch(/^(webhook|delivery)_not_found$/);
    expect(receiver.received).toHaveLength(before);
  });
});

describe.each(operations.filter(([, , , scopes]) => scopes === sendsEvents))("%s", (...row) => {
  const [, method, path, scopes] = row;

  test("needs each of its scopes", async () => {
    await using receiver = openReceiver();
    const call = await delivered(shared, receiver.url);
    const before = receiver.received.length;
    const keys = await Promise.all(scopes.map((scope) => shared.createKey({ scopes: [scope] })));

    const answers = await Promise.all(keys.map((key) => call(method, path, { key })));

    expect(answers.map(({ status, code }) => [status, code])).toEqual(
      scopes.map(() => [403, "scope_missing"]),
    );
    expect(receiver.received).toHaveLength(before);
  });
});

test("only a key that may read events learns what a receiver answered", async () => {
  const page = "a page of another program";
  await using receiver = openReceiver({ answer: () => new Response(page) });
  const call = await delivered(shared, receiver.url);
  const read = async (scopes: string[]) => {
    const key = await shared.createKey({ scopes });
    const answer = await call("GET", "/v2/webhooks/deliveries/:delivery", { key });
    return answer.at("/attempts/0/response_body");
  };

  expect(await read(["webhooks:read", "events:read"])).toBe(page);
  expect(await read(["webhooks:read"])).toBe("");
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
