// Other origins get in only where they are named.

import { describe, expect, test } from "bun:test";

import { corsHeaders, isPreflight, preflightHeaders } from "#platform/http/cors.ts";

const origins = ["https://shop.example", "https://pos.example:8443"];

test("without configured origins no answer says anything of origins", () => {
  expect(corsHeaders([], "https://shop.example")).toEqual({});
});

test("a configured origin is named back, alone", () => {
  expect(corsHeaders(origins, "https://pos.example:8443")).toMatchObject({
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
  ])("%p", (origin) => {
    expect(corsHeaders(origins, origin)).toEqual({ Vary: "Origin" });
  });
});

test("credentials and wildcards are never allowed", () => {
  const all = { ...corsHeaders(origins, "https://shop.example"), ...preflightHeaders };

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
