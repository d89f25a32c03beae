// Other origins get in only where they are named.

import { describe, expect, test } from "bun:test";

import Type from "typebox";

import { readRoute, writeRoute } from "#platform/http/contract/route.ts";
import { object } from "#platform/http/contract/words.ts";
import {
  askingPage,
  corsHeaders,
  type CorsTerms,
  isPreflight,
  preflightHeaders,
  RefusedOrigins,
} from "#platform/http/server/cors.ts";

import { serveRoutes } from "./serve-routes.ts";

const named = (...origins: string[]): CorsTerms => ({ origins, allowsNoOrigin: async () => false });
const terms = named("https://shop.example", "https://pos.example:8443");

const askingFrom = (of: CorsTerms, origin: string | null) =>
  askingPage(
    of,
    new Request("http://shop.example/v2", { headers: origin === null ? {} : { Origin: origin } }),
  );

const headersFor = async (of: CorsTerms, origin: string | null) =>
  corsHeaders(of, await askingFrom(of, origin));

const keysOf = async (of: CorsTerms, origin: string) => (await askingFrom(of, origin)).keys;

test("without configured origins no answer says anything of origins", async () => {
  expect(await headersFor(named(), "https://shop.example")).toEqual({});
});

test("a configured origin is named back, alone", async () => {
  expect(await headersFor(terms, "https://pos.example:8443")).toMatchObject({
    Vary: "Origin",
    "Access-Control-Allow-Origin": "https://pos.example:8443",
  });
});

describe("a stranger learns only that origins matter", () => {
  test.each([
    null,
    "null",
    "*",
    "https://shop.example.evil",
    "http://shop.example",
    "https://shop.example:443",
    "https://SHOP.example",
  ])("%p", async (origin) => {
    expect(await headersFor(terms, origin)).toEqual({ Vary: "Origin" });
  });
});

test("credentials and wildcards are never allowed", async () => {
  const all = { ...(await headersFor(terms, "https://shop.example")), ...preflightHeaders };

  expect(Object.keys(all)).not.toContain("Access-Control-Allow-Credentials");
  expect(Object.values(all)).not.toContain("*");
});

test("a page may send what the interface reads", () => {
  const allowed = preflightHeaders["Access-Control-Allow-Headers"]?.split(", ");

  expect(allowed).toEqual(
    expect.arrayContaining([
      "Authorization",
      "Content-Type",
      "Idempotency-Key",
      "If-Match",
      "If-None-Match",
    ]),
  );
});

describe("a preflight is", () => {
  const asking = { Origin: "https://shop.example", "Access-Control-Request-Method": "PUT" };

  test("OPTIONS with an origin and a method in question", () => {
    const request = new Request("http://localhost/v2", { method: "OPTIONS", headers: asking });

    expect(isPreflight(request)).toBeTrue();
  });

  test.each([
    ["GET", asking],
    ["OPTIONS", { Origin: "https://shop.example" }],
    ["OPTIONS", { "Access-Control-Request-Method": "PUT" }],
  ])("not %s with %p", (method, headers) => {
    expect(isPreflight(new Request("http://localhost/v2", { method, headers }))).toBeFalse();
  });
});

describe("http://localhost:* stands for", () => {
  test.each(["http://localhost:3000", "http://localhost:65535", "http://localhost"])(
    "%s",
    async (origin) => {
      expect(await keysOf(named("http://localhost:*"), origin)).toBe("test");
      expect(await headersFor(named("http://localhost:*"), origin)).toMatchObject({
        "Access-Control-Allow-Origin": origin,
      });
    },
  );

  test.each([
    "https://localhost:3000",
    "http://localhost.evil.example",
    "http://evil.example:3000",
    "http://localhost:3000.evil.example",
    "http://localhost:",
    "http://localhost:123456",
    "http://127.0.0.1:3000",
    "http://localhost:*",
    "null",
  ])("not %s", async (origin) => {
    expect(await keysOf(named("http://localhost:*"), origin)).toBe("none");
  });

  test("a port that is named itself is for live keys, too", async () => {
    const both = named("http://localhost:*", "http://localhost:3000");

    expect(await keysOf(both, "http://localhost:3000")).toBe("all");
    expect(await keysOf(both, "http://localhost:3001")).toBe("test");
  });
});

