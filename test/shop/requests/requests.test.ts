// The list of the last requests: what a program sent and was answered, without what is secret or personal.

import { describe, expect, test } from "bun:test";

import { routes } from "#interface.ts";
import type { Answered } from "#platform/http/server/dispatch.ts";
import { REQUESTS_MAX, textOf, UNKNOWN_MAX } from "#platform/http/server/request-log.ts";
import { forgettingOperations } from "#shop/requests/request.ts";
import type { RequestsShop } from "#shop/requests/routes.ts";

import { ada, mug } from "../../support/cast.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";

const shop = sharedShop();

/** The requests of the list, newest first. */
async function requests(shop: TestShop, query = "", key?: string): Promise<readonly unknown[]> {
  const found = await shop.get(`/v2/requests?${query}`, key === undefined ? {} : { key });
  return found.list("/data");
}

/** The request with this id, whole. */
function requestOf(shop: TestShop, id: string, key?: string) {
  return shop.get(`/v2/requests/${id}`, key === undefined ? {} : { key });
}

const named = (id: string) => ({ headers: { "X-Request-Id": id } });
/** All that is in memory of what was sent and answered. */
function memoryOf({ requests: log }: RequestsShop): string {
  const kept = log
    .newest(() => true)
    .map(({ address, sent, answered }) => [address, sent === null ? "" : textOf(sent), answered]);
  return kept.flat().join("\n");
}

/** A request as the server tells of it, which would be delayed if it were sent again and again. */
const withoutKey: Answered = {
  requestId: "unknown",
  method: "GET",
  route: "/v2/store",
  client: null,
  operation: null,
  caller: null,
  path: "/v2/store",
  search: "",
  sent: null,
  answer: { status: 401, headers: {}, text: "{}" },
  status: 401,
  durationMs: 1,
};

const codes = (found: readonly unknown[]) => found.map((one) => Object(one).code);
const paths = (found: readonly unknown[]) => found.map((one) => Object(one).path);

describe("a request", () => {
  test("that was refused is listed with its code, and has its body and its faults", async () => {
    const order = { line_items: [{ variant_id: "mug", quantity: 0 }] };

    const refused = await shop.post("/v2/orders", order, named("first-try"));

    expect(refused.status).toBe(422);
    const [listed] = await requests(shop, "status[gte]=400");
    expect(listed).toMatchObject({
      request_id: "first-try",
      method: "POST",
      route: "/v2/orders",
      path: "/v2/orders",
      status: 422,
      code: "validation_failed",
      key: { name: "First key" },
      is_replay: false,
    });
    const whole = await requestOf(shop, "first-try");
    expect(JSON.parse(whole.string("/request_body"))).toEqual(order);
    expect(JSON.parse(whole.string("/response_body")).errors).toEqual(refused.at("/errors"));
  });

  test("keeps every digit that was sent, also of a body that is no JSON", async () => {
    const headers = { ...named("a").headers };

    await shop.send("POST", "/v2/products", { text: '{"name":"Mug","price":12.50}', headers });
    await shop.send("POST", "/v2/products", { text: "{'name': 'Mug'", ...named("b") });

    expect((await requestOf(shop, "a")).at("/request_body")).toBe('{"name":"Mug","price":12.50}');
    expect((await requestOf(shop, "b")).at("/request_body")).toBe("{'name': 'Mug'");
  });

  test("says whether a stored response was sent", async () => {
    await using shop = await openTestShop();
    const headers = { "Idempotency-Key": "one" };

    await shop.post("/v2/customers", { email: "ada@example.com" }, { headers });
    await shop.post("/v2/customers", { email: "ada@example.com" }, { headers });

    const found = await requests(shop);
    expect(found.map((one) => Object(one).is_replay)).toEqual([true, false]);
  });

  test("without a valid key is listed without anything of its sender", async () => {
    const key = "test_sk_guessed";
    await shop.post("/v2/orders?email=ada@example.com", { phone: "+233201234567" }, { key });

    const [listed] = await requests(shop);
    expect(listed).toMatchObject({ status: 401, path: null, key: null, code: "api_key_invalid" });
    const whole = await requestOf(shop, Object(listed).request_id);
    expect(whole.at("/request_body")).toBeNull();
  });
});

describe("the list", () => {
  test("keeps the last 500 requests, and those without a valid key push out none", async () => {
    await using shop = await openTestShop();
    const log = shop.test.requests;

    for (let left = REQUESTS_MAX + 1; left > 0; left -= 1) await shop.get("/v2/store");
    const [newest] = log.newest(() => true);
    for (let left = UNKNOWN_MAX + 1; left > 0; left -= 1) log.add(withoutKey);

    expect(newest?.sequence).toBe(REQUESTS_MAX + 1);
    expect(log.newest(({ caller }) => caller !== null)).toHaveLength(REQUESTS_MAX);
    expect(log.newest(({ caller }) => caller === null)).toHaveLength(UNKNOWN_MAX);
  });

  test("is read page by page, by what was sent and by what came back", async () => {
    await using shop = await openTestShop();
    const till = await shop.post("/v2/keys", { name: "Till", scopes: ["full"] });
    const key = till.string("/key");
    await shop.get("/v2/products", { key });
    await shop.get("/v2/nothing", { key });
    await shop.post("/v2/products", {}, { key });

    expect(codes(await requests(shop, "limit=2"))).toEqual(["validation_failed", "not_found"]);
    expect(codes(await requests(shop, "before=3"))).toEqual([null, null]);
    expect(codes(await requests(shop, "status[gte]=400&method=get"))).toEqual(["not_found"]);
    expect(await requests(shop, `key_id=${till.id}`)).toHaveLength(3);
    expect(await requests(shop, "code=validation_failed")).toHaveLength(1);
  });

  test("is not told of a page of the dashboard or of itself", async () => {
    await using shop = await openTestShop();

    await requests(shop);

    expect(await requests(shop)).toEqual([]);
  });
});

