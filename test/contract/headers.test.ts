// The headers that every answer carries.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { version } from "#platform/process/version.ts";

import { serveRoutes } from "../platform/http/serve-routes.ts";
import { type Answered, openTestShop, type TestShop } from "../support/shop.ts";

const ORIGIN = "https://shop.example";

type Attempt = (shop: TestShop, headers: Record<string, string>) => Promise<Answered>;

/** One request for each way in which an answer is produced. */
const attempts: [string, number, Attempt][] = [
  ["a success", 200, (shop, headers) => shop.get("/v2/store", { headers })],
  ["a refused key", 401, (shop, headers) => shop.get("/v2/store", { headers, key: null })],
  ["an unknown path", 404, (shop, headers) => shop.get("/v2/nothing", { headers })],
  ["a path outside", 404, (shop, headers) => shop.get("/elsewhere", { headers })],
  ["an unknown method", 405, (shop, headers) => shop.delete("/v2/store", { headers })],
  ["a wrong query", 400, (shop, headers) => shop.get("/v2/store?x=1", { headers })],
  ["a wrong body", 422, (shop, headers) => shop.put("/v2/store", { x: 1 }, { headers })],
  ["the methods of a path", 204, (shop, headers) => shop.send("OPTIONS", "/v2/store", { headers })],
  [
    "nothing new",
    304,
    (shop, headers) => shop.get("/v2/store", { headers: { ...headers, "If-None-Match": "*" } }),
  ],
  [
    "an old version",
    412,
    (shop, headers) => shop.put("/v2/store", {}, { headers: { ...headers, "If-Match": '"0"' } }),
  ],
  [
    "a wrong media type",
    415,
    (shop, headers) =>
      shop.put("/v2/store", {}, { headers: { ...headers, "Content-Type": "text/plain" } }),
  ],
];

describe("a shop without other origins", () => {
  let closed: TestShop;
  beforeAll(async () => {
    closed = await openTestShop();
  });
  afterAll(async () => {
    await closed[Symbol.asyncDispose]();
  });

  describe("headers that protect the caller come with", () => {
    test.each(attempts)("%s", async (_, status, attempt) => {
      const answer = await attempt(closed, {});

      expect(answer.status).toBe(status);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "content-security-policy":
          "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "referrer-policy": "no-referrer",
        "x-request-id": expect.stringMatching(/^req_[0-9a-z]{26}$/),
        "x-duka-version": version,
        date: expect.any(String),
      });
      expect(answer.headers.has("strict-transport-security")).toBeFalse();
    });
  });

  test("with TLS, browsers are told to require it", async () => {
    await using server = await serveRoutes([], { endsTls: true });

    const answer = await server.send("GET", "/v2/nothing");

    expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000");
  });

  describe("a valid request id of the caller is returned", () => {
    test.each(["a", "A-z_0-9", "x".repeat(64)])("%s", async (id) => {
      const answer = await closed.get("/v2/nothing", { headers: { "X-Request-Id": id } });

      expect([answer.headers.get("x-request-id"), answer.at("/request_id")]).toEqual([id, id]);
    });

    test.each(["", "x".repeat(65), "a b", "a,b", "a.b", "caf\u00e9", "<script>"])(
      "unless it is %p",
      async (id) => {
        const answer = await closed.get("/v2/nothing", { headers: { "X-Request-Id": id } });

        expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
        expect(answer.at("/request_id")).toBe(answer.headers.get("x-request-id"));
      },
    );
  });

  test("two requests have two ids", async () => {
    const answers = [await closed.get("/v2/store"), await closed.get("/v2/store")];

    expect(new Set(answers.map(({ headers }) => headers.get("x-request-id"))).size).toBe(2);
  });

  describe("without configured origins there is no CORS header with", () => {
    test.each(attempts)("%s", async (_, __, attempt) => {
      const answer = await attempt(closed, { Origin: ORIGIN });

      const names = [...answer.headers.keys()];
      expect(names.filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(answer.headers.get("vary") ?? "").not.toContain("Origin");
    });

    test("a preflight, which needs a key like any request", async () => {
      const headers = { Origin: ORIGIN, "Access-Control-Request-Method": "GET" };

      expect((await closed.send("OPTIONS", "/v2/store", { key: null, headers })).status).toBe(401);
    });
  });
});

describe("with configured origins", () => {
  let open: TestShop;
  beforeAll(async () => {
    open = await openTestShop({
      settings: { DUKA_CORS_ORIGINS: `https://other.example,${ORIGIN}` },
    });
  });
  afterAll(async () => {
    await open[Symbol.asyncDispose]();
  });

  test.each(attempts)("one of them may read %s", async (_, __, attempt) => {
    const answer = await attempt(open, { Origin: ORIGIN });

    expect(answer.headers.get("access-control-allow-origin")).toBe(ORIGIN);
    expect(answer.headers.get("vary")).toStartWith("Origin");
    expect(answer.headers.get("access-control-expose-headers")).toContain("RateLimit-Policy");
    expect(answer.headers.has("access-control-allow-credentials")).toBeFalse();
  });

  test.each(attempts)("a stranger may not read %s", async (_, __, attempt) => {
    const answer = await attempt(open, { Origin: "https://evil.example" });

    expect(answer.headers.has("access-control-allow-origin")).toBeFalse();
    expect(answer.headers.get("vary")).toStartWith("Origin");
  });

  test("a preflight is answered from a constant list", async () => {
    const headers = { Origin: ORIGIN, "Access-Control-Request-Method": "PUT" };

    const answer = await open.send("OPTIONS", "/v2/store", { key: null, headers });

    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "access-control-allow-origin": ORIGIN,
      "access-control-allow-methods": "GET, HEAD, POST, PUT, DELETE",
      "access-control-allow-headers":
        "Authorization, Content-Type, Customer-Token, Duka-Client, Idempotency-Key, If-Match, If-None-Match, Order-Token, X-Request-Id",
      "access-control-max-age": "7200",
      vary: "Origin",
    });
  });

  test("a preflight of an unknown origin gets no origin", async () => {
    const headers = {
      Origin: "https://evil.example",
      "Access-Control-Request-Method": "PUT",
    };

    const answer = await open.send("OPTIONS", "/v2/store", { key: null, headers });

    expect(answer.headers.has("access-control-allow-origin")).toBeFalse();
  });
});