const shape = { tag: "Crates", summary: "Try", response: object({ done: Type.Boolean() }) };
const routes = [
  readRoute({
    ...shape,
    method: "GET",
    path: "/v2/crates",
    operationId: "readCrates",
    scopes: ["crates:read"],
    handler: async () => ({ done: true }),
  }),
  writeRoute({
    ...shape,
    method: "POST",
    path: "/v2/crates",
    operationId: "writeCrates",
    scopes: ["crates:write"],
    handler: async (tx) => {
      await tx.emit({ name: "crate.made", subject: "crate", data: {} });
      return { done: true };
    },
  }),
];

describe("a page of any local port", () => {
  const options = { cors: named("http://localhost:*") };
  const Origin = "http://localhost:5173";

  test("may use a test key", async () => {
    await using server = await serveRoutes(routes, options);

    const answer = await server.send("POST", "/v2/crates", { headers: { Origin } });

    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe(Origin);
    expect(server.refusedOrigins).toEqual([]);
  });

  test("is answered by a preflight", async () => {
    await using server = await serveRoutes(routes, options);
    const headers = { Origin, "Access-Control-Request-Method": "POST" };

    const answer = await server.send("OPTIONS", "/v2/crates", { headers });

    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-origin")).toBe(Origin);
  });

  test.each(["GET", "POST"])("can neither read nor write with a live key (%s)", async (method) => {
    await using server = await serveRoutes(routes, options);
    const headers = { Origin, Authorization: "Bearer live" };

    const answer = await server.send(method, "/v2/crates", { headers });

    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({
      code: "api_key_invalid",
      detail: "Pages of this origin may use test keys only.",
    });
    expect(answer.headers.has("access-control-allow-origin")).toBeFalse();
    expect(answer.headers.get("vary")).toBe("Origin");
    expect(server.refusedOrigins).toEqual([Origin]);
  });

  test("leaves a live key without an origin as it is", async () => {
    await using server = await serveRoutes(routes, options);

    const answer = await server.send("GET", "/v2/crates", {
      headers: { Authorization: "Bearer live" },
    });

    expect(answer.status).toBe(200);
  });
});

describe("a page of no origin", () => {
  const options = { cors: { origins: [], allowsNoOrigin: async () => true } };
  const Origin = "null";

  test("may use a publishable test key", async () => {
    await using server = await serveRoutes(routes, options);
    const headers = { Origin, Authorization: "Bearer visitor" };

    const answer = await server.send("POST", "/v2/crates", { headers });

    expect(answer.headers.get("access-control-allow-origin")).toBe("null");
    expect(answer.status).not.toBe(401);
  });

  test.each(["live", "owner"])("may not use the key of %s", async (name) => {
    await using server = await serveRoutes(routes, options);

    const answer = await server.send("GET", "/v2/crates", {
      headers: { Origin, Authorization: `Bearer ${name}` },
    });

    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({
      detail: "Pages of this origin may use publishable test keys only.",
    });
    expect(answer.headers.has("access-control-allow-origin")).toBeFalse();
  });

  test("may call nothing where that is not allowed", async () => {
    expect(await headersFor(terms, Origin)).toEqual({ Vary: "Origin" });
  });
});

describe("a refused origin is reported", () => {
  const from = (origin: string) =>
    new Request("http://shop.example/v2", { headers: { Origin: origin, Host: "shop.example" } });
  const reportAll = (all: readonly string[]) => {
    const reported: string[] = [];
    const refused = new RefusedOrigins((origin) => reported.push(origin));
    for (const origin of all) refused.report(from(origin));
    return reported;
  };

  test("once", () => {
    expect(reportAll(["http://a.example", "http://b.example", "http://a.example"])).toEqual([
      "http://a.example",
      "http://b.example",
    ]);
  });

  test("but not a page of this server", () => {
    expect(reportAll(["http://shop.example", "https://shop.example"])).toEqual([]);
  });

  test("up to 100 of them, cut to the length of a host's name", () => {
    const many = Array.from({ length: 200 }, (_, at) => `http://${at}.${"a".repeat(500)}`);

    const reported = reportAll(many);

    expect(reported.length).toBe(100);
    expect(reported.every((origin) => origin.length === 270)).toBeTrue();
  });

  test("without configured origins, too", async () => {
    await using server = await serveRoutes([]);

    await server.send("GET", "/v2/crates", { headers: { Origin: "http://a.example" } });
    await server.send("GET", "/v2/crates", { headers: { Origin: "http://a.example" } });
    await server.send("GET", "/v2/crates", { headers: { Origin: server.url } });

    expect(server.refusedOrigins).toEqual(["http://a.example"]);
  });
});
