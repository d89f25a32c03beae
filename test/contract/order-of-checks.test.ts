// The order of checks on a request: of two faults the earlier one is reported. Each test sends a request
// that has both faults of a neighboring pair.

import { expect, test } from "bun:test";

import { ada, adaMensah } from "../support/cast.ts";
import { sharedShop } from "../support/shop.ts";

const MIB = 1_048_576;

const shop = sharedShop({ settings: { DUKA_CORS_ORIGINS: "https://shop.example" } });

/** A key whose rate limit is used up. */
async function exhausted(scopes: ["full"] | ["products:read"]): Promise<string> {
  const key = await shop.createKey({ scopes, ratePerMinute: 1 });
  await shop.get("/v2/products", { key });
  return key;
}

test("a preflight has a request id", async () => {
  const answer = await shop.send("OPTIONS", "/v2/customers", {
    key: null,
    headers: {
      "X-Request-Id": "my-request",
      Origin: "https://shop.example",
      "Access-Control-Request-Method": "POST",
    },
  });

  expect(answer.status).toBe(204);
  expect(answer.headers.get("x-request-id")).toBe("my-request");
});

test("a preflight is answered before the key is checked, the same for every path", async () => {
  const headers = {
    Origin: "https://shop.example",
    "Access-Control-Request-Method": "DELETE",
    "X-Request-Id": "same",
  };

  const [known, unknown] = await Promise.all([
    shop.send("OPTIONS", "/v2/customers", { key: null, headers }),
    shop.send("OPTIONS", "/v2/nothing", { key: null, headers }),
  ]);

  // The answers may be of two seconds.
  for (const { headers: given } of [known, unknown]) given.delete("date");
  expect([known.status, unknown.status]).toEqual([204, 204]);
  expect(Object.fromEntries(known.headers)).toEqual(Object.fromEntries(unknown.headers));
});

test("a wrong key is reported before its missing scope", async () => {
  const key = await shop.createKey({ scopes: ["products:read"] });
  const { id } = Object((await shop.get("/v2/keys?limit=1")).at("/data/0"));
  await shop.delete(`/v2/keys/${id}`);

  expect((await shop.post("/v2/customers", {}, { key })).code).toBe("api_key_invalid");
});

test("a missing scope is reported before the rate limit", async () => {
  const key = await exhausted(["products:read"]);

  expect((await shop.post("/v2/customers", {}, { key })).code).toBe("scope_missing");
});

test("the rate limit is reported before an unknown path", async () => {
  const key = await exhausted(["full"]);

  expect((await shop.get("/v2/nothing", { key })).code).toBe("rate_limited");
});

test("the rate limit is reported before an unknown method", async () => {
  const key = await exhausted(["full"]);

  expect((await shop.delete("/v2/customers", { key })).code).toBe("rate_limited");
});

test("an unknown path is reported before a wrong media type", async () => {
  const options = { text: "{}", headers: { "Content-Type": "text/plain" } };

  expect((await shop.send("POST", "/v2/nothing", options)).code).toBe("not_found");
});

test("an unknown method is reported before a wrong media type", async () => {
  const options = { text: "{}", headers: { "Content-Type": "text/plain" } };

  expect((await shop.send("PUT", "/v2/customers", options)).code).toBe("method_not_allowed");
});

test("a wrong media type is reported before the size", async () => {
  const options = { text: "x".repeat(MIB + 1), headers: { "Content-Type": "text/plain" } };

  const refused = await shop.send("POST", "/v2/customers", options);

  expect(refused.code).toBe("media_type_unsupported");
});

test("the size is reported before malformed JSON", async () => {
  const refused = await shop.send("POST", "/v2/customers", { text: "x".repeat(MIB + 1) });

  expect(refused.code).toBe("body_too_large");
});

test("malformed JSON is reported before an invalid body", async () => {
  const refused = await shop.send("POST", "/v2/customers", { text: '{"emial":1,}' });

  expect(refused.code).toBe("json_malformed");
});

test("an invalid body is reported before a reused idempotency key", async () => {
  const headers = { "Idempotency-Key": "misspelled" };
  await shop.post("/v2/customers", { email: "kofi@example.com" }, { headers });

  const refused = await shop.post("/v2/customers", { emial: "kofi@example.com" }, { headers });

  expect(refused.code).toBe("validation_failed");
});

test("the retry of a success succeeds although the version has changed", async () => {
  const path = `/v2/customers/${await ada(shop)}`;
  const tag = (await shop.get(path)).headers.get("etag") ?? "";
  const headers = { "Idempotency-Key": "renamed", "If-Match": tag };
  await shop.put(path, { name: "Ada" }, { headers });

  const retried = await shop.put(path, { name: "Ada" }, { headers });

  expect(retried.status).toBe(200);
  expect(retried.headers.get("idempotent-replayed")).toBe("true");
});

test("a reused idempotency key is reported before a refusal of the work", async () => {
  const headers = { "Idempotency-Key": "reused" };
  await shop.post("/v2/customers", { email: "esi@example.com" }, { headers });
  const { email } = await adaMensah(shop);

  const refused = await shop.post("/v2/customers", { email }, { headers });

  expect(refused.code).toBe("idempotency_key_reused");
});