describe("who may read", () => {
  test("a publishable key is refused", async () => {
    const key = await shop.createKey({ scopes: ["storefront"] });

    expect((await shop.get("/v2/requests", { key })).code).toBe("scope_missing");
    expect((await requestOf(shop, "any", key)).code).toBe("scope_missing");
  });

  test("a key sees its own mode only", async () => {
    await using shop = await openTestShop();
    const live = await shop.createKey({ mode: "live" });
    await shop.get("/v2/products", { ...named("of-test") });
    await shop.get("/v2/products?status=active", { key: live, ...named("of-live") });

    expect(paths(await requests(shop))).toEqual(["/v2/products"]);
    expect(paths(await requests(shop, "", live))).toEqual(["/v2/products?status=active"]);
    expect((await requestOf(shop, "of-test", live)).code).toBe("request_not_found");
  });

  test("a key is not told what a key with more scopes sent", async () => {
    const customer = await ada(shop);
    const reader = await shop.createKey({ scopes: ["keys:read", "customers:read"] });
    const lesser = await shop.createKey({ scopes: ["customers:read"] });
    await shop.get(`/v2/customers/${customer}`, named("of-full"));
    await shop.get(`/v2/customers/${customer}`, { key: lesser, ...named("of-lesser") });

    const whole = await requestOf(shop, "of-full", reader);

    expect(whole.body).toMatchObject({ route: "/v2/customers/{id}", path: null });
    expect(whole.text).not.toContain("Ada");
    expect((await requestOf(shop, "of-lesser", reader)).text).toContain("Ada");
  });
});

describe("what is not kept", () => {
  test("live mode has no body, and no search or mistaken path", async () => {
    await using shop = await openTestShop();
    const key = await shop.createKey({ mode: "live" });
    const sent = { key, ...named("live") };

    await shop.post("/v2/customers", { email: "ada@example.com", name: "Ada Mensah" }, sent);
    await shop.get("/v2/customers?q=Ada&limit=5", { key });
    await shop.get("/v2/customers?email=Ada&ada=1", { key });
    await shop.get("/v2/customers/Ada", { key });
    await shop.get("/v2/payments/ada-0241234567", { key });
    await shop.get("/v2/Ada", { key });

    expect(memoryOf(shop.live)).not.toMatch(/ada/i);
    expect(paths(await requests(shop, "", key))).toEqual([
      null,
      "/v2/payments/[masked]",
      "/v2/customers/[masked]",
      "/v2/customers?email=[masked]",
      "/v2/customers?q=[masked]&limit=5",
      "/v2/customers",
    ]);
    expect((await requestOf(shop, "live", key)).body).toMatchObject({
      request_body: null,
      response_body: null,
    });
  });

  test("a secret is masked, and one that is shown once is not even in memory", async () => {
    const url = "http://127.0.0.1:9/hooks";

    const made = await shop.post("/v2/keys", { name: "Till" }, named("key"));
    const hook = await shop.post("/v2/webhooks", { url, events: ["*"] }, named("hook"));
    await shop.post("/v2/customers", { email: "a@b.co", metadata: { api_key: "k-1" } }, named("c"));
    await shop.get("/v2/store?Api-Key=k-2&api%5Fkey=k-3&limit=1&otp=k-4", named("q"));

    expect((await requestOf(shop, "key")).string("/response_body")).toContain("test_sk_[masked]");
    expect((await requestOf(shop, "hook")).string("/response_body")).toContain('"[masked]"');
    expect((await requestOf(shop, "c")).text).not.toContain("k-1");
    expect((await requestOf(shop, "q")).at("/path")).toBe(
      "/v2/store?Api-Key=[masked]&api%5Fkey=[masked]&limit=1&otp=[masked]",
    );
    const kept = memoryOf(shop.test);
    expect(kept).not.toContain(made.string("/key"));
    expect(kept).not.toContain(hook.string("/secret"));
  });

  test("what was sent of a customer is gone once it is erased, deleted, or the shop is reset", async () => {
    await using shop = await openTestShop();
    const forgetting = [
      (id: string) => shop.post(`/v2/customers/${id}/erase`),
      (id: string) => shop.delete(`/v2/customers/${id}`),
      () => shop.post("/v2/test/reset"),
    ];
    for (const forget of forgetting) {
      const id = await ada(shop);
      await shop.get("/v2/customers?email=ada@example.com");
      expect((await forget(id)).status).toBeLessThan(300);

      expect(memoryOf(shop.test)).not.toMatch(/ada@example|Mensah|233201234567/);
    }
    expect(paths(await requests(shop, "method=GET"))[0]).toBe("/v2/customers?email=[masked]");
  });

  test("every operation that forgets is one of the interface", () => {
    const operations = new Set(routes.map(({ operationId }) => operationId));

    expect([...forgettingOperations].filter((one) => !operations.has(one))).toEqual([]);
  });

  test("a large body is left out", async () => {
    const { variantId } = await mug(shop);
    const note = "x".repeat(20_000);

    await shop.post("/v2/orders", { line_items: [{ variant_id: variantId, note }] }, named("big"));

    expect((await requestOf(shop, "big")).at("/request_body")).toBeNull();
  });
});
