// The rate limit of a shop and its headers.

import { describe, expect, test } from "bun:test";

import { type Answered, openTestShop, sharedShop } from "../support/shop.ts";

function limited(limit: number) {
  return openTestShop({ settings: { DUKA_RATE_LIMIT_PER_MINUTE: String(limit) } });
}

function rateHeaders({ headers }: Answered): (string | null)[] {
  return [headers.get("ratelimit-policy"), headers.get("ratelimit"), headers.get("retry-after")];
}

test("the default is a thousand requests in a minute", async () => {
  await using own = await limited(1_000);

  const answer = await own.get("/v2/store");

  expect(rateHeaders(answer)).toEqual(['"default";q=1000;w=60', '"default";r=999;t=60', null]);
});

test("a request beyond the limit is refused with the time to wait", async () => {
  await using own = await limited(2);
  await own.get("/v2/store");
  await own.get("/v2/store");

  const refused = await own.post("/v2/customers", { email: "ada@example.com" });

  expect(refused).toMatchObject({ status: 429, code: "rate_limited" });
  expect(refused.at("/retryable")).toBeTrue();
  const [policy, limit, wait] = rateHeaders(refused);
  expect(policy).toBe('"default";q=2;w=60');
  expect(limit).toMatch(/^"default";r=0;t=(59|60)$/);
  expect(Number(wait)).toBeWithin(59, 61);
  expect(await own.announcedNames()).toEqual([]);
});

test("refused requests do not count", async () => {
  await using own = await limited(1);
  await own.get("/v2/store");
  const first = await own.get("/v2/store");

  const second = await own.get("/v2/store");

  expect(Number(second.headers.get("retry-after"))).toBeLessThanOrEqual(
    Number(first.headers.get("retry-after")),
  );
});

test("all keys of a mode share one limit, and the other mode has its own", async () => {
  await using own = await limited(1);
  const [other, live] = [await own.createKey(), await own.createKey({ mode: "live" })];
  await own.get("/v2/store");

  const answers = await Promise.all([
    own.get("/v2/store", { key: other }),
    own.get("/v2/store", { key: live }),
  ]);

  expect(answers.map((answer) => answer.status)).toEqual([429, 200]);
});

test("a key with its own limit has its own window", async () => {
  await using own = await limited(1);
  const key = await own.createKey({ ratePerMinute: 7 });
  await own.get("/v2/store");

  const answer = await own.get("/v2/store", { key });

  expect(rateHeaders(answer)).toEqual(['"default";q=7;w=60', '"default";r=6;t=60', null]);
});

test("advancing the shop's clock frees nothing", async () => {
  await using own = await limited(1);
  await own.get("/v2/store");
  own.clock.advance(3_600_000);

  expect((await own.get("/v2/store")).status).toBe(429);
});

test("without a limit there are no RateLimit headers", async () => {
  await using own = await limited(0);

  expect(rateHeaders(await own.get("/v2/store"))).toEqual([null, null, null]);
});

describe("the RateLimit headers are sent", () => {
  const shop = sharedShop({ settings: { DUKA_RATE_LIMIT_PER_MINUTE: "1000" } });

  test.each([
    ["with a success", "GET", "/v2/store", 200, 998],
    ["with an unknown path", "GET", "/v2/nothing", 404, 998],
    ["with an unknown method", "DELETE", "/v2/store", 405, 998],
    ["with the methods of a path", "OPTIONS", "/v2/store", 204, 998],
    ["with a wrong query", "GET", "/v2/store?x=1", 400, 998],
    ["with something new", "POST", "/v2/customers", 201, 998],
  ])("%s", async (...[, method, path, status, left]) => {
    const key = await shop.createKey({ ratePerMinute: 1_000 });
    await shop.get("/v2/store", { key });
    const text = method === "POST" ? { text: '{"email":"ada@example.com"}' } : {};

    const answer = await shop.send(method, path, { key, ...text });

    expect(answer.status).toBe(status);
    expect(answer.headers.get("ratelimit")).toMatch(new RegExp(`^"default";r=${left};t=(59|60)$`));
  });

  test("without a scope too, which does not count", async () => {
    const key = await shop.createKey({ scopes: ["products:read"], ratePerMinute: 1_000 });
    await shop.get("/v2/products", { key });

    const refused = await shop.get("/v2/store", { key });

    expect([refused.status, refused.headers.get("retry-after")]).toEqual([403, null]);
    expect(refused.headers.get("ratelimit")).toMatch(/^"default";r=999;t=(59|60)$/);
  });

  test("but not without a key", async () => {
    expect(rateHeaders(await shop.get("/v2/store", { key: null }))).toEqual([null, null, null]);
  });
});

test("guessing keys does not slow down valid keys", async () => {
  await using own = await openTestShop();
  const guesses = Array.from({ length: 15 }, () => own.get("/v2/store", { key: "test_sk_guess" }));

  const winner = await Promise.race([
    Promise.any(guesses.slice(12)).then(() => "a guess"),
    own.get("/v2/store").then(() => "the key"),
  ]);

  expect(winner).toBe("the key");
  expect((await Promise.all(guesses)).every((answer) => answer.status === 401)).toBeTrue();
});
