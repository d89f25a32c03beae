// Which requests are of the server's own pages.

import { describe, expect, test } from "bun:test";

import { isOwnForm, isOwnHost } from "#platform/html/own-form.ts";

const URL_HERE = "https://shop.example";

function request(headers: Record<string, string>): Request {
  return new Request("https://shop.example/dashboard", { headers });
}

describe("a form", () => {
  test.each([
    [{ "sec-fetch-site": "same-origin" }, true],
    [{ "sec-fetch-site": "same-site" }, false],
    [{ "sec-fetch-site": "cross-site", origin: "https://shop.example" }, false],
    [{ "sec-fetch-site": "none" }, false],
    [{ origin: "https://shop.example" }, true],
    [{ origin: "http://shop.example" }, false],
    [{ origin: "https://shop.example.evil" }, false],
    [{ origin: "null" }, false],
    [{}, false],
  ])("with %j is taken: %p", (headers, isTaken) => {
    expect(isOwnForm(request({ host: "shop.example", ...headers }), URL_HERE)).toBe(isTaken);
  });
});

describe("a host", () => {
  test.each([
    ["https://shop.example", "shop.example", true],
    ["https://shop.example", "Shop.Example", true],
    ["https://shop.example", "evil.example", false],
    ["https://shop.example", "localhost", false],
    ["http://127.0.0.1:4000", "localhost:4000", true],
    ["http://127.0.0.1:4000", "127.0.0.1:4000", true],
    // Such as that of an SSH tunnel.
    ["http://127.0.0.1:4000", "localhost:5000", true],
    ["http://127.0.0.1:4000", "localhost.evil.example:4000", false],
    ["http://127.0.0.1:4000", "evil.example:4000", false],
  ])("of %s may be named %s: %p", (url, host, isOwn) => {
    expect(isOwnHost(request({ host }), url)).toBe(isOwn);
  });
});
